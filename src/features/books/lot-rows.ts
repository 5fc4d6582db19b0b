import type { Lot } from '../../engine/model.ts';
import { centsOf, dayOf, quantityOf } from '../transactions/rows/columns.ts';

/** A lot as read from the database: days and numbers are text. */
export interface LotRow extends Omit<Lot, 'quantity' | 'basis' | 'acquired' | 'heldSince' | 'purchaseUnknown'> {
  readonly quantity: string;
  readonly basis: string;
  readonly acquired: string;
  readonly heldSince: string;
  readonly purchaseUnknown: boolean;
}

export function lotOf({ purchaseUnknown, ...row }: LotRow): Lot {
  return {
    ...row,
    quantity: quantityOf(row.quantity),
    basis: centsOf(row.basis),
    acquired: dayOf(row.acquired),
    heldSince: dayOf(row.heldSince),
    ...(purchaseUnknown ? { purchaseUnknown } : {}),
  };
}
