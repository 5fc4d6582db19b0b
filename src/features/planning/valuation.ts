import { type Day, formatDay } from '../../base/day.ts';
import { type Cents, type Money, proportion, type Quantity, roundToCents } from '../../base/decimal.ts';
import type { Sql } from '../../db/connection.ts';
import { selectPrices } from '../prices/queries.ts';
import { moneyOf, quantityOf } from '../transactions/rows/columns.ts';
import { selectLastReshapings, selectSeenPrices } from './queries.ts';

/** What units are worth, as a fraction so that nothing is rounded before the end, and who says so. */
export interface UnitValue {
  /** In units of 10⁻¹⁸ dollars for `quantity` units. */
  readonly worth: bigint;
  readonly quantity: Quantity;
  readonly day: string;
  readonly source: 'price' | 'transaction';
  /** The trade that the value was seen in. */
  readonly transactionId: string | null;
}

/** A thing, by its book and by the name that prices have for it. */
export interface Valued {
  readonly key: string;
  readonly asset: string;
}

const oneUnit = (10n ** 18n) as Quantity;
const worthPerMoney = 10n ** 10n;
/** Older ones say nothing of today. */
const daysMax = 3_660;

/**
 * By asset key, the newest value known on a day: a price that the books may use, or what the taxpayer's own trades last
 * said; of one day the price. Without any a key is left out, and so is a value from before a split.
 */
export async function unitValues(
  sql: Sql,
  taxpayerId: string,
  things: readonly Valued[],
  on: Day,
): Promise<Map<string, UnitValue>> {
  const today = formatDay(on);
  const keys = things.map((thing) => thing.key);
  const values = new Map<string, UnitValue>();
  for (const row of await selectSeenPrices(sql, taxpayerId, keys, today)) {
    values.set(row.asset_key, {
      worth: moneyOf(row.amount) * worthPerMoney,
      quantity: quantityOf(row.quantity),
      day: row.day,
      source: 'transaction',
      transactionId: row.id,
    });
  }
  const asks = things.map(({ asset }) => ({ asset, day: today, within: daysMax }));
  const prices = new Map((await selectPrices(sql, taxpayerId, asks)).map((row) => [row.asset, row]));
  for (const { key, asset } of things) {
    const price = prices.get(asset);
    const seen = values.get(key);
    if (price === undefined || (seen !== undefined && seen.day > price.day)) continue;
    const worth: bigint = quantityOf(price.usd);
    values.set(key, { worth, quantity: oneUnit, day: price.day, source: 'price', transactionId: null });
  }
  for (const row of await selectLastReshapings(sql, taxpayerId, keys, today)) {
    const value = values.get(row.asset_key);
    if (value !== undefined && value.day <= row.day) values.delete(row.asset_key);
  }
  return values;
}

export function worthOf(value: UnitValue, quantity: Quantity): Money {
  return proportion(value.worth, quantity, value.quantity * worthPerMoney) as Money;
}

export function centsOf(value: UnitValue, quantity: Quantity): Cents {
  return roundToCents(worthOf(value, quantity));
}

/** Of one unit, to the 8 decimals that money has. */
export function unitOf(value: UnitValue): Money {
  return worthOf(value, oneUnit);
}
