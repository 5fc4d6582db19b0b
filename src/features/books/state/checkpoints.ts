import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Sql } from '../../../db/connection.ts';
import type { Rules } from '../../../engine/model.ts';
import { type Book, engineVersion, rulesHash } from '../../../engine/replay.ts';
import { packWithoutLots, unpackWithoutLots } from '../../../engine/resume/packed.ts';
import { dayOf } from '../../transactions/rows/columns.ts';
import { type Days, daysText } from '../facts/days.ts';
import type { BookScope } from '../facts/queries.ts';
import {
  type CheckpointHead,
  type CheckpointRow,
  deleteCheckpoints,
  insertCheckpoints,
  type NewCheckpoint,
  type Stamp,
} from './queries.ts';

/** The state of a book after a day, without its lots, which are rows of their own. */
export interface Checkpoint {
  readonly day: string;
  readonly withoutLots: Book;
  /** How many lots the book has. */
  readonly lots: number;
  /** It is the last one of the book: no lot has changed since. */
  readonly last: boolean;
}

/** The checkpoints of a book before a replay. */
export interface StoredCheckpoints {
  /** All of them, oldest first. */
  readonly heads: readonly CheckpointHead[];
  /** The one to resume from. */
  readonly kept: Checkpoint | null;
  /** Its digests of the facts of days. */
  readonly keptDays: string;
}

export function stampOf(rules: Rules): Stamp {
  return { engine: engineVersion, rules: rulesHash(rules) };
}

export function packCheckpoint(day: string, book: Book): Pick<CheckpointRow, 'day' | 'state' | 'lots'> {
  // The fastest level: it is written at each import and read at the next.
  const state = deflateRawSync(packWithoutLots(book), { level: 1 });
  return { day, state, lots: book.pools.reduce((sum, pool) => sum + pool.lots.length, 0) };
}

export function unpackCheckpoint({ day, state, lots }: CheckpointRow, last: boolean): Checkpoint {
  return { day, withoutLots: unpackWithoutLots(inflateRawSync(state).toString('utf8')), lots, last };
}

/** A year has one checkpoint: after its last day. */
export function isReplacedBy(kept: Checkpoint, day: string): boolean {
  return kept.day.slice(0, 4) === day.slice(0, 4);
}

/** Replaces the checkpoints after the one that the replay resumed from. `days`: digests of the facts of each day. */
export async function writeCheckpoints(
  sql: Sql,
  scope: BookScope,
  { heads, kept, keptDays }: StoredCheckpoints,
  { checkpoints, days, rules }: { checkpoints: readonly NewCheckpoint[]; days: Days; rules: Rules },
): Promise<void> {
  const first = checkpoints[0];
  const isReplaced = kept !== null && first !== undefined && isReplacedBy(kept, first.day);
  const stays = (day: string): boolean => kept !== null && (isReplaced ? day < kept.day : day <= kept.day);
  const gone = heads.filter(({ day }) => !stays(day)).map(({ day }) => day);
  if (gone.length > 0) await deleteCheckpoints(sql, scope, gone);
  if (first === undefined) return;
  const [own, ...later] = withDays(checkpoints, days) as [NewCheckpoint, ...NewCheckpoint[]];
  const head = isReplaced ? { ...own, days: joined(keptDays, own.days) } : own;
  await insertCheckpoints(sql, scope, stampOf(rules), [head, ...later]);
}

/** Each checkpoint with the digests of the days since the one before. */
function withDays(checkpoints: readonly NewCheckpoint[], days: Days): NewCheckpoint[] {
  const all = [...days].sort(([a], [b]) => a - b);
  let at = 0;
  return checkpoints.map((checkpoint) => {
    const until = dayOf(checkpoint.day);
    const from = at;
    while (at < all.length && (all[at]?.[0] ?? 0) <= until) at++;
    return { ...checkpoint, days: daysText(new Map(all.slice(from, at))) };
  });
}

function joined(a: string, b: string): string {
  return a === '' || b === '' ? a + b : `${a} ${b}`;
}
