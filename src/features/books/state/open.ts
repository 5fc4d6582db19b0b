import type { Day } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import { isReversal, withoutReversed } from '../../../engine/events/corrections.ts';
import { Ledger } from '../../../engine/events/ledger.ts';
import type { Rules } from '../../../engine/model.ts';
import { canGoOn, leavesUnsettled, unsettledDays } from '../../../engine/resume/resuming.ts';
import type { Accepted } from '../../transactions/resolutions/accepted.ts';
import type { Restatements } from '../../transactions/resolutions/restate.ts';
import type { BookScope } from '../facts/queries.ts';
import { type StoredCheckpoints, stampOf, unpackCheckpoint } from './checkpoints.ts';
import { readHistory } from './history.ts';
import { type PackedState, selectPackedState } from './load.ts';
import { selectCheckpoint, selectCheckpointHeads } from './queries.ts';

/** How much of a book is read at once. Tests set it low, so that parts of books are read wherever they can be. */
export interface ReadLimits {
  /** Books with no more lots than these are read whole. */
  readonly wholeLotsMax: number;
  /** Of a pool that is sold from, at least so many of the first lots. */
  readonly firstLotsMin: number;
  /** A taking reaches a lot or two, and one lot has to stay. */
  readonly lotsPerTaking: number;
  /** Of rows that arrive, as many are stored at once: to find fewer among all that wait would take longer. */
  readonly rowsPerBatch: number;
}

export const defaultReadLimits: ReadLimits = {
  wholeLotsMax: 256,
  firstLotsMin: 16,
  lotsPerTaking: 2,
  rowsPerBatch: 50_000,
};

/** A book to bring up to date. `from`: the first day that changed; null replays all of it. */
export interface ReplayOrder {
  readonly scope: BookScope;
  readonly keys: readonly string[];
  readonly from: string | null;
  /** Nothing is stored of it. */
  readonly fresh: boolean;
}

/** What all books of a taxpayer are replayed with. */
export interface ReplayContext {
  readonly rules: Rules;
  readonly restatements: Restatements;
  readonly accepted: Accepted;
  /** Until which day the rows of all books are known; null without rows. */
  readonly through: Day | null;
  readonly limits: ReadLimits;
}

/** A book before a change, and the rows since. */
export interface OpenedBook {
  readonly kind: 'opened';
  readonly order: ReplayOrder;
  readonly stored: StoredCheckpoints;
  /** The lots of the checkpoint, where they were read with it. */
  readonly lots: PackedState | null;
  /** Without reversed trades and their reversals. */
  readonly ledger: Ledger;
  /** Whether a row after the day changes what happened until then: no replay resumes from such a day. */
  readonly isUnsettled: (day: Day) => boolean;
}

/** A book that has no rows any more. */
export interface EmptiedBook {
  readonly kind: 'emptied';
  readonly scope: BookScope;
}

/** Reads the last checkpoint before the change that a replay can resume from, and the rows after it. */
export async function openBook(
  sql: Sql,
  order: ReplayOrder,
  { rules, restatements, limits }: ReplayContext,
): Promise<OpenedBook | EmptiedBook> {
  const { scope, keys, from, fresh } = order;
  const heads = fresh ? [] : await selectCheckpointHeads(sql, scope, stampOf(rules));
  const before = from === null ? [] : heads.filter((head) => head.valid && head.day < from);
  for (;;) {
    const head = before.pop();
    const isWhole = head !== undefined && head !== heads.at(-1) && head.lots <= limits.wholeLotsMax * timesEarlier;
    const [row, rows, lots] = await Promise.all([
      head === undefined ? null : selectCheckpoint(sql, scope, head.day),
      readHistory(sql, scope.taxpayerId, keys, head?.day ?? null, restatements),
      isWhole ? selectPackedState(sql, scope, head.day) : null,
    ]);
    if (row === null && rows.size === 0) return { kind: 'emptied', scope };
    const reaching = rows.others.some(leavesUnsettled) ? rows.transactions() : [];
    const kept = row === null ? null : unpackCheckpoint(row, head === heads.at(-1));
    // A reversal may mean a trade from before the checkpoint: then an earlier one is needed.
    if (kept !== null && !canGoOn(kept.withoutLots, reaching)) continue;
    const ledger = reaching.some(isReversal) ? Ledger.of(withoutReversed(reaching)) : rows;
    const stored = { heads, kept, keptDays: row?.days ?? '' };
    return { kind: 'opened', order, stored, lots, ledger, isUnsettled: unsettledDays(reaching) };
  }
}

/** A replay from an earlier checkpoint takes most of its lots: more of them are read whole, and at once. */
const timesEarlier = 32;
