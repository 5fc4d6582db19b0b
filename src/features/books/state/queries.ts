import { arrayOf } from '../../../db/array.ts';
import type { Sql } from '../../../db/connection.ts';
import { extrasJson, isZoned, statesNoExtras, tieOf, transactionColumns } from '../../transactions/rows/queries.ts';
import type { TransactionRow } from '../../transactions/rows/statement-sql.ts';
import type { PackedRows } from '../facts/packed-rows.ts';

/** What a checkpoint must have been made by to be worth anything. */
export interface Stamp {
  readonly engine: string;
  readonly rules: string;
}

/** A state of a book without its lots, which are rows of their own. */
export interface CheckpointRow {
  readonly day: string;
  /** The book without its lots, deflated. */
  readonly state: Uint8Array;
  /** How many lots it has. */
  readonly lots: number;
  /** A digest of the facts of each day since the checkpoint before. */
  readonly days: string;
}

export interface NewCheckpoint extends CheckpointRow {
  /** A replay may resume from it. */
  readonly settled: boolean;
}

/** Of each book a day; null stands for none. */
export type BookDays = ReadonlyMap<string, string | null>;

export const bookDays = (sql: Sql, days: BookDays) =>
  sql`unnest(${[...days.keys()]}::text[], ${[...days.values()]}::date[]) as k (book, day)`;

/** The day of a checkpoint, and whether this engine and these rules made it. */
export interface CheckpointHead extends Pick<CheckpointRow, 'day' | 'lots'> {
  readonly valid: boolean;
}

/** All checkpoints of some books, oldest first. */
export async function selectCheckpointHeads(
  sql: Sql,
  taxpayerId: string,
  books: readonly string[],
  stamp: Stamp,
): Promise<(CheckpointHead & { readonly book: string })[]> {
  return sql<(CheckpointHead & { readonly book: string })[]>`
    select book, day, engine = ${stamp.engine} and rules = ${stamp.rules} as valid, lots from checkpoints
    where taxpayer_id = ${taxpayerId} and book = any(${books as string[]}::text[]) order by book, day`;
}

/** Of each book the checkpoint of a day. */
export async function selectCheckpoints(
  sql: Sql,
  taxpayerId: string,
  days: BookDays,
): Promise<Map<string, CheckpointRow>> {
  if (days.size === 0) return new Map();
  const rows = await sql<(CheckpointRow & { readonly book: string })[]>`
    select c.book, c.day, c.state, c.lots, c.days
    from ${bookDays(sql, days)} join checkpoints c on c.taxpayer_id = ${taxpayerId} and c.book = k.book and c.day = k.day`;
  if (rows.length < days.size) throw new Error('A checkpoint no longer exists.');
  return new Map(rows.map(({ book, ...row }) => [book, row]));
}

/** Of each book the last valid checkpoint not after a day. */
export async function selectCheckpointsOn(
  sql: Sql,
  taxpayerId: string,
  on: string,
  stamp: Stamp,
): Promise<(CheckpointRow & { readonly book: string })[]> {
  return sql<(CheckpointRow & { readonly book: string })[]>`
    select distinct on (book) book, day, state, lots, days from checkpoints
    where taxpayer_id = ${taxpayerId} and day <= ${on} and engine = ${stamp.engine} and rules = ${stamp.rules}
    order by book, day desc`;
}

/** Of each book the digests of the facts caused after a day, null for all of them, of all checkpoints since. */
export async function selectDays(
  sql: Sql,
  taxpayerId: string,
  after: BookDays,
): Promise<{ book: string; days: string }[]> {
  return sql<{ book: string; days: string }[]>`
    select c.book, c.days
    from ${bookDays(sql, after)}
    join checkpoints c on c.taxpayer_id = ${taxpayerId} and c.book = k.book and (k.day is null or c.day > k.day)
    order by c.book, c.day`;
}

export async function deleteCheckpoints(
  sql: Sql,
  taxpayerId: string,
  gone: readonly { readonly book: string; readonly day: string }[],
): Promise<void> {
  await sql`
    delete from checkpoints c
    using unnest(${gone.map((one) => one.book)}::text[], ${gone.map((one) => one.day)}::date[]) as g (book, day)
    where c.taxpayer_id = ${taxpayerId} and c.book = g.book and c.day = g.day`;
}

/** The checkpoints of some books, their lots and the versions of these. */
export async function deleteStates(sql: Sql, taxpayerId: string, books: readonly string[]): Promise<void> {
  for (const table of ['checkpoints', 'lots', 'lot_versions']) {
    await sql`
      delete from ${sql(table)} where taxpayer_id = ${taxpayerId} and book = any(${books as string[]}::text[])`;
  }
}

export async function insertCheckpoints(
  sql: Sql,
  taxpayerId: string,
  stamp: Stamp,
  rows: readonly (NewCheckpoint & { readonly book: string })[],
): Promise<void> {
  await sql`
    insert into checkpoints (taxpayer_id, book, day, engine, rules, state, lots, days)
    select me.id, r.book, r.day, ${stamp.engine}, r.rules, decode(r.state, 'base64'), r.lots, r.days
    from taxpayers me, unnest(
      ${rows.map((row) => row.book)}::text[], ${rows.map((row) => row.day)}::date[],
      ${rows.map((row) => Buffer.from(row.state).toString('base64'))}::text[],
      ${rows.map((row) => row.lots)}::integer[], ${rows.map((row) => row.days)}::text[],
      ${rows.map((row) => (row.settled ? stamp.rules : unsettled))}::text[]
    ) as r (book, day, state, lots, days, rules)
    where me.id = ${taxpayerId}`;
}

/** No rules have this name: no replay resumes from a checkpoint under it. */
const unsettled = 'unsettled';

export async function insertBooks(
  sql: Sql,
  taxpayerId: string,
  members: readonly { readonly book: string; readonly key: string }[],
): Promise<void> {
  await sql`
    insert into books (taxpayer_id, asset_key, book)
    select me.id, r.key, r.book
    from taxpayers me,
      unnest(${members.map(({ key }) => key)}::text[], ${members.map(({ book }) => book)}::text[]) as r (key, book)
    where me.id = ${taxpayerId}
    on conflict (taxpayer_id, asset_key) do update set book = excluded.book`;
}

export async function deleteBooks(sql: Sql, taxpayerId: string, books: readonly string[]): Promise<void> {
  await sql`delete from books where taxpayer_id = ${taxpayerId} and book = any(${books as string[]}::text[])`;
}

/** What moves a book after a day, until another: where they are null, from the first row, until the last. */
export interface HistorySpan {
  readonly keys: readonly string[];
  readonly after: string | null;
  readonly until?: string;
}

/** The span of a book. */
export type BookSpan = HistorySpan & { readonly book: string };

/** Each span `k` with each of its keys. Arrays of arrays must all have one length: they come as texts. */
const keysOf = (sql: Sql, spans: readonly BookSpan[]) => sql`
  unnest(
    ${spans.map(({ book }) => book)}::text[], ${spans.map(({ keys }) => arrayOf(keys, (key) => key))}::text[],
    ${spans.map(({ after }) => after ?? '-infinity')}::date[], ${spans.map(({ until }) => until ?? 'infinity')}::date[]
  ) as k (book, keys, after, until), unnest(k.keys::text[]) as key`;

/** The rows of a span that move a key: those that move several keys of the book come with the first of these. */
const moving = (sql: Sql, taxpayerId: string) => {
  const rows = sql`select t.* from transactions t where t.taxpayer_id = ${taxpayerId} and t.on_day > k.after and t.on_day <= k.until`;
  const isOther = (name: string) => sql`${sql(name)} <> all(k.keys::text[])`;
  return sql`
    ${rows} and t.asset_key = key
    union all ${rows} and t.second_key = key and ${isOther('asset_key')}
    union all ${rows} and t.third_key = key and ${isOther('asset_key')} and ${isOther('second_key')}
    union all ${rows} and t.fourth_key = key and ${isOther('asset_key')} and ${isOther('second_key')}
      and ${isOther('third_key')}`;
};

/** How many rows each span has; of each key so many are counted at most. */
export async function countMoving(
  sql: Sql,
  taxpayerId: string,
  spans: readonly BookSpan[],
  rowsMax: number,
): Promise<Map<string, number>> {
  const rows = await sql<{ book: string; rows: number }[]>`
    select k.book, sum(r.rows)::integer as rows
    from ${keysOf(sql, spans)}, lateral (
      select count(*) as rows from (select from (${moving(sql, taxpayerId)}) t limit ${rowsMax}) counted
    ) r
    group by k.book`;
  return new Map(rows.map((row) => [row.book, row.rows]));
}

/** Rows of some weeks of a book in one text each, weeks in any order: to sort such texts is no work for a database. */
export async function selectPackedHistories(
  sql: Sql,
  taxpayerId: string,
  spans: readonly BookSpan[],
): Promise<(PackedRows & { readonly book: string })[]> {
  // Offset 0: texts are made before they are grouped, else all columns would go through the grouping.
  return sql<(PackedRows & { readonly book: string })[]>`
    select k.book, r.part, r.packed, r.rows
    from ${keysOf(sql, spans)}, lateral (
      select p.part, string_agg(p.packed, e'\x1e') as packed, count(*)::integer as rows from (
        select
          concat_ws(e'\x1f', t.type, t.asset_class, t.currency, t.account, t.asset, t.id,
            coalesce((date_part('epoch', t.at - (t.on_day::timestamp at time zone 'UTC')) * 1000000)::bigint::text, ''),
            t.on_day - date '1970-01-01', t.line * 1048576::bigint + ${tieOf(sql)}, coalesce(t.quantity::text, ''), coalesce(t.amount::text, ''),
            coalesce(t.fee::text, ''), t.external_id, ${others(sql)}
          ) as packed,
          (t.on_day - date '1970-01-01') / ${daysPacked}::integer as part
        from (${moving(sql, taxpayerId)}) t
        offset 0
      ) p group by p.part
    ) r`;
}

/** Of most books a text of so many days is made and read in some milliseconds. */
const daysPacked = 16;

/** The members that a plain trade never states, as JSON; empty where none of them is stated. */
const others = (sql: Sql) => sql`
  case when ${isZoned(sql)} then (${extrasJson(sql)}::jsonb || '{"zoned": true}')::text
    when ${statesNoExtras(sql)} then '' else ${extrasJson(sql)}::text end`;

export async function selectHistory(sql: Sql, taxpayerId: string, span: HistorySpan): Promise<TransactionRow[]> {
  return sql<TransactionRow[]>`
    select ${transactionColumns(sql)}, ${isZoned(sql)} as zoned
    from ${keysOf(sql, [{ ...span, book: '' }])}, lateral (${moving(sql, taxpayerId)}) t`;
}
