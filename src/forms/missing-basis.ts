import { formatDollars } from '../base/decimal.ts';
import type { TaxYearSummary } from '../engine/model.ts';

/** The text in column (b) if the books do not contain the purchase. */
export const unknownDate = 'UNKNOWN';

/** Shown in place of a line's cost basis while it is unknown. */
export const missingBasisMark = 'cost basis missing';

/** Returns the draft mark of a row, which also says if its basis is unknown. Empty if nothing is a draft. */
export function markRow({ basisUnknown }: { readonly basisUnknown: boolean }, draftMark: string): string {
  return draftMark !== '' && basisUnknown ? `${draftMark}; ${missingBasisMark}` : draftMark;
}

/** Returns a description with the draft mark of its row in parentheses, for files without a column for it. */
export function markedDescription(text: string, row: { readonly basisUnknown: boolean }, draftMark: string): string {
  const mark = markRow(row, draftMark);
  return mark === '' ? text : `${text} (${mark})`;
}

/** Returns a sentence about gains that depend on a missing cost basis. Null if there are none. */
export function missingBasisText({ year, missingBasis }: Pick<TaxYearSummary, 'year' | 'missingBasis'>): string | null {
  const { count, gain } = missingBasis;
  if (count === 0) return null;
  const lines = count === 1 ? '1 line counts' : `${count} lines count`;
  return `${formatDollars(gain)} of the gain of ${year} depends on missing cost basis: ${lines} a cost of zero.`;
}
