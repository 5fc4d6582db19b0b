import type { Lot } from '../../../engine/model.ts';
import { parseCentsColumn, parseDayColumn, parseQuantityColumn } from '../transactions/rows/columns.ts';

/** A lot as read from the database. Days and numbers are text. */
export interface LotRow extends Omit<Lot, 'quantity' | 'basis' | 'acquired' | 'heldSince' | 'purchaseUnknown'> {
  readonly quantity: string;
  readonly basis: string;
  readonly acquired: string;
  readonly heldSince: string;
  readonly purchaseUnknown: boolean;
}

export function toLot({ purchaseUnknown, ...row }: LotRow): Lot {
  return {
    ...row,
    quantity: parseQuantityColumn(row.quantity),
    basis: parseCentsColumn(row.basis),
    acquired: parseDayColumn(row.acquired),
    heldSince: parseDayColumn(row.heldSince),
    ...(purchaseUnknown ? { purchaseUnknown } : {}),
  };
}
