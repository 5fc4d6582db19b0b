import type { Cents, Quantity } from '../../../base/decimal.ts';
import type { OpenLot } from '../../book/book.ts';
import type { Fold } from '../../book/fold.ts';
import type { TransactionEvent } from '../../events/event.ts';
import { reduceBasis } from './basis-reductions.ts';
import { writeActionLine } from './corporate-actions.ts';

/**
 * Reduces the basis of each share by a nondividend distribution. The part above the basis is a gain (IRC 301(c); Pub.
 * 550).
 */
export function returnCapital(fold: Fold, event: TransactionEvent): void {
  let row = 0;
  reduceBasis(fold, event, 'capital', (pool, lot, excess) =>
    writeExcess(fold, { ...event, account: pool.account }, lot, excess, row++),
  );
}

function writeExcess(fold: Fold, event: TransactionEvent, lot: OpenLot, excess: bigint, row: number): void {
  writeActionLine(fold, event, lot, row, {
    quantity: 0n as Quantity,
    proceeds: excess as Cents,
    basis: 0n as Cents,
    description: `${event.asset} nondividend distribution`,
  });
}
