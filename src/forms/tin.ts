/** Returns a Social Security number or ITIN with dashes. An EIN, which is entered with its dash, stays as it is. */
export function formatTin(text: string): string {
  return text.replace(/^(\d{3})-?(\d{2})-?(\d{4})$/, '$1-$2-$3');
}
