import { type Day, formatDay } from '../../../base/day.ts';
import { type Cents, type Money, proportion, type Quantity, roundToCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import { moneyOf, quantityOf } from '../../transactions/columns.ts';
import { selectSeenPrices } from './queries.ts';

/** What units are worth, as a fraction so that nothing is rounded before the end, and who says so. */
export interface UnitValue {
  readonly amount: Money;
  readonly quantity: Quantity;
  readonly day: string;
  readonly source: 'price' | 'transaction';
  /** The trade that the value was seen in. */
  readonly transactionId: string | null;
}

/** By asset key, the last value known on a day: the taxpayer's own trades tell it. Without any a key is left out. */
export async function unitValues(
  sql: Sql,
  taxpayerId: string,
  keys: readonly string[],
  on: Day,
): Promise<Map<string, UnitValue>> {
  const seen = await selectSeenPrices(sql, taxpayerId, keys, formatDay(on));
  return new Map(
    seen.map((row) => [
      row.asset_key,
      {
        amount: moneyOf(row.amount),
        quantity: quantityOf(row.quantity),
        day: row.day,
        source: 'transaction' as const,
        transactionId: row.id,
      },
    ]),
  );
}

export function worthOf(value: UnitValue, quantity: Quantity): Money {
  return proportion(value.amount, quantity, value.quantity) as Money;
}

export function centsOf(value: UnitValue, quantity: Quantity): Cents {
  return roundToCents(worthOf(value, quantity));
}
