import type { Transaction } from '../model.ts';
import { toAssetKey } from './keys.ts';
import { isSupplement, matchSupplements } from './supplements.ts';

/** The suffix of a correcting row's id. The part before it is the id of the corrected row. */
export const correctionMark = '/corrected';

/**
 * Returns the Form 1099 rows that do not count, because another row reports the same sale: rows that a correction of the
 * same account, asset and day replaces, and rows of a supplement whose sale is on a form. The id before the suffix
 * identifies the corrected row. If no row has that id, the first row with the same units is replaced.
 */
export function replacedRows(rows: readonly Transaction[]): ReadonlySet<string> {
  const replaced = correctedRows(rows);
  const others = rows.filter(({ id }) => !replaced.has(id));
  return others.some(isSupplement) ? new Set([...replaced, ...matchSupplements(others).matched]) : replaced;
}

/** Returns the rows that a correction replaces. */
export function correctedRows(rows: readonly Transaction[]): ReadonlySet<string> {
  const replaced = new Set<string>();
  const corrections = rows.filter(isCorrection);
  if (corrections.length === 0) return replaced;
  const originals = rows.filter((row) => !isCorrection(row)).sort(inOrder);
  for (const correction of corrections.sort(inOrder)) {
    const others = originals.filter((row) => !replaced.has(row.id) && isOfSameDay(row, correction));
    const named = correction.externalId.slice(0, -correctionMark.length);
    const original =
      others.find(({ externalId }) => externalId !== '' && externalId === named) ??
      others.find(({ quantity }) => quantity === correction.quantity);
    if (original !== undefined) replaced.add(original.id);
  }
  return replaced;
}

export function isCorrection({ externalId }: Pick<Transaction, 'externalId'>): boolean {
  return externalId.endsWith(correctionMark);
}

function isOfSameDay(a: Transaction, b: Transaction): boolean {
  const isSameAsset = toAssetKey(a.asset, a.assetClass) === toAssetKey(b.asset, b.assetClass);
  return a.type === b.type && a.on === b.on && a.account === b.account && isSameAsset;
}

function inOrder(a: Transaction, b: Transaction): number {
  return a.on - b.on || a.line - b.line || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
