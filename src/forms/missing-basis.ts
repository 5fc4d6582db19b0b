import { formatDollars } from '../base/decimal.ts';
import type { TaxYearSummary } from '../engine/model.ts';

/** Column (b) of a line whose purchase no row states. */
export const unknownDate = 'UNKNOWN';

/** What to write about a line in place of its cost basis, while that is unknown. */
export const missingBasisMark = 'cost basis missing';

/** The sentence about gains that rest on a missing cost basis. Null if none do. */
export function missingBasisText({ year, missingBasis }: Pick<TaxYearSummary, 'year' | 'missingBasis'>): string | null {
  const { count, gain } = missingBasis;
  if (count === 0) return null;
  const lines = count === 1 ? '1 line counts' : `${count} lines count`;
  return `${formatDollars(gain)} of the gain of ${year} rests on missing cost basis: ${lines} a cost of zero.`;
}
