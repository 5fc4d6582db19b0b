/** Returns the same text for equal JSON: fields are sorted, and undefined ones are omitted, as JSON does. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortMembers(value)) ?? 'null';
}

/** Returns whether a value is a JSON object, and not a list or null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]));
}
