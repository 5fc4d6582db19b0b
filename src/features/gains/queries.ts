import type { Sql } from '../../db/connection.ts';

import type { TransactionRow } from '../transactions/columns.ts';
import type { StoredSettings } from '../transactions/elections.ts';
import { transactionColumns } from '../transactions/queries.ts';
import type { LotColumns } from './facts/columns.ts';
import type { BookScope } from './facts/queries.ts';
import type { LotRow } from './facts/rows.ts';

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
  if (row === undefined) throw new Error('A taxpayer without a row.');
  return row;
}

export async function updateRevision(sql: Sql, taxpayerId: string, revision: string): Promise<void> {
  await sql`
    update taxpayers set revision = ${revision}::bigint where id = ${taxpayerId} and revision <> ${revision}::bigint`;
}

/** The sum of the digests of all transactions. */
export async function selectContent(sql: Sql, taxpayerId: string): Promise<string> {
  const [row] = await sql<{ content: string }[]>`select content from ledgers where taxpayer_id = ${taxpayerId}`;
  return row?.content ?? '0';
}

export async function selectLinks(sql: Sql, taxpayerId: string): Promise<[string, string][]> {
  const rows = await sql<{ links: string }[]>`
    select distinct links from transactions where taxpayer_id = ${taxpayerId} and links is not null`;
  return rows.flatMap((row) => JSON.parse(row.links) as [string, string][]);
}

/** Every key that a transaction moves. */
export async function selectKeys(sql: Sql, taxpayerId: string): Promise<string[]> {
  const rows = await sql<{ asset_key: string }[]>`
    select distinct k.asset_key from transactions t,
      lateral (values (t.asset_key), (t.second_key), (t.third_key), (t.fourth_key)) as k (asset_key)
    where t.taxpayer_id = ${taxpayerId} and k.asset_key is not null`;
  return rows.map((row) => row.asset_key);
}

export async function selectBooks(sql: Sql, taxpayerId: string): Promise<{ asset_key: string; book: string }[]> {
  return sql<{ asset_key: string; book: string }[]>`
    select asset_key, book from books where taxpayer_id = ${taxpayerId}`;
}

export async function insertBook(sql: Sql, scope: BookScope, keys: readonly string[]): Promise<void> {
  await sql`
    insert into books (taxpayer_id, asset_key, book)
    select ${scope.taxpayerId}, key, ${scope.book} from unnest(${keys as string[]}::text[]) as key
    on conflict (taxpayer_id, asset_key) do update set book = excluded.book`;
}

export async function deleteBook(sql: Sql, scope: BookScope): Promise<void> {
  await sql`delete from books where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book}`;
}

/** The last state that still holds for days from `before` on. */
export async function selectCheckpoint(
  sql: Sql,
  scope: BookScope,
  before: string,
  stamp: { readonly engine: string; readonly rules: string },
): Promise<{ day: string; state: Uint8Array } | undefined> {
  const [row] = await sql<{ day: string; state: Uint8Array }[]>`
    select day, state from checkpoints
    where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book} and day < ${before}
      and engine = ${stamp.engine} and rules = ${stamp.rules}
    order by day desc limit 1`;
  return row;
}

/** Those after a day and, of those of the day's own year, the earlier ones: one a year is kept, the last. */
export async function deleteCheckpoints(sql: Sql, scope: BookScope, after: string | null): Promise<void> {
  await sql`
    delete from checkpoints
    where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book} and (${after}::date is null or day > ${after}::date)`;
}

export interface CheckpointRow {
  readonly day: string;
  readonly state: Uint8Array;
}

export async function insertCheckpoints(
  sql: Sql,
  scope: BookScope,
  stamp: { readonly engine: string; readonly rules: string },
  checkpoints: readonly CheckpointRow[],
): Promise<void> {
  await Promise.all(
    checkpoints.map(
      ({ day, state }) => sql`
        insert into checkpoints (taxpayer_id, book, day, engine, rules, state)
        values (${scope.taxpayerId}, ${scope.book}, ${day}, ${stamp.engine}, ${stamp.rules}, ${state})
        on conflict (taxpayer_id, book, day) do update
          set engine = excluded.engine, rules = excluded.rules, state = excluded.state`,
    ),
  );
}

/** One a year is enough to come back to, the last; and of big ones only those of the last years. */
export async function thinCheckpoints(
  sql: Sql,
  scope: BookScope,
  big: { readonly bytes: number; readonly kept: number },
): Promise<void> {
  await sql`
    delete from checkpoints c
    using (
      select day, octet_length(state) > ${big.bytes} as big,
        row_number() over (partition by extract(year from day) order by day desc) as of_year,
        dense_rank() over (order by extract(year from day) desc) as of_years
      from checkpoints where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book}
    ) ranked
    where c.taxpayer_id = ${scope.taxpayerId} and c.book = ${scope.book} and c.day = ranked.day
      and (ranked.of_year > 1 or (ranked.big and ranked.of_years > ${big.kept}))`;
}

/** What moves a book after a day, all of it where the day is null. */
export async function selectHistory(
  sql: Sql,
  taxpayerId: string,
  keys: readonly string[],
  after: string | null,
): Promise<TransactionRow[]> {
  const list = sql`any(${keys as string[]}::text[])`;
  return sql<TransactionRow[]>`
    select ${transactionColumns(sql)} from transactions t
    where t.taxpayer_id = ${taxpayerId} and (${after}::date is null or t.on_day > ${after}::date)
      and (t.asset_key = ${list} or t.second_key = ${list} or t.third_key = ${list} or t.fourth_key = ${list})`;
}

export async function selectBookLots(sql: Sql, scope: BookScope): Promise<LotRow[]> {
  return sql<LotRow[]>`
    select id, asset, asset_class as "assetClass", account, quantity, basis, acquired, held_since as "heldSince", inherited
    from lots where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book}`;
}

export async function deleteLots(sql: Sql, scope: BookScope, ids: readonly string[]): Promise<void> {
  await sql`
    delete from lots
    where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book} and id = any(${ids as string[]}::text[])`;
}

export async function upsertLots(sql: Sql, scope: BookScope, c: LotColumns): Promise<void> {
  await sql`
    insert into lots (
      taxpayer_id, book, id, asset, asset_class, account, quantity, basis, acquired, held_since, inherited
    )
    select ${scope.taxpayerId}, ${scope.book}, r.* from unnest(
      ${c.id}::text[], ${c.asset}::text[], ${c.assetClass}::text[], ${c.account}::text[], ${c.quantity}::numeric[],
      ${c.basis}::numeric[], ${c.acquired}::date[], ${c.heldSince}::date[], ${c.inherited}::text[]::boolean[]
    ) as r
    on conflict (taxpayer_id, id) do update set
      book = excluded.book, asset = excluded.asset, asset_class = excluded.asset_class, account = excluded.account,
      quantity = excluded.quantity, basis = excluded.basis, acquired = excluded.acquired,
      held_since = excluded.held_since, inherited = excluded.inherited`;
}

export interface BookYear {
  readonly year: number;
  readonly summary: string;
}

/** The years of a book become these; years that are not named stay. */
export async function replaceBookYears(
  sql: Sql,
  scope: BookScope,
  years: readonly number[],
  summaries: readonly BookYear[],
): Promise<void> {
  const kept = summaries.map((one) => one.year);
  await sql`
    delete from book_years
    where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book} and year = any(${years as number[]}::integer[])
      and year <> all(${kept}::integer[])`;
  if (summaries.length === 0) return;
  await sql`
    insert into book_years (taxpayer_id, book, year, summary)
    select ${scope.taxpayerId}, ${scope.book}, year, summary
    from unnest(${kept}::integer[], ${summaries.map((one) => one.summary)}::text[]) as r (year, summary)
    on conflict (taxpayer_id, book, year) do update set summary = excluded.summary
    where book_years.summary <> excluded.summary`;
}

export async function selectBookYears(sql: Sql, taxpayerId: string, years: readonly number[]): Promise<BookYear[]> {
  return sql<BookYear[]>`
    select year, summary from book_years
    where taxpayer_id = ${taxpayerId} and year = any(${years as number[]}::integer[]) order by year, book`;
}

export interface YearRow {
  readonly year: number;
  readonly summary: string;
  readonly carryover: string;
}

export async function selectYears(sql: Sql, taxpayerId: string): Promise<YearRow[]> {
  return sql<YearRow[]>`
    select year, summary, carryover from year_summaries where taxpayer_id = ${taxpayerId} order by year`;
}

export async function deleteYears(sql: Sql, taxpayerId: string, years: readonly number[]): Promise<void> {
  await sql`delete from year_summaries where taxpayer_id = ${taxpayerId} and year = any(${years as number[]}::integer[])`;
}

export async function upsertYears(sql: Sql, taxpayerId: string, rows: readonly YearRow[]): Promise<void> {
  await sql`
    insert into year_summaries (taxpayer_id, year, summary, carryover)
    select ${taxpayerId}, year, summary, carryover from unnest(
      ${rows.map((row) => row.year)}::integer[], ${rows.map((row) => row.summary)}::text[],
      ${rows.map((row) => row.carryover)}::text[]
    ) as r (year, summary, carryover)
    on conflict (taxpayer_id, year) do update set summary = excluded.summary, carryover = excluded.carryover`;
}

export async function selectLastDay(sql: Sql, taxpayerId: string): Promise<string | null> {
  const [row] = await sql<{ day: string }[]>`
    select on_day as day from transactions where taxpayer_id = ${taxpayerId} order by on_day desc limit 1`;
  return row?.day ?? null;
}

export async function countIssues(sql: Sql, taxpayerId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from issues where taxpayer_id = ${taxpayerId}`;
  return row?.count ?? 0;
}

export async function updateSettings(sql: Sql, taxpayerId: string, settings: StoredSettings): Promise<void> {
  await sql`update taxpayers set settings = ${sql.json(settings as never)} where id = ${taxpayerId}`;
}

/** Of each book the last state not after a day. */
export async function selectCheckpointsOn(
  sql: Sql,
  taxpayerId: string,
  on: string,
  stamp: { readonly engine: string; readonly rules: string },
): Promise<{ book: string; state: Uint8Array }[]> {
  return sql<{ book: string; state: Uint8Array }[]>`
    select distinct on (book) book, state from checkpoints
    where taxpayer_id = ${taxpayerId} and day <= ${on} and engine = ${stamp.engine} and rules = ${stamp.rules}
    order by book, day desc`;
}

/** What moves each book after that state, until the end of the day. */
export async function selectHistoriesUntil(
  sql: Sql,
  taxpayerId: string,
  on: string,
  stamp: { readonly engine: string; readonly rules: string },
): Promise<(TransactionRow & { readonly book: string })[]> {
  return sql<(TransactionRow & { readonly book: string })[]>`
    with last as (
      select book, max(day) as day from checkpoints
      where taxpayer_id = ${taxpayerId} and day <= ${on} and engine = ${stamp.engine} and rules = ${stamp.rules}
      group by book
    )
    select distinct on (b.book, t.id) b.book, ${transactionColumns(sql)}
    from books b
    left join last on last.book = b.book
    join transactions t on t.taxpayer_id = b.taxpayer_id and t.on_day <= ${on}
      and (last.day is null or t.on_day > last.day)
      and (t.asset_key = b.asset_key or t.second_key = b.asset_key or t.third_key = b.asset_key or t.fourth_key = b.asset_key)
    where b.taxpayer_id = ${taxpayerId}`;
}

/** The first import that told each transaction. */
export async function selectSources(
  sql: Sql,
  taxpayerId: string,
  ids: readonly string[],
): Promise<{ id: string; import_id: string; file: string; line: number }[]> {
  return sql<{ id: string; import_id: string; file: string; line: number }[]>`
    select distinct on (s.transaction_id) s.transaction_id as id, s.import_id, coalesce(i.file_name, i.format, '') as file, s.line
    from transaction_sources s
    join imports i on i.taxpayer_id = s.taxpayer_id and i.id = s.import_id
    where s.taxpayer_id = ${taxpayerId} and s.transaction_id = any(${ids as string[]}::uuid[])
    order by s.transaction_id, i.sequence`;
}

export async function selectAllTransactions(sql: Sql, taxpayerId: string): Promise<TransactionRow[]> {
  return sql<TransactionRow[]>`
    select ${transactionColumns(sql)} from transactions t where t.taxpayer_id = ${taxpayerId}`;
}
