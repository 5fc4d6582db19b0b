import type { Cents, Quantity } from '../../../base/decimal.ts';
import { dealer, most } from '../../book/amounts.ts';
import type { OpenLot } from '../../book/book.ts';
import { type Fold, noteTransaction, reorder, roundCarrying } from '../../book/fold.ts';
import { type Act, dollars } from '../../events/event.ts';
import { inOrder, poolsOf, quantityOf, raiseIncomplete, raiseNothingHeld, writeRow } from './corporate-actions.ts';

/** Nondividend distributions reduce basis, share by share; what exceeds it is gain (IRC 301(c); Pub. 550). */
export function returnCapital(fold: Fold, event: Act): void {
  const amount = dollars(event.tx, event.tx.amount);
  if (amount === null) {
    raiseIncomplete(fold, event, 'the amount');
    return;
  }
  const pools = poolsOf(fold, event);
  const cents = roundCarrying(fold, `capital ${event.key}`, amount);
  if (pools.length === 0) {
    raiseNothingHeld(fold, event, cents);
    return;
  }
  const deal = dealer(cents, quantityOf(pools));
  let row = 0;
  for (const pool of pools) {
    noteTransaction(pool, event.tx.id);
    for (const lot of inOrder(pool)) {
      const share = deal(lot.quantity);
      const excess = share > lot.wholeBasis ? share - lot.wholeBasis : 0n;
      lower(lot, share);
      if (excess > 0n) writeExcess(fold, { ...event, account: pool.account }, lot, excess, row++);
    }
    reorder(pool);
  }
}

function writeExcess(fold: Fold, event: Act, lot: OpenLot, excess: bigint, row: number): void {
  writeRow(fold, event, lot, row, {
    quantity: 0n as Quantity,
    proceeds: excess as Cents,
    basis: 0n as Cents,
    description: `${event.asset} nondividend distribution`,
  });
}

function lower(lot: OpenLot, share: bigint): void {
  lot.unitBasis = most(0n, lot.unitBasis * lot.quantity - share * 1_000_000n * lot.unitQuantity);
  lot.unitQuantity *= lot.quantity;
  lot.wholeBasis = most(0n, lot.wholeBasis - share);
  if (lot.lossBasis !== null) lot.lossBasis = most(0n, lot.lossBasis - share);
}
