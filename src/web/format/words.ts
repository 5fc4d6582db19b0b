/** `buy_to_open` → `buy to open`: a word of the API as a person reads it. */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** `buy_to_open` → `Buy to open`. */
export function titled(name: string): string {
  const text = words(name);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
