import { formatDay } from '../../../base/day.ts';
import { type Cents, formatCents } from '../../../base/decimal.ts';
import { type Fold, isRetirement, raise } from '../../book/fold.ts';
import type { TransactionEvent } from '../../events/event.ts';
import { reduceBasis } from './basis-reductions.ts';
import { listAffectedPools } from './corporate-actions.ts';

/**
 * Reduces the basis of a bond by amortized premium (IRC 171, 1016(a)(5); Pub. 550, "Bond Premium Amortization").
 * Premium is part of the cost of the bond, so an amount above its basis is an error, not a gain.
 */
export function amortizePremium(fold: Fold, event: TransactionEvent): void {
  let left = 0n;
  reduceBasis(fold, event, 'premium', (_pool, lot, excess) => {
    if (!isRetirement(fold, lot.account)) left += excess;
  });
  if (event.tx.amount === null) return;
  for (const pool of listAffectedPools(fold, event))
    for (const lot of pool.lots.values()) lot.debt = { maturity: null, accrued: 0n, ...lot.debt, isAccruing: true };
  if (left > 0n) raiseExcess(fold, event, left as Cents);
}

function raiseExcess(fold: Fold, event: TransactionEvent, excess: Cents): void {
  const detail =
    `The bond amortization of ${event.asset} on ${formatDay(event.on)} exceeds the basis of its lots. The excess of ` +
    `$${formatCents(excess)} is ignored.`;
  raise(fold, event, 'unreconciled', detail, { dollars: excess });
}
