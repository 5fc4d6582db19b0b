import { type Day, formatDay } from '../../base/day.ts';
import type { Sql } from '../../db/connection.ts';
import { withoutForeignReversed } from '../../engine/events/corrections.ts';
import { assetKeysOf } from '../../engine/events/keys.ts';
import type { Transaction } from '../../engine/model.ts';
import { dayOf, type TransactionRow, transactionOf } from '../transactions/columns.ts';
import { type Restatements, readRestatements, restate, setValues } from '../transactions/resolutions/restate.ts';
import { type Touched, touch } from '../transactions/touched.ts';
import { type Ask, asksOf, type Figure, inDollars } from './asks.ts';
import {
  type KeyDays,
  type PriceRow,
  replaceValuations,
  selectPrices,
  selectToValue,
  selectValuations,
  type Valuation,
} from './queries.ts';

/**
 * Looks up again which prices value the rows of these books, before anything is computed from them. What is kept is the
 * price that was used, so that an explanation can name it, and a state of the books has the prices in its name.
 */
export async function revalue(sql: Sql, taxpayerId: string, touched: Touched | 'all'): Promise<void> {
  const within = touched === 'all' ? null : keyDaysOf(touched);
  const rows = (await selectToValue(sql, taxpayerId, within)).map(transactionOf);
  const told = rows.length === 0 ? rows : restate(rows, await readRestatements(sql, taxpayerId));
  await replaceValuations(sql, taxpayerId, within, await valuationsOf(sql, taxpayerId, told));
}

/** A history as the engine reads it: with the taxpayer's answers, and in dollars as far as prices tell. */
export async function valuedOf(
  sql: Sql,
  taxpayerId: string,
  rows: readonly TransactionRow[],
  known?: Restatements,
): Promise<Transaction[]> {
  return valuedTold(sql, taxpayerId, rows.map(transactionOf), known ?? (await readRestatements(sql, taxpayerId)));
}

/** As valuedOf, of rows that have been read. */
export async function valuedTold(
  sql: Sql,
  taxpayerId: string,
  told: readonly Transaction[],
  restatements: Restatements,
): Promise<Transaction[]> {
  const transactions = [...withoutForeignReversed(restate(told, restatements))];
  return setValues(await pricedOf(sql, taxpayerId, transactions), restatements);
}

async function pricedOf(sql: Sql, taxpayerId: string, transactions: Transaction[]): Promise<Transaction[]> {
  const asking = transactions.filter((one) => asksOf(one).length > 0).map((one) => one.id);
  if (asking.length === 0) return transactions;
  const used = Map.groupBy(await selectValuations(sql, taxpayerId, asking), (row) => row.transaction_id);
  return transactions.map((one) => {
    const own = used.get(one.id);
    return own === undefined ? one : inDollars(one, new Map(own.map((row) => [row.figure as Figure, row.usd])));
  });
}

/** The books that new prices may change, each from the first day on which they do. */
export async function touchedBy(
  sql: Sql,
  taxpayerId: string,
  changed: readonly { readonly asset: string; readonly day: string }[],
): Promise<Touched> {
  const touched = new Map<string, Day>();
  const days = new Map<string, Day[]>();
  for (const { asset, day } of changed) days.set(asset, [...(days.get(asset) ?? []), dayOf(day)]);
  for (const row of await selectToValue(sql, taxpayerId, null)) {
    const tx = transactionOf(row);
    const reached = asksOf(tx).some((ask) =>
      (days.get(ask.asset) ?? []).some((day) => day <= ask.day && day >= ask.day - ask.within),
    );
    if (reached) for (const key of assetKeysOf(tx)) touch(touched, key, tx.on);
  }
  return touched;
}

/** What no price tells of a transaction that is not stated in dollars. */
export async function untoldOf(sql: Sql, taxpayerId: string, transaction: Transaction): Promise<readonly Ask[]> {
  const asks = asksOf(transaction);
  if (asks.length === 0) return asks;
  const used = new Set((await selectValuations(sql, taxpayerId, [transaction.id])).map((row) => row.figure));
  if (used.has('received')) used.add('amount');
  if (used.has('amount')) used.add('received');
  return asks.filter((ask) => !used.has(ask.figure));
}

async function valuationsOf(sql: Sql, taxpayerId: string, rows: readonly Transaction[]): Promise<Valuation[]> {
  const asked = rows.flatMap((tx) => asksOf(tx).map((ask) => ({ tx, ask })));
  if (asked.length === 0) return [];
  const distinct = new Map(asked.map(({ ask }) => [nameOf(ask), { ...ask, day: formatDay(ask.day) }]));
  const prices = new Map<string, PriceRow>();
  for (const row of await selectPrices(sql, taxpayerId, [...distinct.values()])) {
    prices.set(nameOf({ asset: row.asset, day: dayOf(row.asked), within: row.within }), row);
  }
  const found = asked.flatMap(({ tx, ask }) => {
    const price = prices.get(nameOf(ask));
    return price === undefined ? [] : [valuationOf(tx, ask, price)];
  });
  // What is given is looked at only where the value of what is received is not known.
  const received = new Set(found.filter((one) => one.figure === 'received').map((one) => one.transaction_id));
  return found.filter((one) => one.figure !== 'amount' || !received.has(one.transaction_id));
}

function valuationOf(tx: Transaction, ask: Ask, price: PriceRow): Valuation {
  return {
    transaction_id: tx.id,
    figure: ask.figure,
    asset: ask.asset,
    day: price.day,
    usd: price.usd,
    source: price.source,
    asset_key: assetKeysOf(tx)[0] ?? '',
    on_day: formatDay(tx.on),
  };
}

function nameOf({ asset, day, within }: Pick<Ask, 'asset' | 'day' | 'within'>): string {
  return JSON.stringify([asset, day, within]);
}

function keyDaysOf(touched: Touched): KeyDays {
  return { keys: [...touched.keys()], days: [...touched.values()].map(formatDay) };
}
