import type { Sql } from '../../../db/connection.ts';
import type { Rules } from '../../../engine/model.ts';
import { type Book, emptyBook } from '../../../engine/replay.ts';
import type { BookScope } from './facts/facts.queries.ts';
import { type Checkpoint, stampOf, unpackCheckpoint } from './state/checkpoints.ts';
import { loadWhole } from './state/load.ts';
import { selectCheckpointHeads, selectCheckpoints } from './state/state.queries.ts';

/**
 * Returns the last state before a day that a replay can resume from, and the day of that state. Without a checkpoint,
 * returns an empty book.
 */
export async function resumeBefore(
  sql: Sql,
  scope: BookScope,
  day: string,
  rules: Rules,
): Promise<{ readonly book: Book; readonly day: string | null }> {
  const kept = await checkpointBefore(sql, scope, day, rules);
  if (kept === null) return { book: emptyBook(), day: null };
  return { book: (await loadWhole(sql, scope, kept)).book, day: kept.day };
}

/** Returns the last checkpoint before a day that this engine created with these rules. Null if there is none. */
export async function checkpointBefore(
  sql: Sql,
  { taxpayerId, book }: BookScope,
  day: string,
  rules: Rules,
): Promise<Checkpoint | null> {
  const heads = await selectCheckpointHeads(sql, taxpayerId, [book], stampOf(rules));
  const head = heads.findLast((one) => one.valid && one.day < day);
  if (head === undefined) return null;
  const row = (await selectCheckpoints(sql, taxpayerId, new Map([[book, head.day]]))).get(book);
  return row === undefined ? null : unpackCheckpoint(row, head === heads.at(-1));
}
