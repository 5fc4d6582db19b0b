import type { Sql } from '../../../db/connection.ts';
import { booksDeleted } from '../../../db/database-refusals.ts';
import type { TransactionType } from '../../../engine/model.ts';
import type { StoredSettings } from '../transactions/elections.ts';
import {
  isUnzonedNearNewYear,
  isZoned,
  type SqlPart,
  type TransactionRow,
  transactionColumns,
} from '../transactions/rows.queries.ts';
import { rowSources } from '../transactions/transactions.queries.ts';
import type { RowOf } from './fact-tables.ts';
import { factFields } from './facts.queries.ts';

export interface TaxpayerRow {
  readonly settings: StoredSettings;
  readonly time_zone: string;
  readonly revision: string;
  readonly name: string;
  readonly taxpayer_name: string;
  readonly tin: string;
}

export async function selectTaxpayer(sql: Sql, taxpayerId: string): Promise<TaxpayerRow> {
  const [row] = await sql<TaxpayerRow[]>`
    select settings, time_zone, revision, name, taxpayer_name, tin from taxpayers where id = ${taxpayerId}`;
  if (row === undefined) throw booksDeleted();
  return row;
}

export async function updateRevision(sql: Sql, taxpayerId: string, revision: string): Promise<void> {
  await sql`
    update taxpayers set revision = ${revision}::bigint where id = ${taxpayerId} and revision <> ${revision}::bigint`;
}

/** Marks the books as calculated. Returns the sum of the digests of all transactions. */
export async function updateLedger(
  sql: Sql,
  taxpayerId: string,
  { engine, through }: { readonly engine: string; readonly through: string | null },
): Promise<string> {
  const [row] = await sql<{ content: string }[]>`
    update ledgers set engine = ${engine}, through = ${through} where taxpayer_id = ${taxpayerId} returning content`;
  return row?.content ?? '0';
}

export async function selectLinks(sql: Sql, taxpayerId: string): Promise<[string, string][]> {
  const rows = await sql<{ links: string }[]>`
    select distinct links from transactions where taxpayer_id = ${taxpayerId} and links is not null`;
  return rows.flatMap((row) => JSON.parse(row.links) as [string, string][]);
}

export async function selectBooks(sql: Sql, taxpayerId: string) {
  return sql<{ asset_key: string; book: string }[]>`
    select asset_key, book from books where taxpayer_id = ${taxpayerId}`;
}

/**
 * Selects the issues that belong to no book and have these names, and the issues about units that were sold but not
 * held.
 */
export async function selectUnbookedIssues(sql: Sql, taxpayerId: string, names: readonly string[]) {
  return sql<(RowOf<'issue'> & { readonly book: string })[]>`
    select book, ${factFields(sql, 'issue')} from issues
    where taxpayer_id = ${taxpayerId} and (issue = 'oversold' or book = any(${names as string[]}::text[]))
    order by on_day, id`;
}

/** Selects the security numbers in imported files, with the asset names used there. */
export async function selectSecurityNumbers(sql: Sql, taxpayerId: string) {
  return sql<{ asset: string; number: string }[]>`
    select distinct n.asset, n.number
    from imports i, lateral jsonb_to_recordset(i.security_numbers) as n (asset text, number text)
    where i.taxpayer_id = ${taxpayerId} and i.security_numbers <> '[]'::jsonb
    order by n.asset, n.number`;
}

/** Sums the gains and losses from the lines of these assets by account and year. */
export async function selectLinesOfNames(sql: Sql, taxpayerId: string, names: readonly string[]) {
  return sql<{ asset: string; account: string; on: string; sale: string; losses: string; gains: string }[]>`
    select asset, account, min(on_day)::text as on, (array_agg(sale_id order by on_day, sale_id))[1] as sale,
      sum(greatest(basis - proceeds, 0))::text as losses, sum(greatest(proceeds - basis, 0))::text as gains
    from disposals where taxpayer_id = ${taxpayerId} and asset = any(${names as string[]}::text[])
    group by asset, account, extract(year from on_day)
    order by asset, account, min(on_day)`;
}

/** Selects the first line or income for each account and year, and the total. */
export async function selectAccountYears(sql: Sql, taxpayerId: string, accounts: readonly string[]) {
  const condition = sql`taxpayer_id = ${taxpayerId} and account = any(${accounts as string[]}::text[])`;
  return sql<{ account: string; on: string; asset: string; transaction: string; dollars: string }[]>`
    with taxed as (
      select account, on_day, id, asset, sale_id as row, abs(proceeds - basis + adjustment) as dollars
      from disposals where ${condition}
      union all
      select account, on_day, id, asset, transaction_id, abs(round(amount, 2)) from incomes where ${condition}
      union all
      select account, on_day, id, asset, transaction_id, abs(gain) from contracts_1256 where ${condition}
    )
    select account, min(on_day)::text as on, (array_agg(asset order by on_day, id))[1] as asset,
      (array_agg(row order by on_day, id))[1] as transaction, sum(dollars)::text as dollars
    from taxed group by account, extract(year from on_day) order by account, extract(year from on_day)`;
}

/** Selects the rows dated near New Year's whose time zone no import states, each with its day. */
export async function selectNearNewYear(sql: Sql, taxpayerId: string): Promise<{ id: string; on: string }[]> {
  return sql<{ id: string; on: string }[]>`
    with recursive ${activeYears(sql, taxpayerId)}
    select t.id::text as id, t.on_day::text as on from transactions t
    where t.taxpayer_id = ${taxpayerId} and t.on_day = any(array(
        select make_date(y.year, d.month, d.day) from years y, (values (1, 1), (12, 31)) as d (month, day)
        where y.year is not null
      )) and ${isUnzonedNearNewYear(sql)}`;
}

/**
 * Selects the taxed amounts of these rows by the day of the event. A fact may be dated some days later, at the
 * settlement.
 */
export async function selectTaxed(
  sql: Sql,
  taxpayerId: string,
  rows: readonly { readonly id: string; readonly on: string }[],
): Promise<{ transaction: string; on: string; asset: string; account: string; dollars: string }[]> {
  if (rows.length === 0) return [];
  const of = (row: 'sale_id' | 'transaction_id') => sql`
    taxpayer_id = ${taxpayerId} and ${sql(row)} = any(${rows.map(({ id }) => id)}::text[])
      and on_day = any(array(
        select day + days from unnest(${[...new Set(rows.map(({ on }) => on))]}::date[]) day, generate_series(0, 14) days
      ))`;
  return sql<{ transaction: string; on: string; asset: string; account: string; dollars: string }[]>`
    select transaction, caused_on::text as on, asset, account, sum(dollars)::text as dollars from (
      select sale_id as transaction, caused_on, asset, account, abs(proceeds - basis + adjustment) as dollars
      from disposals where ${of('sale_id')}
      union all
      select transaction_id, caused_on, asset, account, abs(round(amount, 2)) from incomes where ${of('transaction_id')}
      union all
      select transaction_id, caused_on, asset, account, abs(gain) from contracts_1256 where ${of('transaction_id')}
    ) taxed
    group by transaction, caused_on, asset, account`;
}

/** Selects the row that caused the last line before a day. */
export async function selectLastSale(sql: Sql, taxpayerId: string, before: string): Promise<string | undefined> {
  const [row] = await sql<{ sale_id: string }[]>`
    select sale_id from disposals where taxpayer_id = ${taxpayerId} and on_day < ${before}
    order by on_day desc, id desc limit 1`;
  return row?.sale_id;
}

/** Selects the years of all rows. */
export async function selectActiveYears(sql: Sql, taxpayerId: string): Promise<number[]> {
  const rows = await sql<{ year: number }[]>`
    with recursive ${activeYears(sql, taxpayerId)}
    select year from years where year is not null order by year`;
  return rows.map((row) => row.year);
}

/**
 * The years of all rows, and null at the end. Uses the index on days to jump from one year to the next, because there
 * are few years and many rows.
 */
const activeYears = (sql: Sql, taxpayerId: string) => {
  const from = (start: SqlPart) => sql`
    select extract(year from t.on_day)::integer from transactions t
    where t.taxpayer_id = ${taxpayerId} and t.on_day >= ${start} order by t.on_day limit 1`;
  return sql`years (year) as (
    (${from(sql`'-infinity'::date`)})
    union all
    select (${from(sql`make_date(years.year + 1, 1, 1)`)}) from years where years.year is not null
  )`;
};

/** Selects the engine version that calculated the books. Null if unknown, undefined if there are no books. */
export async function selectEngine(sql: Sql, taxpayerId: string): Promise<string | null | undefined> {
  const [row] = await sql<{ engine: string | null }[]>`select engine from ledgers where taxpayer_id = ${taxpayerId}`;
  return row?.engine;
}

/** A taxpayer whose books a different engine version calculated. */
export interface StaleTaxpayer {
  readonly id: string;
  /** The number of transactions. */
  readonly rows: number;
}

/** Selects the next of these taxpayers, by id. */
export async function selectStaleTaxpayers(sql: Sql, engine: string, after: string, limit: number) {
  return sql<StaleTaxpayer[]>`
    select l.taxpayer_id as id, t.transactions_stored as rows
    from ledgers l join taxpayers t on t.id = l.taxpayer_id
    where l.engine is distinct from ${engine} and l.taxpayer_id > ${after}
    order by l.taxpayer_id limit ${limit}`;
}

export async function countStaleTaxpayers(sql: Sql, engine: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from ledgers where engine is distinct from ${engine}`;
  return row?.count ?? 0;
}

export async function selectLastDay(sql: Sql, taxpayerId: string): Promise<string | null> {
  const [row] = await sql<{ day: string }[]>`
    select on_day as day from transactions where taxpayer_id = ${taxpayerId} order by on_day desc limit 1`;
  return row?.day ?? null;
}

/**
 * Selects the assets of books that contain a loss whose wash sale window has closed by the day of the last row. If that
 * day moved back from `reopened`, also selects the assets of losses whose window may be open again.
 */
export async function selectWindowKeys(
  sql: Sql,
  taxpayerId: string,
  { through, reopened }: { readonly through: string; readonly reopened: string | null },
): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select b.asset_key as key from books b
    where b.taxpayer_id = ${taxpayerId} and b.book in (
      select i.book from issues i
      where i.taxpayer_id = ${taxpayerId} and i.issue = 'wash_window_open' and i.caused_on <= ${through}
      union
      select d.book from disposals d
      where d.taxpayer_id = ${taxpayerId} and d.proceeds - d.basis + d.adjustment < 0
        and d.on_day between ${through}::date - 30 and ${reopened}::date
    )`;
  return rows.map((row) => row.key);
}

/** Selects the types of some transactions. */
export async function selectTypes(
  sql: Sql,
  taxpayerId: string,
  ids: readonly string[],
): Promise<{ id: string; type: TransactionType }[]> {
  if (ids.length === 0) return [];
  return sql<{ id: string; type: TransactionType }[]>`
    select id, type from transactions where taxpayer_id = ${taxpayerId} and id = any(${ids as string[]}::uuid[])`;
}

/** Selects the opportunity funds in which gains were invested, and the days of the investments. */
export function selectInvestments(sql: Sql, taxpayerId: string) {
  return sql<{ key: string; invested: string }[]>`
    select distinct asset_key as key, on_day as invested from transactions
    where taxpayer_id = ${taxpayerId} and type = 'defer_gain'`;
}

export async function updateSettings(sql: Sql, taxpayerId: string, settings: StoredSettings): Promise<void> {
  await sql`update taxpayers set settings = ${sql.json(settings as never)} where id = ${taxpayerId}`;
}

/** Selects the rows of each book that come after its state, through the end of the day. */
export async function selectHistoriesUntil(
  sql: Sql,
  taxpayerId: string,
  { from, until }: { readonly from: string; readonly until: string },
  stamp: { readonly engine: string; readonly rules: string },
) {
  return sql<(TransactionRow & { readonly book: string })[]>`
    with last as (
      select book, max(day) as day from checkpoints
      where taxpayer_id = ${taxpayerId} and day <= ${from} and engine = ${stamp.engine} and rules = ${stamp.rules}
      group by book
    )
    select distinct on (b.book, t.id) b.book, ${transactionColumns(sql)}, ${isZoned(sql)} as zoned
    from books b
    left join last on last.book = b.book
    join transactions t on t.taxpayer_id = b.taxpayer_id and t.on_day <= ${until}
      and (last.day is null or t.on_day > last.day)
      and (t.asset_key = b.asset_key or t.second_key = b.asset_key or t.third_key = b.asset_key or t.fourth_key = b.asset_key)
    where b.taxpayer_id = ${taxpayerId}`;
}

/** Selects the first import that contained each transaction. */
export async function selectSources(sql: Sql, taxpayerId: string, ids: readonly string[]) {
  return sql<{ id: string; import_id: string; file: string; line: number }[]>`
    select distinct on (s.transaction_id) s.transaction_id as id, s.import_id, coalesce(i.file_name, i.format, '') as file, s.line
    from ${rowSources(sql)} s
    join imports i on i.taxpayer_id = s.taxpayer_id and i.id = s.import_id
    where s.taxpayer_id = ${taxpayerId} and s.transaction_id = any(${ids as string[]}::uuid[])
    order by s.transaction_id, i.sequence`;
}

/** Selects a year's rows from Forms 1099. */
export async function selectReported(sql: Sql, taxpayerId: string, year: number) {
  return sql<TransactionRow[]>`
    select ${transactionColumns(sql)} from transactions t
    where t.taxpayer_id = ${taxpayerId} and t.type in ('reported_sale', 'reported_total')
      and t.on_day >= ${`${year}-01-01`} and t.on_day < ${`${year + 1}-01-01`}
    order by t.on_day, t.line, tie, t.id`;
}

/** Selects the years with rows from Forms 1099, in ascending order. */
export async function selectYearsOfForms(sql: Sql, taxpayerId: string): Promise<number[]> {
  const rows = await sql<{ year: number }[]>`
    select distinct extract(year from on_day)::int as year from transactions
    where taxpayer_id = ${taxpayerId} and type in ('reported_sale', 'reported_total') order by year`;
  return rows.map(({ year }) => year);
}

export async function selectAllTransactions(sql: Sql, taxpayerId: string) {
  return sql<TransactionRow[]>`
    select ${transactionColumns(sql)}, ${isZoned(sql)} as zoned
    from transactions t where t.taxpayer_id = ${taxpayerId}`;
}

/** Selects the columns of a `LotRow`. */
export const lotRowColumns = (sql: Sql) => sql`
  id, asset, asset_class as "assetClass", account, quantity, basis, acquired, held_since as "heldSince", inherited,
  purchase_unknown as "purchaseUnknown"`;

export interface BookYear {
  readonly year: number;
  readonly summary: string;
}

/** The totals of a book's facts for one year. */
export interface BookYearOf extends BookYear {
  readonly book: string;
}

export async function deleteBookYears(
  sql: Sql,
  taxpayerId: string,
  bookYears: readonly Pick<BookYearOf, 'book' | 'year'>[],
): Promise<void> {
  await sql`
    delete from book_years y
    using unnest(${bookYears.map((one) => one.book)}::text[], ${bookYears.map((one) => one.year)}::integer[]) as g (book, year)
    where y.taxpayer_id = ${taxpayerId} and y.book = g.book and y.year = g.year`;
}

export async function upsertBookYears(sql: Sql, taxpayerId: string, rows: readonly BookYearOf[]): Promise<void> {
  await sql`
    insert into book_years (taxpayer_id, book, year, summary)
    select me.id, r.* from taxpayers me, unnest(
      ${rows.map((one) => one.book)}::text[], ${rows.map((one) => one.year)}::integer[],
      ${rows.map((one) => one.summary)}::text[]
    ) as r (book, year, summary)
    where me.id = ${taxpayerId}
    on conflict (taxpayer_id, book, year) do update set summary = excluded.summary
    where book_years.summary <> excluded.summary`;
}

/** Selects the years of all books. */
export async function selectBookYears(sql: Sql, taxpayerId: string) {
  return sql<BookYear[]>`
    select year, summary from book_years where taxpayer_id = ${taxpayerId} order by year, book`;
}

/** Selects all years of some books. */
export async function selectSummaryYears(sql: Sql, taxpayerId: string, books: readonly string[]) {
  return sql<BookYearOf[]>`
    select book, year, summary from book_years
    where taxpayer_id = ${taxpayerId} and book = any(${books as string[]}::text[]) order by book, year`;
}

export interface YearRow {
  readonly year: number;
  readonly summary: string;
  readonly carryover: string;
}

export async function selectYears(sql: Sql, taxpayerId: string) {
  return sql<YearRow[]>`
    select year, summary, carryover from year_summaries where taxpayer_id = ${taxpayerId} order by year`;
}

export async function deleteYears(sql: Sql, taxpayerId: string, years: readonly number[]): Promise<void> {
  await sql`delete from year_summaries where taxpayer_id = ${taxpayerId} and year = any(${years as number[]}::integer[])`;
}

export async function upsertYears(sql: Sql, taxpayerId: string, rows: readonly YearRow[]): Promise<void> {
  await sql`
    insert into year_summaries (taxpayer_id, year, summary, carryover)
    select me.id, r.year, r.summary, r.carryover from taxpayers me, unnest(
      ${rows.map((row) => row.year)}::integer[], ${rows.map((row) => row.summary)}::text[],
      ${rows.map((row) => row.carryover)}::text[]
    ) as r (year, summary, carryover)
    where me.id = ${taxpayerId}
    on conflict (taxpayer_id, year) do update set summary = excluded.summary, carryover = excluded.carryover`;
}

/** A sale in dollars whose source states the gain. */
export type StatedSaleRow = Pick<
  TransactionRow,
  'id' | 'on_day' | 'account' | 'asset' | 'quantity' | 'amount' | 'fee'
> & { readonly type: TransactionType; readonly stated_gain: string; readonly book: string };

/** Selects the sales with stated gains. `assets` is null for all assets. */
const salesWithStatedGains = (sql: Sql, taxpayerId: string, assets: readonly string[] | null) => sql`
  t.taxpayer_id = ${taxpayerId} and t.stated_gain is not null and t.currency in ('USD', '')
  ${assets === null ? sql`` : sql`and t.asset = any(${assets as string[]}::text[])`}`;

/**
 * Selects the books that contain sales with stated gains. Finds the sales before it joins their books, because the
 * planner would read all rows of a large import that has no statistics yet.
 */
export async function selectStatingBooks(
  sql: Sql,
  taxpayerId: string,
  assets: readonly string[] | null,
): Promise<string[]> {
  const rows = await sql<{ book: string }[]>`
    with sales as materialized (
      select distinct t.asset_key from transactions t where ${salesWithStatedGains(sql, taxpayerId, assets)}
    )
    select distinct b.book from sales s join books b on b.taxpayer_id = ${taxpayerId} and b.asset_key = s.asset_key
    order by b.book`;
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
