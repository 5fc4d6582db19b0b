import { type Day, formatDay } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import { withoutForeignReversed } from '../../../engine/events/corrections.ts';
import { listAssetKeys } from '../../../engine/events/keys.ts';
import type { Transaction } from '../../../engine/model.ts';
import { type Restatements, readRestatements, restate, setValues } from '../transactions/resolutions.ts';
import type { TransactionRow } from '../transactions/rows.queries.ts';
import { parseDayColumn, type TouchedKeys, toTransaction, touch } from '../transactions/rows.ts';
import { type Figure, inDollars, listPriceNeeds, type PriceNeed, withoutMet } from './price-needs.ts';
import {
  type KeyDays,
  type PriceAsk,
  type PriceRow,
  replaceValuations,
  selectToValue,
  selectValuations,
  type Valuation,
  type ValuationRow,
} from './prices.queries.ts';
import { listPriceSources, readPrices } from './sources.ts';

/**
 * Looks up the prices for the rows of these books again, before the books are recomputed. Stores each price that is
 * used, so that explanations can refer to it.
 */
export async function revalue(sql: Sql, taxpayerId: string, touched: TouchedKeys | 'all'): Promise<void> {
  const within = touched === 'all' ? null : toKeyDays(touched);
  const rows = (await selectToValue(sql, taxpayerId, within)).map(toTransaction);
  const restated = rows.length === 0 ? rows : restate(rows, await readRestatements(sql, taxpayerId));
  await replaceValuations(sql, taxpayerId, within, await loadValuations(sql, taxpayerId, restated));
}

/**
 * Returns a history as the engine reads it: with the taxpayer's answers applied, and in dollars as far as prices are
 * available.
 */
export async function addValuations(
  sql: Sql,
  taxpayerId: string,
  rows: readonly TransactionRow[],
): Promise<Transaction[]> {
  const restatements = await readRestatements(sql, taxpayerId);
  const [valued] = await valuedTransactions(sql, taxpayerId, [rows.map(toTransaction)], restatements);
  return valued as Transaction[];
}

/** Does the same as `addValuations` for transactions that are already parsed. */
export async function valuedTransactions(
  sql: Sql,
  taxpayerId: string,
  histories: readonly (readonly Transaction[])[],
  restatements: Restatements,
): Promise<Transaction[][]> {
  const restated = histories.map((rows) => [...withoutForeignReversed(restate(rows, restatements))]);
  const inNeed = restated.flatMap((rows) => rows.filter((one) => listPriceNeeds(one).length > 0).map((one) => one.id));
  const prices = inNeed.length === 0 ? [] : await selectValuations(sql, taxpayerId, [...new Set(inNeed)]);
  const used = Map.groupBy(prices, (row) => row.transaction_id);
  return restated.map((rows) =>
    setValues(
      rows.map((one) => pricedBy(one, used)),
      restatements,
    ),
  );
}

function pricedBy(one: Transaction, used: ReadonlyMap<string, readonly ValuationRow[]>): Transaction {
  const usedRows = used.get(one.id);
  return usedRows === undefined ? one : inDollars(one, new Map(usedRows.map((row) => [row.figure as Figure, row.usd])));
}

/**
 * Returns the books whose rows now have different prices than when they were last computed, each from the first
 * affected day.
 */
export async function outdatedBooks(sql: Sql, taxpayerId: string): Promise<TouchedKeys> {
  const touched = new Map<string, Day>();
  const rows = (await selectToValue(sql, taxpayerId, null)).map(toTransaction);
  if (rows.length === 0) return touched;
  const restated = restate(rows, await readRestatements(sql, taxpayerId));
  const ids = restated.map((tx) => tx.id);
  const valuationsByBook = Map.groupBy(await loadValuations(sql, taxpayerId, restated), (row) => row.transaction_id);
  const stored = Map.groupBy(await selectValuations(sql, taxpayerId, ids), (row) => row.transaction_id);
  for (const tx of restated) {
    if (serializeValuations(valuationsByBook.get(tx.id)) === serializeValuations(stored.get(tx.id))) continue;
    for (const key of listAssetKeys(tx)) touch(touched, key, tx.on);
  }
  return touched;
}

function serializeValuations(valuations: readonly ValuationRow[] = []): string {
  return valuations
    .map(({ figure, asset, day, usd, source }) => JSON.stringify([figure, asset, day, usd, source]))
    .sort()
    .join();
}

/** Returns the prices that a transaction still needs. */
export async function findMissingPrices(
  sql: Sql,
  taxpayerId: string,
  transaction: Transaction,
): Promise<readonly PriceNeed[]> {
  const needs = listPriceNeeds(transaction);
  if (needs.length === 0) return needs;
  const used = await selectValuations(sql, taxpayerId, [transaction.id]);
  return withoutMet(needs, new Set(used.map((row) => row.figure as Figure)));
}

async function loadValuations(sql: Sql, taxpayerId: string, rows: readonly Transaction[]): Promise<Valuation[]> {
  const needs = rows.flatMap((tx) => listPriceNeeds(tx).map((need) => ({ tx, need })));
  if (needs.length === 0) return [];
  const asks = needs.map(({ need }) => ({ ...need, sources: listPriceSources(need.kind).join(' ') }));
  const distinct = new Map(asks.map((ask) => [buildNeedKey(ask), { ...ask, day: formatDay(ask.day) }]));
  const prices = new Map<string, PriceRow>();
  for (const row of await readPrices(sql, taxpayerId, [...distinct.values()])) {
    prices.set(buildNeedKey({ ...row, day: parseDayColumn(row.asked) }), row);
  }
  const valuations = needs.flatMap(({ tx, need }) => {
    const price = prices.get(buildNeedKey({ ...need, sources: listPriceSources(need.kind).join(' ') }));
    return price === undefined ? [] : [buildValuation(tx, need, price)];
  });
  // Uses the value given up only if the value received is unknown.
  const received = new Set(valuations.filter((one) => one.figure === 'received').map((one) => one.transaction_id));
  return valuations.filter((one) => one.figure !== 'amount' || !received.has(one.transaction_id));
}

function buildValuation(tx: Transaction, need: PriceNeed, price: PriceRow): Valuation {
  return {
    transaction_id: tx.id,
    figure: need.figure,
    asset: need.asset,
    day: price.day,
    usd: price.usd,
    source: price.source,
    asset_key: listAssetKeys(tx)[0] ?? '',
    on_day: formatDay(tx.on),
  };
}

function buildNeedKey({ asset, day, within, sources }: Omit<PriceAsk, 'day'> & Pick<PriceNeed, 'day'>): string {
  return JSON.stringify([asset, day, within, sources]);
}

function toKeyDays(touched: TouchedKeys): KeyDays {
  return { keys: [...touched.keys()], days: [...touched.values()].map(formatDay) };
}
