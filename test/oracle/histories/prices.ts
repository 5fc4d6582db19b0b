import { type Day, formatDay } from '../../../src/base/day.ts';
import type { Money } from '../../../src/base/decimal.ts';
import { withoutForeignReversed } from '../../../src/engine/events/corrections.ts';
import type { Transaction } from '../../../src/engine/model.ts';
import { inDollars, listPriceNeeds, type PriceNeed } from '../../../src/features/ledger/prices/price-needs.ts';
import { corrected } from '../events/reversal.ts';
import { dollars, Exact, units } from '../numbers.ts';

/** Returns the price of an asset on a day. Only some assets have prices, on some days, like a taxpayer's file. */
export function priceOf(asset: string, on: Day): string | undefined {
  const known = { EUR: 5, BTC: 2, ETH: 3, SOL: 2, AAA: 4, PUNK: 2 }[asset];
  if (known === undefined || on % known === 0) return undefined;
  return asset === 'EUR' ? `1.${1000 + (on % 89) * 7}` : `${2 + (on % 13)}.${100 + (on % 77)}`;
}

/**
 * Returns the rows that the fast engine receives: without reversals in another currency, and in dollars if a price is
 * known.
 */
export function pricedForEngine(history: readonly Transaction[]): Transaction[] {
  return withoutForeignReversed(history).map((row) => {
    const needs = listPriceNeeds(row);
    const found = needs.flatMap(({ figure, asset, day }: PriceNeed) => {
      const price = priceOf(asset, day);
      return price === undefined ? [] : [[figure, price] as const];
    });
    return needs.length === 0 ? row : inDollars(row, new Map(found));
  });
}

/**
 * Derives the same rows from the rules: an amount in another currency is converted at the rate on its day, and a basis
 * at the rate on the day it was paid. A row without an amount has the value of its price. An exchange has the value
 * received, or else the value given (1.1001-7(b)(4)).
 */
export function pricedForOracle(history: readonly Transaction[]): Transaction[] {
  // Reversals in another currency do not depend on prices.
  const foreign = history.filter((row) => row.currency !== 'USD');
  const stays = new Set(corrected(foreign));
  const kept = history.filter((row) => row.currency === 'USD' || stays.has(row));
  return kept.map((row) => {
    // None of these types is a purchase or sale of stock, so the rate on the row's day applies.
    if (mayPayNothing.includes(row.type) && row.currency !== 'USD' && priceOf(row.currency, row.on) === undefined)
      return row;
    const own = row.currency === 'USD' ? row : converted(row);
    return { ...own, amount: amountOf(row, own), fee: feeOf(row, own), fmv: marketValueOf(row, own) };
  });
}

/** Without an amount, nothing was paid. An amount without a rate keeps its stated currency. */
const mayPayNothing: readonly string[] = ['merger', 'split', 'expire'];

function converted(row: Transaction): Transaction {
  const at = (money: Money | null, on: Day): Money | null => {
    const rate = priceOf(row.currency, on);
    return money === null || rate === undefined ? null : moneyOf(dollars(money).times(rate));
  };
  const on = isStock(row) && stockTrades.includes(row.type) ? settlementOf(row.on) : row.on;
  return {
    ...row,
    currency: 'USD',
    amount: at(row.amount, on),
    fee: at(row.fee, on),
    feeOwn: at(row.feeOwn, on),
    fmv: at(row.fmv, on),
    wash: at(row.wash, on),
    accruedInterest: at(row.accruedInterest, on),
    marketDiscount: at(row.marketDiscount, on),
    basis: at(row.basis, isStock(row) ? settlementOf(row.acquired ?? row.on) : (row.acquired ?? row.on)),
  };
}

/** "The spot rate on the settlement date" of the purchase or sale of stock (26 CFR 1.988-2(a)(2)(iv)(B)). */
const stockTrades: readonly string[] = ['buy', 'sell', 'short_sell', 'cover', 'reported_sale'];

function isStock({ assetClass }: Transaction): boolean {
  return assetClass === 'stock' || assetClass === 'fund' || assetClass === 'bond';
}

/**
 * Returns the second business day after the trade (the first since October 11, 2027), skipping weekends and days on
 * which TARGET is closed. The histories use euros only from 2014 on.
 */
function settlementOf(traded: Day): Day {
  const date = new Date(traded * 86_400_000);
  const days = date.toISOString() < '2027-10-11' ? 2 : 1;
  for (let counted = 0; counted < days; ) {
    date.setUTCDate(date.getUTCDate() + 1);
    if (!isClosed(date)) counted++;
  }
  return (date.getTime() / 86_400_000) as Day;
}

function isClosed(date: Date): boolean {
  const text = date.toISOString().slice(0, 10);
  return date.getUTCDay() % 6 === 0 || /-(01-01|05-01|12-25|12-26)$/.test(text) || easterClosings.includes(text);
}

/** Good Friday and Easter Monday. */
const easterClosings = [
  ['2014-04-18', '2014-04-21', '2015-04-03', '2015-04-06', '2016-03-25', '2016-03-28', '2017-04-14', '2017-04-17'],
  ['2018-03-30', '2018-04-02', '2019-04-19', '2019-04-22', '2020-04-10', '2020-04-13', '2021-04-02', '2021-04-05'],
  ['2022-04-15', '2022-04-18', '2023-04-07', '2023-04-10', '2024-03-29', '2024-04-01', '2025-04-18', '2025-04-21'],
  ['2026-04-03', '2026-04-06', '2027-03-26', '2027-03-29', '2028-04-14', '2028-04-17', '2029-03-30', '2029-04-02'],
  ['2030-04-19', '2030-04-22', '2031-04-11', '2031-04-14', '2032-03-26', '2032-03-29'],
].flat();

function amountOf(row: Transaction, own: Transaction): Money | null {
  const { type, assetClass, on } = row;
  const priced = row.amount === null && trades.includes(type) && !unpriced.includes(assetClass);
  // The value of a fee must be known before the remainder is computed.
  if (!priced || (row.fee !== null && own.fee === null)) return own.amount;
  const received = type === 'trade' ? worth(row.receivedAsset, row.receivedQuantity, on) : null;
  const withheld = type === 'trade' && row.feeAsset === row.asset ? (row.feeQuantity ?? 0n) : 0n;
  return received ?? worth(row.asset, row.quantity === null ? null : row.quantity - withheld, on);
}

function feeOf(row: Transaction, own: Transaction): Money | null {
  return row.fee === null ? worth(row.feeAsset, row.feeQuantity, row.on) : own.fee;
}

function marketValueOf(row: Transaction, own: Transaction): Money | null {
  if (row.type !== 'inherit' || row.fmv !== null) return own.fmv;
  return worth(row.asset, row.quantity, row.acquired ?? row.on);
}

function worth(asset: string, quantity: bigint | null, on: Day): Money | null {
  const price = priceOf(asset, on);
  if (asset === '' || quantity === null || quantity <= 0n || price === undefined) return null;
  return moneyOf(units(quantity).times(price));
}

function moneyOf(value: Exact): Money {
  return BigInt(value.times('1e8').toDecimalPlaces(0, Exact.ROUND_HALF_UP).toFixed(0)) as Money;
}

const unpriced: readonly Transaction['assetClass'][] = ['option', 'section_1256', 'future'];
const incomes = ['dividend', 'interest', 'staking', 'mining', 'airdrop', 'reward', 'wages', 'other_income', 'reinvest'];
const trades: readonly string[] = ['trade', 'buy', 'sell', 'spend', 'fee', ...incomes];

/** Returns the prices that a history may have used, for messages. */
export function priceTexts(history: readonly Transaction[]): string[] {
  const needs = history.flatMap((row) => listPriceNeeds(row));
  const texts = needs.map(({ asset, day }) => `price ${formatDay(day)} ${asset} ${priceOf(asset, day) ?? 'not known'}`);
  return [...new Set(texts)];
}
