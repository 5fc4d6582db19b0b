import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Sql } from '../../../../db/connection.ts';
import type { Rules } from '../../../../engine/model.ts';
import { type Book, engineVersion, rulesHash } from '../../../../engine/replay.ts';
import { packWithoutLots, unpackWithoutLots } from '../../../../engine/resume/packed.ts';
import { parseDayColumn } from '../../transactions/rows/columns.ts';
import { type Days, daysText } from '../facts/days.ts';
import {
  type CheckpointHead,
  type CheckpointRow,
  deleteCheckpoints,
  insertCheckpoints,
  type NewCheckpoint,
  type Stamp,
} from './state.queries.ts';

/** The state of a book at the end of a day. The lots are stored in separate rows. */
export interface Checkpoint {
  readonly day: string;
  readonly withoutLots: Book;
  /** The number of lots in the book. */
  readonly lots: number;
  /** True if this is the book's last checkpoint, so that no lot has changed since. */
  readonly last: boolean;
}

/** The checkpoints of a book before a replay. */
export interface StoredCheckpoints {
  /** All checkpoints, oldest first. */
  readonly heads: readonly CheckpointHead[];
  /** The checkpoint that the replay resumes from. Null if it starts from the beginning. */
  readonly kept: Checkpoint | null;
  /** The digests stored with that checkpoint, one for each day since the previous checkpoint. */
  readonly keptDays: string;
}

export function stampOf(rules: Rules): Stamp {
  return { engine: engineVersion, rules: rulesHash(rules) };
}

export function packCheckpoint(day: string, book: Book): Pick<CheckpointRow, 'day' | 'state' | 'lots'> {
  // Uses the fastest compression level, because each import writes the state and the next import reads it.
  const state = deflateRawSync(packWithoutLots(book), { level: 1 });
  return { day, state, lots: book.pools.reduce((sum, pool) => sum + pool.lots.length, 0) };
}

export function unpackCheckpoint({ day, state, lots }: CheckpointRow, last: boolean): Checkpoint {
  return { day, withoutLots: unpackWithoutLots(inflateRawSync(state).toString('utf8')), lots, last };
}

/** Returns whether both days are in the same year, because a year has only one checkpoint, after its last day. */
export function isReplacedBy(kept: Checkpoint, day: string): boolean {
  return kept.day.slice(0, 4) === day.slice(0, 4);
}

/** The checkpoints of a book after a replay. `days` contains the digest of each day's facts. */
interface NewCheckpoints {
  readonly book: string;
  readonly stored: StoredCheckpoints;
  readonly checkpoints: readonly NewCheckpoint[];
  readonly days: Days;
}

/** Replaces all checkpoints of each book that come after the one that its replay resumed from. */
export async function writeCheckpoints(
  sql: Sql,
  taxpayerId: string,
  books: readonly NewCheckpoints[],
  rules: Rules,
): Promise<void> {
  const obsolete: { book: string; day: string }[] = [];
  const added: (NewCheckpoint & { readonly book: string })[] = [];
  for (const { book, stored, checkpoints, days } of books) {
    const { heads, kept, keptDays } = stored;
    const first = checkpoints[0];
    const isReplaced = kept !== null && first !== undefined && isReplacedBy(kept, first.day);
    const stays = (day: string): boolean => kept !== null && (isReplaced ? day < kept.day : day <= kept.day);
    obsolete.push(...heads.filter(({ day }) => !stays(day)).map(({ day }) => ({ book, day })));
    for (const one of withDays(checkpoints, days)) {
      const isHead = isReplaced && one.day === first.day;
      added.push({ ...one, book, days: isHead ? joinTexts(keptDays, one.days) : one.days });
    }
  }
  if (obsolete.length > 0) await deleteCheckpoints(sql, taxpayerId, obsolete);
  if (added.length > 0) await insertCheckpoints(sql, taxpayerId, stampOf(rules), added);
}

/** Adds to each checkpoint the digests of the days since the previous checkpoint. */
function withDays(checkpoints: readonly NewCheckpoint[], days: Days): NewCheckpoint[] {
  const all = [...days].sort(([a], [b]) => a - b);
  let at = 0;
  return checkpoints.map((checkpoint) => {
    const until = parseDayColumn(checkpoint.day);
    const from = at;
    while (at < all.length && (all[at]?.[0] ?? 0) <= until) at++;
    return { ...checkpoint, days: daysText(new Map(all.slice(from, at))) };
  });
}

function joinTexts(a: string, b: string): string {
  return a === '' || b === '' ? a + b : `${a} ${b}`;
}
