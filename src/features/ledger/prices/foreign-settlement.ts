import { addDays, type Day, dayOf, yearOf } from '../../../base/day.ts';
import type { AssetClass, Transaction, TransactionType } from '../../../engine/model.ts';
import { computeEaster } from '../../../engine/rules/lots/settlement.ts';

/**
 * Returns the day of the exchange rate that converts the amounts of a row. Trades in stock or securities on an
 * established securities market use the spot rate on the settlement date, for both purchases and sales (26 CFR
 * 1.988-2(a)(2)(iv)(A), (B): taxpayers who use the cash method). Coins, income, fees and cash use the rate on the day
 * of the row.
 */
export function getRateDay(tx: Pick<Transaction, 'type' | 'assetClass' | 'currency' | 'on'>): Day {
  return settlesLater(tx) && trades.has(tx.type) ? settlementAbroad(tx.currency, tx.on) : tx.on;
}

/**
 * Returns the day of the exchange rate that converts the basis of a row. For stock and securities, it is the settlement
 * date of the purchase.
 */
export function getBasisRateDay(tx: Pick<Transaction, 'type' | 'assetClass' | 'currency' | 'on' | 'acquired'>): Day {
  const bought = tx.acquired ?? tx.on;
  return settlesLater(tx) ? settlementAbroad(tx.currency, bought) : bought;
}

const trades: ReadonlySet<TransactionType> = new Set(['buy', 'sell', 'short_sell', 'cover', 'reported_sale']);
const securities: ReadonlySet<AssetClass> = new Set(['stock', 'fund', 'bond', 'treasury_bill']);

function settlesLater({ assetClass }: Pick<Transaction, 'assetClass'>): boolean {
  return securities.has(assetClass);
}

/**
 * Returns the settlement date of a trade on the home market of its currency. Skips weekends and, for the euro, TARGET
 * closing days. Other foreign holidays are not in the table. If the settlement date falls on one, the last earlier rate
 * is used.
 */
export function settlementAbroad(currency: string, traded: Day): Day {
  let settlement = traded;
  for (let left = findSettlementLag(currency, traded); left > 0; ) {
    settlement = addDays(settlement, 1);
    if (isBusinessDay(currency, settlement)) left--;
  }
  return settlement;
}

/** The number of business days from trade to settlement. The last entry on or before the trade date applies. */
type Lags = readonly (readonly [from: Day, days: number])[];

function lags(
  first: number,
  ...changes: readonly (readonly [year: number, month: number, day: number, days: number])[]
) {
  return [
    [Number.NEGATIVE_INFINITY as Day, first],
    ...changes.map(([year, month, day, days]) => [dayOf(year, month, day) as Day, days] as const),
  ] as Lags;
}

/** Regulation (EU) 909/2014, article 5, as amended in 2025. The United Kingdom and Switzerland have the same dates. */
const europe = lags(3, [2014, 10, 6, 2], [2027, 10, 11, 1]);
const lagsByCurrency: Readonly<Record<string, Lags>> = {
  EUR: europe,
  GBP: europe,
  CHF: europe,
  SEK: europe,
  NOK: europe,
  DKK: europe,
  PLN: europe,
  CZK: europe,
  HUF: europe,
  RON: europe,
  BGN: europe,
  ISK: europe,
  CAD: lags(3, [2017, 9, 5, 2], [2024, 5, 27, 1]),
  MXN: lags(3, [2017, 9, 5, 2], [2024, 5, 27, 1]),
  JPY: lags(3, [2019, 7, 16, 2]),
  AUD: lags(3, [2016, 3, 7, 2]),
  NZD: lags(3, [2016, 3, 7, 2]),
  SGD: lags(3, [2018, 12, 10, 2]),
  BRL: lags(3, [2019, 5, 27, 2]),
  INR: lags(2, [2023, 1, 27, 1]),
  CNY: lags(1),
  ZAR: lags(5, [2016, 7, 11, 3]),
};
const otherMarkets = lags(2);

function findSettlementLag(currency: string, traded: Day): number {
  return (lagsByCurrency[currency] ?? otherMarkets).findLast(([from]) => from <= traded)?.[1] ?? 2;
}

function isBusinessDay(currency: string, day: Day): boolean {
  // Day 0 is January 1, 1970, a Thursday.
  const weekday = (((day + 4) % 7) + 7) % 7;
  return weekday !== 0 && weekday !== 6 && !(currency === 'EUR' && isTargetHoliday(day));
}

/**
 * Returns whether TARGET is closed. Since 2002, it closes on New Year's Day, Good Friday, Easter Monday, May 1, and
 * December 25 and 26.
 */
function isTargetHoliday(day: Day): boolean {
  const year = yearOf(day);
  const easter = computeEaster(year);
  const fixed = [dayOf(year, 1, 1), dayOf(year, 5, 1), dayOf(year, 12, 25), dayOf(year, 12, 26)];
  return fixed.includes(day) || day === addDays(easter, -2) || day === addDays(easter, 1);
}
