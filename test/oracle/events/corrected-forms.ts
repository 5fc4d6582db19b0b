import type { Transaction } from '../../../src/engine/model.ts';

/**
 * Removes rows that a corrected form replaces. The id of the corrected row is the original's id plus `/corrected`.
 * Otherwise, the units identify the original row.
 */
export function withoutCorrected(transactions: readonly Transaction[]): readonly Transaction[] {
  const ordered = [...transactions].sort((a, b) => a.line - b.line || (a.id < b.id ? -1 : 1));
  const gone = new Set<Transaction>();
  for (const { externalId, ...sale } of ordered.filter(isCorrection)) {
    const same = ordered.filter(
      (other) =>
        !gone.has(other) &&
        !isCorrection(other) &&
        other.type === sale.type &&
        other.on === sale.on &&
        other.account === sale.account &&
        other.asset === sale.asset &&
        other.assetClass === sale.assetClass,
    );
    const corrected =
      same.find((other) => other.externalId !== '' && `${other.externalId}/corrected` === externalId) ??
      same.find((other) => other.quantity === sale.quantity);
    if (corrected !== undefined) gone.add(corrected);
  }
  return transactions.filter((transaction) => !gone.has(transaction));
}

function isCorrection({ type, externalId }: Transaction): boolean {
  return type.startsWith('reported_') && externalId.endsWith('/corrected');
}
