import type { Sql } from '../../../db/connection.ts';
import { extrasJson, isZoned, statesNoExtras, tieOf, transactionColumns } from '../../transactions/rows/queries.ts';
import type { TransactionRow } from '../../transactions/rows/statement-sql.ts';
import type { PackedRows } from '../facts/packed-rows.ts';
import type { BookScope } from '../facts/queries.ts';

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

/** The day of a checkpoint, and whether this engine and these rules made it. */
export interface CheckpointHead extends Pick<CheckpointRow, 'day' | 'lots'> {
  readonly valid: boolean;
}

/** All checkpoints of a book, oldest first. */
export async function selectCheckpointHeads(sql: Sql, scope: BookScope, stamp: Stamp): Promise<CheckpointHead[]> {
  return sql<CheckpointHead[]>`
    select day, engine = ${stamp.engine} and rules = ${stamp.rules} as valid, lots from checkpoints
    where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book} order by day`;
}

export async function selectCheckpoint(sql: Sql, scope: BookScope, day: string): Promise<CheckpointRow> {
  const [row] = await sql<CheckpointRow[]>`
    select day, state, lots, days from checkpoints
    where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book} and day = ${day}`;
  if (row === undefined) throw new Error('A checkpoint that is no more.');
  return row;
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

/** The digests of the facts caused after a day, of all checkpoints since. */
export async function selectDays(sql: Sql, scope: BookScope, after: string | null): Promise<string[]> {
  const rows = await sql<{ days: string }[]>`
    select days from checkpoints
    where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book}
      ${after === null ? sql`` : sql`and day > ${after}`}
    order by day`;
  return rows.map((row) => row.days);
}

export async function deleteCheckpoints(sql: Sql, scope: BookScope, days: readonly string[]): Promise<void> {
  await sql`
    delete from checkpoints
    where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book} and day = any(${days as string[]}::date[])`;
}

/** The checkpoints of a book, its lots and their versions. */
export async function deleteState(sql: Sql, scope: BookScope): Promise<void> {
  for (const table of ['checkpoints', 'lots', 'lot_versions']) {
    await sql`delete from ${sql(table)} where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book}`;
  }
}

export async function insertCheckpoints(
  sql: Sql,
  scope: BookScope,
  stamp: Stamp,
  rows: readonly NewCheckpoint[],
): Promise<void> {
  await sql`
    insert into checkpoints (taxpayer_id, book, day, engine, rules, state, lots, days)
    select ${scope.taxpayerId}, ${scope.book}, r.day, ${stamp.engine}, r.rules, decode(r.state, 'base64'), r.lots, r.days
    from unnest(
      ${rows.map((row) => row.day)}::date[], ${rows.map((row) => Buffer.from(row.state).toString('base64'))}::text[],
      ${rows.map((row) => row.lots)}::integer[], ${rows.map((row) => row.days)}::text[],
      ${rows.map((row) => (row.settled ? stamp.rules : unsettled))}::text[]
    ) as r (day, state, lots, days, rules)`;
}

/** No rules have this name: no replay resumes from a checkpoint under it. */
const unsettled = 'unsettled';

export async function insertBook(sql: Sql, scope: BookScope, keys: readonly string[]): Promise<void> {
  await sql`
    insert into books (taxpayer_id, asset_key, book)
    select ${scope.taxpayerId}, key, ${scope.book} from unnest(${keys as string[]}::text[]) as key
    on conflict (taxpayer_id, asset_key) do update set book = excluded.book`;
}

export async function deleteBook(sql: Sql, scope: BookScope): Promise<void> {
  await sql`delete from books where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book}`;
}

/** What moves a book after a day, until another: where they are null, from the first row, until the last. */
const moving = (
  sql: Sql,
  taxpayerId: string,
  keys: readonly string[],
  [after, until]: readonly [string | null, string | null],
) => {
  const list = sql`any(${keys as string[]}::text[])`;
  return sql`
    t.taxpayer_id = ${taxpayerId} ${after === null ? sql`` : sql`and t.on_day > ${after}`}
    ${until === null ? sql`` : sql`and t.on_day <= ${until}`}
    and (t.asset_key = ${list} or t.second_key = ${list} or t.third_key = ${list} or t.fourth_key = ${list})`;
};

/** Rows of some weeks in one text each, weeks in any order: to sort such texts is no work for a database. */
export async function selectPackedHistory(
  sql: Sql,
  taxpayerId: string,
  keys: readonly string[],
  after: string | null,
  until: string | null = null,
): Promise<PackedRows[]> {
  // Offset 0: texts are made before they are grouped, else all columns would go through the grouping.
  return sql<PackedRows[]>`
    select r.part, string_agg(r.packed, e'\x1e') as packed, count(*)::integer as rows from (
      select
        concat_ws(e'\x1f', t.type, t.asset_class, t.currency, t.account, t.asset, t.id,
          coalesce((date_part('epoch', t.at - (t.on_day::timestamp at time zone 'UTC')) * 1000000)::bigint::text, ''),
          t.on_day - date '1970-01-01', t.line * 1048576::bigint + ${tieOf(sql)}, coalesce(t.quantity::text, ''), coalesce(t.amount::text, ''),
          coalesce(t.fee::text, ''), t.external_id, ${others(sql)}
        ) as packed,
        (t.on_day - date '1970-01-01') / ${daysPacked}::integer as part
      from transactions t where ${moving(sql, taxpayerId, keys, [after, until])}
      offset 0
    ) r group by r.part`;
}

/** Of most books a text of so many days is made and read in some milliseconds. */
const daysPacked = 16;

/** The members that a plain trade never states, as JSON; empty where none of them is stated. */
const others = (sql: Sql) => sql`
  case when ${isZoned(sql)} then (${extrasJson(sql)}::jsonb || '{"zoned": true}')::text
    when ${statesNoExtras(sql)} then '' else ${extrasJson(sql)}::text end`;

export async function selectHistory(
  sql: Sql,
  taxpayerId: string,
  keys: readonly string[],
  after: string | null,
  until: string | null = null,
): Promise<TransactionRow[]> {
  return sql<TransactionRow[]>`
    select ${transactionColumns(sql)}, ${isZoned(sql)} as zoned
    from transactions t where ${moving(sql, taxpayerId, keys, [after, until])}`;
}
