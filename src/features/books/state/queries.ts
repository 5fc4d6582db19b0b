import type { Sql } from '../../../db/connection.ts';
import type { BookScope } from '../facts/queries.ts';

/** What a checkpoint must have been made by to be worth anything. */
export interface Stamp {
  readonly engine: string;
  readonly rules: string;
}

/** A state of a book but for its lots, which lie in rows of their own. */
export interface CheckpointRow {
  readonly day: string;
  /** The rest of the book, deflated. */
  readonly state: Uint8Array;
  /** How many lots it has. */
  readonly lots: number;
  /** A digest of the facts of each day since the state before. */
  readonly days: string;
  /** How many rows its month has until then. */
  readonly rows: number;
  /** Since the state before nothing but plain trades moved the book. */
  readonly plain: boolean;
}

export interface KeepableRow extends CheckpointRow {
  /** A replay may go on from it. */
  readonly settled: boolean;
}

/** When a state stood, and whether this engine and these rules made it. */
export interface CheckpointHead extends Pick<CheckpointRow, 'day' | 'lots' | 'rows' | 'plain'> {
  readonly valid: boolean;
}

/** All states of a book, oldest first. */
export async function selectCheckpointHeads(sql: Sql, scope: BookScope, stamp: Stamp): Promise<CheckpointHead[]> {
  return sql<CheckpointHead[]>`
    select day, engine = ${stamp.engine} and rules = ${stamp.rules} as valid, lots, rows, plain from checkpoints
    where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book} order by day`;
}

export async function selectCheckpoint(sql: Sql, scope: BookScope, day: string): Promise<CheckpointRow> {
  const [row] = await sql<CheckpointRow[]>`
    select day, state, lots, days, rows, plain from checkpoints
    where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book} and day = ${day}`;
  if (row === undefined) throw new Error('A checkpoint that is no more.');
  return row;
}

/** Some states of a book, oldest first. */
export async function selectCheckpoints(sql: Sql, scope: BookScope, days: readonly string[]): Promise<CheckpointRow[]> {
  return sql<CheckpointRow[]>`
    select day, state, lots, days, rows, plain from checkpoints
    where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book} and day = any(${days as string[]}::date[])
    order by day`;
}

/** Of each book the last valid state not after a day. */
export async function selectCheckpointsOn(
  sql: Sql,
  taxpayerId: string,
  on: string,
  stamp: Stamp,
): Promise<(CheckpointRow & { readonly book: string })[]> {
  return sql<(CheckpointRow & { readonly book: string })[]>`
    select distinct on (book) book, day, state, lots, days, rows, plain from checkpoints
    where taxpayer_id = ${taxpayerId} and day <= ${on} and engine = ${stamp.engine} and rules = ${stamp.rules}
    order by book, day desc`;
}

/** The digests of the facts caused after a day, as far as states tell. */
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

/** The same of some states, oldest first. */
export async function selectDaysOf(sql: Sql, scope: BookScope, days: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql<{ day: string; days: string }[]>`
    select day, days from checkpoints
    where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book} and day = any(${days as string[]}::date[])`;
  return new Map(rows.map((row) => [row.day, row.days]));
}

/** States before it are kept no more: what they told of their days it tells now. */
export async function updateDays(
  sql: Sql,
  scope: BookScope,
  { day, days, plain }: Pick<CheckpointRow, 'day' | 'days' | 'plain'>,
): Promise<void> {
  await sql`
    update checkpoints set days = ${days}, plain = ${plain}
    where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book} and day = ${day}`;
}

/** All that is kept of a book's states. */
export async function deleteStates(sql: Sql, scope: BookScope): Promise<void> {
  for (const table of ['checkpoints', 'lots', 'past_lots']) {
    await sql`delete from ${sql(table)} where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book}`;
  }
}

export async function insertCheckpoints(
  sql: Sql,
  scope: BookScope,
  stamp: Stamp,
  rows: readonly KeepableRow[],
): Promise<void> {
  await sql`
    insert into checkpoints (taxpayer_id, book, day, engine, rules, state, lots, days, rows, plain)
    select ${scope.taxpayerId}, ${scope.book}, r.day, ${stamp.engine}, r.rules, decode(r.state, 'base64'), r.lots, r.days,
      r.rows, r.plain
    from unnest(
      ${rows.map((row) => row.day)}::date[], ${rows.map((row) => Buffer.from(row.state).toString('base64'))}::text[],
      ${rows.map((row) => row.lots)}::integer[], ${rows.map((row) => row.days)}::text[],
      ${rows.map((row) => (row.settled ? stamp.rules : unsettled))}::text[],
      ${rows.map((row) => row.rows)}::integer[], ${rows.map((row) => String(row.plain))}::text[]::boolean[]
    ) as r (day, state, lots, days, rules, rows, plain)`;
}

/** No rules are called so: a state under this name is never gone on from. */
const unsettled = 'unsettled';
