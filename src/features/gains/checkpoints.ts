import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { formatDay } from '../../base/day.ts';
import type { Sql } from '../../db/connection.ts';
import type { Rules } from '../../engine/model.ts';
import { type Book, bookFromJson, bookToJson, emptyBook, engineVersion, rulesHash } from '../../engine/replay.ts';
import type { BookScope } from './facts/queries.ts';
import { type CheckpointRow, insertCheckpoints, selectCheckpoint, thinCheckpoints } from './queries.ts';

/** What a checkpoint must have been made by to be worth anything. */
export interface Stamp {
  readonly engine: string;
  readonly rules: string;
}

export function stampOf(rules: Rules): Stamp {
  return { engine: engineVersion, rules: rulesHash(rules) };
}

/** The state to resume from before a day, and its own day; the empty book where there is none. */
export async function resumeBefore(
  sql: Sql,
  scope: BookScope,
  day: string | null,
  rules: Rules,
): Promise<{ readonly book: Book; readonly day: string | null }> {
  const row = day === null ? undefined : await selectCheckpoint(sql, scope, day, stampOf(rules));
  return row === undefined ? { book: emptyBook(), day: null } : { book: bookOf(row.state), day: row.day };
}

/** A backdated row hardly ever reaches further back than this, and a book of many thousand lots is big. */
const big = { bytes: 64 * 1024, kept: 2 };

export async function keepCheckpoints(
  sql: Sql,
  scope: BookScope,
  rules: Rules,
  states: readonly CheckpointRow[],
): Promise<void> {
  // Of the earlier years of one replay big states are not even sent.
  const kept = states.filter(({ state }, at) => state.length <= big.bytes || states.length - at <= big.kept);
  if (kept.length === 0) return;
  await insertCheckpoints(sql, scope, stampOf(rules), kept);
  await thinCheckpoints(sql, scope, big);
}

/** Nothing where no event has moved the book yet. */
export function checkpointsOf(book: Book): CheckpointRow[] {
  if (book.asOf === null) return [];
  // The fastest level: it is written at each import and read at the next.
  const state = deflateRawSync(JSON.stringify(bookToJson(book)), { level: 1 });
  return [{ day: formatDay(book.asOf), state }];
}

export function bookOf(state: Uint8Array): Book {
  return bookFromJson(JSON.parse(inflateRawSync(state).toString('utf8')));
}
