import type { LotMethod } from '../../engine/lot-methods.ts';
import type { Box } from '../../engine/model.ts';

/** The help entry of each Form 8949 box. */
export const entryOfBox: Readonly<Record<Box, string>> = {
  ...{ A: 'box-a-d', B: 'box-b-e', C: 'box-c-f', D: 'box-a-d', E: 'box-b-e', F: 'box-c-f' },
  ...{ G: 'box-g-j', H: 'box-h-k', I: 'box-i-l', J: 'box-g-j', K: 'box-h-k', L: 'box-i-l' },
};

/** Codes of column (f) with their own entry. */
const codesWithEntry = 'BCDELMOTWYZ';

/** Returns the help entry for the letters of column (f). */
export function entryOfCode(code: string): string {
  return code.length === 1 && codesWithEntry.includes(code) ? `code-${code.toLowerCase()}` : 'adjustment-codes';
}

/** The help entries of lot methods. A method without one has the entry `lot-method`. */
export const entryOfMethod: Partial<Readonly<Record<LotMethod, string>>> = {
  FIFO: 'fifo',
  LIFO: 'lifo',
  HIFO: 'hifo',
  LOFO: 'lofo',
  AVERAGE: 'average-basis',
};
