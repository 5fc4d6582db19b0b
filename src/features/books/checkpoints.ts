import type { Sql } from '../../db/connection.ts';
import type { Rules } from '../../engine/model.ts';
import { type Book, emptyBook } from '../../engine/replay.ts';
import type { BookScope } from './facts/queries.ts';
import { stampOf, unpackCheckpoint } from './state/checkpoints.ts';
import { loadWhole } from './state/load.ts';
import { selectCheckpoint, selectCheckpointHeads } from './state/queries.ts';

/** The state to resume from before a day, and its own day; the empty book where there is none. */
export async function resumeBefore(
  sql: Sql,
  scope: BookScope,
  day: string,
  rules: Rules,
): Promise<{ readonly book: Book; readonly day: string | null }> {
  const heads = await selectCheckpointHeads(sql, scope, stampOf(rules));
  const head = heads.findLast((one) => one.valid && one.day < day);
  if (head === undefined) return { book: emptyBook(), day: null };
  const kept = unpackCheckpoint(await selectCheckpoint(sql, scope, head.day), head === heads.at(-1));
  return { book: (await loadWhole(sql, scope, kept)).book, day: head.day };
}
