import { type Fold, isRetirement, writeIncome } from '../../book/fold.ts';
import { dollars, type TransactionEvent } from '../../events/event.ts';
import { reduceBasis } from '../corporate-actions/basis-reductions.ts';
import { listAffectedPools } from '../corporate-actions/corporate-actions.ts';

/**
 * Writes original issue discount as income when it accrues (IRC 1272(a)(1)) and adds it to the basis of the debt
 * instrument (1272(d)(2)), by units. The instrument then has no market discount unless a row states one.
 */
export function accrueOriginalDiscount(fold: Fold, event: TransactionEvent): void {
  const amount = dollars(event.tx, event.tx.amount);
  if (amount !== null && !isRetirement(fold, event.account)) writeIncome(fold, event, { type: event.tx.type, amount });
  reduceBasis(fold, event, 'discount', () => {}, -1n);
  if (amount === null) return;
  for (const pool of listAffectedPools(fold, event))
    for (const lot of pool.lots.values()) lot.debt = { maturity: null, accrued: 0n, ...lot.debt, isAccruing: true };
}
