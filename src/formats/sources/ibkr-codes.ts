/** Interactive Brokers codes that show how an option ended. Activity statements and Flex queries share them. */

/** Returns the codes in a cell such as `A;O`. */
export function readCodes(text: string): readonly string[] {
  return text.toUpperCase().split(/[;,\s]+/);
}

/**
 * Returns how the row's option ended, or null for an ordinary trade. If `buys` is true, the row closes a written
 * option.
 */
export function endOfOption(codes: readonly string[], buys: boolean): 'expire' | 'exercise' | 'assign' | null {
  if (codes.includes('EP')) return 'expire';
  if (codes.includes('A')) return 'assign';
  if (codes.some((code) => exercises.has(code))) return 'exercise';
  // `GEA` means that the broker exercised one position against another. The side shows whether this one was exercised
  // or assigned.
  return codes.includes('GEA') ? (buys ? 'assign' : 'exercise') : null;
}

/** Returns whether the row's shares were delivered by an option. */
export function deliversStock(codes: readonly string[]): boolean {
  return codes.some((code) => code === 'A' || code === 'GEA' || exercises.has(code));
}

/** Returns whether the broker booked the row because an option ended. */
export function isEndOfOption(codes: readonly string[]): boolean {
  return deliversStock(codes) || codes.includes('EP');
}

/** Codes for an exercise by the customer, an automatic exercise, and an exercise before a dividend. */
const exercises: ReadonlySet<string> = new Set(['EX', 'AEX', 'MEX']);
