import { type Day, formatDay } from '../../../base/day.ts';
import { type Cents, formatMoney, type Money, proportion, type Quantity, roundToCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import { kindOfKey, listPriceSources, readPrices } from '../../ledger/prices/sources.ts';
import { parseMoneyColumn, parseQuantityColumn } from '../../ledger/transactions/rows.ts';
import { selectLastReorganizations, selectTradePrices } from './planning.queries.ts';

/** The value of units and its source. Stored as a fraction, so that only the result is rounded. */
export interface UnitValue {
  /** The value of `quantity` units, in units of 10⁻¹⁸ dollars. */
  readonly worth: bigint;
  readonly quantity: Quantity;
  readonly day: string;
  readonly source: 'price' | 'transaction';
  /** The trade that the value comes from, or null if it comes from a price. */
  readonly transactionId: string | null;
  /** The price source (`own` for the taxpayer), or null if the value comes from a trade. */
  readonly provider: string | null;
}

/** Formats a value for the API. */
export function unitValueView(value: UnitValue) {
  return {
    source: value.source,
    date: value.day,
    transactionId: value.transactionId,
    provider: value.provider,
    unit: formatMoney(computeUnitWorth(value)),
  };
}

/** An asset: its key in the books and its name in prices. */
interface NamedAsset {
  readonly key: string;
  readonly asset: string;
}

const oneUnit = (10n ** 18n) as Quantity;
const worthPerMoney = 10n ** 10n;
/** Prices older than this many days are ignored. */
const daysMax = 3_660;

/**
 * Returns the newest value of each asset on a day, by asset key: a usable price or the taxpayer's last trade. If both
 * are from the same day, the price takes precedence. Omits assets without a value and values from before a split or
 * another corporate action.
 */
export async function unitValues(
  sql: Sql,
  taxpayerId: string,
  assets: readonly NamedAsset[],
  on: Day,
): Promise<Map<string, UnitValue>> {
  const today = formatDay(on);
  const keys = assets.map((thing) => thing.key);
  const values = new Map<string, UnitValue>();
  for (const row of await selectTradePrices(sql, taxpayerId, keys, today)) {
    values.set(row.asset_key, {
      worth: parseMoneyColumn(row.amount) * worthPerMoney,
      quantity: parseQuantityColumn(row.quantity),
      day: row.day,
      source: 'transaction',
      transactionId: row.id,
      provider: null,
    });
  }
  const sources = (key: string): string => listPriceSources(kindOfKey(key)).join(' ');
  const asks = assets.map(({ key, asset }) => ({ asset, day: today, within: daysMax, sources: sources(key) }));
  const priceRows = await readPrices(sql, taxpayerId, asks);
  const prices = new Map(priceRows.map((row) => [`${row.sources} ${row.asset}`, row]));
  for (const { key, asset } of assets) {
    const price = prices.get(`${sources(key)} ${asset}`);
    const trade = values.get(key);
    if (price === undefined || (trade !== undefined && trade.day > price.day)) continue;
    const worth: bigint = parseQuantityColumn(price.usd);
    values.set(key, {
      worth,
      quantity: oneUnit,
      day: price.day,
      source: 'price',
      transactionId: null,
      provider: price.source,
    });
  }
  for (const row of await selectLastReorganizations(sql, taxpayerId, keys, today)) {
    const value = values.get(row.asset_key);
    if (value !== undefined && value.day <= row.day) values.delete(row.asset_key);
  }
  return values;
}

export function computeWorth(value: UnitValue, quantity: Quantity): Money {
  return proportion(value.worth, quantity, value.quantity * worthPerMoney) as Money;
}

export function computeWorthCents(value: UnitValue, quantity: Quantity): Cents {
  return roundToCents(computeWorth(value, quantity));
}

/** Returns the value of one unit, rounded to the 8 decimals of money. */
function computeUnitWorth(value: UnitValue): Money {
  return computeWorth(value, oneUnit);
}
