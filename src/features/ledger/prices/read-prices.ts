import { formatQuantity, parseQuantity, quantityDecimals } from '../../../base/decimal.ts';
import { Refusal } from '../../../base/refusal.ts';
import { isUnclearDay, parseTypedDay, parseTypedMoney } from '../../../base/typed.ts';
import type { Sql } from '../../../db/connection.ts';
import { isCurrency } from '../../../formats/cells/currencies.ts';
import type { Row } from '../../../formats/format.ts';
import { readRows, rowLimits } from '../../../formats/rows/rows.ts';
import {
  invalidDay,
  invalidDecimal,
  ListedValues,
  openQuote,
  parseColumnNames,
  type RejectedValue,
} from '../../../http/csv-list.ts';
import type { Recompute } from '../transactions/change.ts';
import { type PriceQuote, upsertPrices } from './prices.queries.ts';
import { outdatedBooks } from './valuations.ts';

interface PricesRead {
  readonly prices: readonly PriceQuote[];
  readonly rows: number;
  /** The number of lines that repeat an earlier line. */
  readonly repeated: number;
  readonly rejected: number;
  readonly rejects: readonly RejectedValue[];
}

/**
 * Enough for about 500,000 prices. They are kept in memory until the whole file is read, so that no lock is held for a
 * slow sender.
 */
const fileBytesMax = 16 * 1024 ** 2;
const assetLengthMax = 200;

/**
 * Reads a CSV with the columns `date,asset,usd` as a stream. The header columns can be in any order and case, and
 * `asset` can be named `currency`. Rejects lines without a valid price, as an import does. Refuses a file without any
 * valid price.
 */
export async function readPrices(content: ReadableStream<Uint8Array>): Promise<PricesRead> {
  const list = new ListedValues<PriceQuote>('price', 'usd');
  let columns: PriceColumns | undefined;
  for await (const batch of readRows(content, { ...rowLimits, fileBytesMax })) {
    for (const row of batch) {
      if (columns === undefined) {
        columns = parsePriceHeader(row);
        continue;
      }
      list.rows += 1;
      const read = parsePriceRow(row, columns);
      if ('reason' in read) list.reject(read);
      else list.add(row.line, JSON.stringify([read.asset, read.day]), read);
    }
  }
  const prices = list.end();
  const { rows, repeated, rejected, rejects } = list;
  return { prices, rows, repeated, rejected, rejects };
}

interface PriceColumns {
  readonly date: number;
  readonly asset: number;
  readonly usd: number;
  /** The number of columns. */
  readonly all: number;
  /** Whether the asset column is named `currency`. */
  readonly ofCurrencies: boolean;
}

function parsePriceHeader(row: Row): PriceColumns {
  const names = parseColumnNames(row);
  const refused = (fault: string): Refusal => {
    const detail = `A price file must start with the header date,asset,usd. ${fault}`;
    return new Refusal('unknown_format', detail, { errors: [{ code: 'unknown_format', detail, line: row.line }] });
  };
  const [date, usd, asset, currency] = ['date', 'usd', 'asset', 'currency'].map((column) => {
    if (names.indexOf(column) !== names.lastIndexOf(column)) throw refused(`This file has the column ${column} twice.`);
    return names.indexOf(column);
  }) as [number, number, number, number];
  if (asset !== -1 && currency !== -1)
    throw refused('This file has both an asset and a currency column. Keep only one.');
  const columns = { date, asset: Math.max(asset, currency), usd };
  const missing = Object.entries(columns).flatMap(([name, at]) => (at === -1 ? [name] : []));
  if (missing.length > 0) throw refused(`This file has no column ${missing.join(', ')}.`);
  return { ...columns, all: names.length, ofCurrencies: currency !== -1 };
}

function parsePriceRow(row: Row, columns: PriceColumns): PriceQuote | RejectedValue {
  const createReject = (column: string | null, reason: string): RejectedValue => ({ line: row.line, column, reason });
  if (row.flaw !== undefined) return createReject(null, openQuote);
  if (row.cells.slice(columns.all).some((cell) => cell.trim() !== '')) {
    return createReject(null, 'this line has more columns than the header');
  }
  const cell = (at: number): string => (row.cells[at] ?? '').trim();
  const [date, asset, text] = [cell(columns.date), normalizeAsset(cell(columns.asset), columns), cell(columns.usd)];
  const day = parseTypedDay(date);
  if (day === undefined) return createReject('date', invalidDay);
  if (isUnclearDay(date))
    return createReject('date', `${date} can be two days: write it like 2025-12-31 or Dec 31, 2025`);
  if (asset === '') return createReject('asset', 'the asset is missing');
  if (asset.length > assetLengthMax)
    return createReject('asset', `the asset has more than ${assetLengthMax} characters`);
  if (asset === 'USD') return createReject('asset', 'US dollars need no price');
  if (text === '') return createReject('usd', 'the price is missing');
  const usd = parseQuantity(parseTypedMoney(text, quantityDecimals) ?? '');
  if (usd === undefined) return createReject('usd', invalidDecimal('price'));
  if (usd <= 0n) return createReject('usd', 'the price must be more than zero');
  return { day, asset, usd: formatQuantity(usd) };
}

/** Converts currency codes to uppercase. Other assets keep the name in the file. */
function normalizeAsset(text: string, { ofCurrencies }: PriceColumns): string {
  const isCode = isCurrency(text) || (ofCurrencies && /^[a-z]{3}$/i.test(text));
  return isCode ? text.toUpperCase() : text;
}

const rowsPerStatement = 10_000;

interface PricesStored {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  /** The number of books whose rows now have different prices. */
  readonly books: number;
}

/** Stores prices and recomputes the gains, in the caller's transaction and under the taxpayer's lock. */
export async function storePrices(
  sql: Sql,
  taxpayerId: string,
  quotes: readonly PriceQuote[],
  at: Date,
  recompute: Recompute,
): Promise<PricesStored> {
  const changed: { asset: string; day: string; added: boolean }[] = [];
  for (let from = 0; from < quotes.length; from += rowsPerStatement) {
    changed.push(...(await upsertPrices(sql, taxpayerId, quotes.slice(from, from + rowsPerStatement), at)));
  }
  const touched = changed.length === 0 ? new Map() : await outdatedBooks(sql, taxpayerId);
  if (touched.size > 0) await recompute(sql, taxpayerId, touched, { sources: 'same' });
  const added = changed.filter((price) => price.added).length;
  return {
    added,
    updated: changed.length - added,
    unchanged: quotes.length - changed.length,
    books: touched.size,
  };
}
