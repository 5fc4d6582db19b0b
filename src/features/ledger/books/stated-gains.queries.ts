import type { Sql } from '../../../db/connection.ts';
import type { TransactionType } from '../../../engine/model.ts';
import { factFields } from './facts/facts.queries.ts';
import type { RowOf } from './facts/tables.ts';

/** A sale in dollars whose source states the gain. */
export interface StatedSaleRow {
  readonly id: string;
  readonly on_day: string;
  readonly type: TransactionType;
  readonly account: string;
  readonly asset: string;
  readonly quantity: string | null;
  readonly amount: string | null;
  readonly fee: string | null;
  readonly stated_gain: string;
  readonly book: string;
}

/** Selects the sales with stated gains. `assets` is null for all assets. */
const salesWithStatedGains = (sql: Sql, taxpayerId: string, assets: readonly string[] | null) => sql`
  t.taxpayer_id = ${taxpayerId} and t.stated_gain is not null and t.currency in ('USD', '')
  ${assets === null ? sql`` : sql`and t.asset = any(${assets as string[]}::text[])`}`;

/** Selects the books that contain sales with stated gains. */
export async function selectStatingBooks(
  sql: Sql,
  taxpayerId: string,
  assets: readonly string[] | null,
): Promise<string[]> {
  const rows = await sql<{ book: string }[]>`
    select distinct b.book from transactions t
    join books b on b.taxpayer_id = t.taxpayer_id and b.asset_key = t.asset_key
    where ${salesWithStatedGains(sql, taxpayerId, assets)} order by b.book`;
  return rows.map(({ book }) => book);
}

/**
 * Selects the sales with stated gains. With `books`, selects only sales whose stated gain differs from the stored lines
 * by a cent or more.
 */
export async function selectStatedSales(
  sql: Sql,
  taxpayerId: string,
  assets: readonly string[] | null,
  books: readonly string[] | null,
): Promise<StatedSaleRow[]> {
  const lines = sql`
    join (
      select d.sale_id, sum(d.proceeds - d.basis) as gain from disposals d
      where d.taxpayer_id = ${taxpayerId} and d.book = any(${books as string[]}::text[])
      group by d.sale_id
    ) s on s.sale_id = t.id::text and abs(t.stated_gain - s.gain) > 0.01`;
  return sql<StatedSaleRow[]>`
    select t.id, t.on_day, t.type, t.account, t.asset, t.quantity, t.amount, t.fee, t.stated_gain, b.book
    from transactions t
    join books b on b.taxpayer_id = t.taxpayer_id and b.asset_key = t.asset_key
    ${books === null ? sql`` : lines}
    where ${salesWithStatedGains(sql, taxpayerId, assets)}
    order by t.on_day, t.id`;
}

export async function selectLinesOfSales(
  sql: Sql,
  taxpayerId: string,
  books: readonly string[],
  sales: readonly string[],
) {
  return sql<RowOf<'disposal'>[]>`
    select ${factFields(sql, 'disposal')} from disposals
    where taxpayer_id = ${taxpayerId} and book = any(${books as string[]}::text[])
      and sale_id = any(${sales as string[]}::text[])
    order by on_day, id`;
}

export async function selectWashesOfBooks(sql: Sql, taxpayerId: string, books: readonly string[]) {
  return sql<RowOf<'wash'>[]>`
    select ${factFields(sql, 'wash')} from wash_sales
    where taxpayer_id = ${taxpayerId} and book = any(${books as string[]}::text[])
    order by on_day, id`;
}

/** Selects the rows in dollars that opened lots. */
export async function selectOpenings(
  sql: Sql,
  taxpayerId: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly quantity: string | null; readonly fee: string | null }[]> {
  return sql<{ id: string; quantity: string | null; fee: string | null }[]>`
    select id, quantity, fee from transactions
    where taxpayer_id = ${taxpayerId} and id = any(${ids as string[]}::uuid[]) and currency in ('USD', '')`;
}

export async function selectKeysOfBook(sql: Sql, taxpayerId: string, book: string): Promise<string[]> {
  const rows = await sql<{ asset_key: string }[]>`
    select asset_key from books where taxpayer_id = ${taxpayerId} and book = ${book} order by asset_key`;
  return rows.map((row) => row.asset_key);
}
