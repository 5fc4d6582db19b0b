/** Codes of Interactive Brokers that show how an option ended. Activity statements and Flex queries share them. */

/** The codes in a cell such as `A;O`. */
export function readCodes(text: string): readonly string[] {
  return text.toUpperCase().split(/[;,\s]+/);
}

/** How the option of a row ended. Null for an ordinary trade. `buys`: the row closes a written option. */
export function endOfOption(codes: readonly string[], buys: boolean): 'expire' | 'exercise' | 'assign' | null {
  if (codes.includes('EP')) return 'expire';
  if (codes.includes('A')) return 'assign';
  if (codes.some((code) => exercises.has(code))) return 'exercise';
  // The broker exercises one position against another (`GEA`). The side shows which end this is.
  return codes.includes('GEA') ? (buys ? 'assign' : 'exercise') : null;
}

/** Whether an option delivered the shares of a row. */
export function deliversStock(codes: readonly string[]): boolean {
  return codes.some((code) => code === 'A' || code === 'GEA' || exercises.has(code));
}

/** Whether the broker booked the row at the end of an option. */
export function isEndOfOption(codes: readonly string[]): boolean {
  return deliversStock(codes) || codes.includes('EP');
}

/** Exercised by hand, or automatically or by hand before a dividend. */
const exercises: ReadonlySet<string> = new Set(['EX', 'AEX', 'MEX']);
