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
}

export interface KeepableRow extends CheckpointRow {
  /** A replay may go on from it. */
  readonly settled: boolean;
}

/** When a state stood, and whether this engine and these rules made it. */
export interface CheckpointHead extends Pick<CheckpointRow, 'day' | 'lots'> {
  readonly valid: boolean;
}

/** All states of a book, oldest first. */
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

/** Of each book the last valid state not after a day. */
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
    insert into checkpoints (taxpayer_id, book, day, engine, rules, state, lots, days)
    select ${scope.taxpayerId}, ${scope.book}, r.day, ${stamp.engine}, r.rules, decode(r.state, 'base64'), r.lots, r.days
    from unnest(
      ${rows.map((row) => row.day)}::date[], ${rows.map((row) => Buffer.from(row.state).toString('base64'))}::text[],
      ${rows.map((row) => row.lots)}::integer[], ${rows.map((row) => row.days)}::text[],
      ${rows.map((row) => (row.settled ? stamp.rules : unsettled))}::text[]
    ) as r (day, state, lots, days, rules)`;
}

/** No rules are called so: a state under this name is never gone on from. */
const unsettled = 'unsettled';
