import { createAllocator, most } from '../../book/amounts.ts';
import type { OpenLot } from '../../book/book.ts';
import { type Fold, noteTransaction, type Pool, reorder, roundCarrying } from '../../book/fold.ts';
import { dollars, type TransactionEvent } from '../../events/event.ts';
import {
  listAffectedPools,
  listRebasedLots,
  raiseIncomplete,
  raiseNothingHeld,
  sumQuantities,
} from './corporate-actions.ts';

/**
 * Divides the amount of a row by units among the lots it affects, and reduces the basis of each lot by its share. The
 * basis never becomes negative: `onExcess` receives the part of a share above the basis, in cents. `purpose` names the
 * cents remainder. A direction of −1 increases the basis instead.
 */
export function reduceBasis(
  fold: Fold,
  event: TransactionEvent,
  purpose: string,
  onExcess: (pool: Pool, lot: OpenLot, excess: bigint) => void,
  direction: 1n | -1n = 1n,
): void {
  const amount = dollars(event.tx, event.tx.amount);
  if (amount === null) {
    raiseIncomplete(fold, event, 'the amount');
    return;
  }
  const pools = listAffectedPools(fold, event);
  const cents = roundCarrying(fold, `${purpose} ${event.key}`, amount);
  if (pools.length === 0) {
    raiseNothingHeld(fold, event, cents);
    return;
  }
  const deal = createAllocator(direction * cents, sumQuantities(pools));
  for (const pool of pools) {
    noteTransaction(pool, event.tx.id);
    for (const lot of listRebasedLots(pool)) {
      const share = deal(lot.quantity);
      const excess = share - lot.wholeBasis;
      lower(lot, share);
      if (excess > 0n) onExcess(pool, lot, excess);
    }
    reorder(pool);
  }
}

function lower(lot: OpenLot, share: bigint): void {
  lot.unitBasis = most(0n, lot.unitBasis * lot.quantity - share * 1_000_000n * lot.unitQuantity);
  lot.unitQuantity *= lot.quantity;
  lot.wholeBasis = most(0n, lot.wholeBasis - share);
  if (lot.lossBasis !== null) lot.lossBasis = most(0n, lot.lossBasis - share);
}
