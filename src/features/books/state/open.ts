import type { Day } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import { isReversal, withoutReversed } from '../../../engine/events/corrections.ts';
import { Ledger } from '../../../engine/events/ledger.ts';
import type { Rules } from '../../../engine/model.ts';
import { canGoOn, leavesUnsettled, unsettledDays } from '../../../engine/resume/resuming.ts';
import type { Accepted } from '../../transactions/resolutions/accepted.ts';
import type { Restatements } from '../../transactions/resolutions/restate.ts';
import type { BookScope } from '../facts/queries.ts';
import { readHistory } from './history.ts';
import { type EarlierLots, type KeptState, keptStateOf, selectEarlierLots } from './load.ts';
import { type CheckpointHead, selectCheckpoint, selectCheckpointHeads } from './queries.ts';
import { stampOf } from './store.ts';

/** How much of a book is read at once. Tests set it low, so that parts of books are read wherever they can be. */
export interface Reading {
  /** Books with no more lots than these are read whole. */
  readonly wholeLotsMax: number;
  /** Of a pool that is sold from, at least so many of the first lots. */
  readonly firstLotsMin: number;
  /** A taking reaches a lot or two, and one lot has to stay. */
  readonly lotsPerTaking: number;
  /** Of rows that arrive, as many are stored at once: to find fewer among all that wait would take longer. */
  readonly rowsPerBatch: number;
}

export const defaultReading: Reading = {
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

/** What all books of a taxpayer are read with. */
export interface Answers {
  readonly rules: Rules;
  readonly restatements: Restatements;
  readonly accepted: Accepted;
  /** Until which day the rows of all books are known; null without rows. */
  readonly through: Day | null;
  readonly reading: Reading;
}

/** A book as it was before what changed, and what moves it since; a null history for one that is no more. */
export interface Opened extends ReplayOrder {
  /** All states that are kept of it, oldest first. */
  readonly heads: readonly CheckpointHead[];
  /** The one to resume from. */
  readonly kept: KeptState | null;
  readonly keptDays: string;
  /** Its lots, where they were read with it. */
  readonly earlier: EarlierLots | null;
  readonly history: History | null;
}

/** What moves a book, without what is taken back in it. */
export interface History {
  readonly ledger: Ledger;
  /** Tells the days of which the state is not kept: a later row takes back what was told by then. */
  readonly isUnsettled: (day: Day) => boolean;
}

export async function openBook(
  sql: Sql,
  order: ReplayOrder,
  { rules, restatements, reading }: Answers,
): Promise<Opened> {
  const { scope, keys, from, fresh } = order;
  const heads = fresh ? [] : await selectCheckpointHeads(sql, scope, stampOf(rules));
  const before = from === null ? [] : heads.filter((head) => head.valid && head.day < from);
  for (;;) {
    const head = before.pop();
    const isWhole = head !== undefined && head !== heads.at(-1) && head.lots <= reading.wholeLotsMax * timesEarlier;
    const [row, rows, earlier] = await Promise.all([
      head === undefined ? null : selectCheckpoint(sql, scope, head.day),
      readHistory(sql, scope.taxpayerId, keys, head?.day ?? null, restatements),
      isWhole ? selectEarlierLots(sql, scope, head.day) : null,
    ]);
    const reaching = rows.others.some(leavesUnsettled) ? rows.transactions() : [];
    const kept = row === null ? null : keptStateOf(row, head === heads.at(-1));
    // A row that takes back a trade may mean one from before the state: then it is not the one to resume from.
    if (kept !== null && !canGoOn(kept.rest, reaching)) continue;
    const ledger = reaching.some(isReversal) ? Ledger.of(withoutReversed(reaching)) : rows;
    const history = row === null && rows.size === 0 ? null : { ledger, isUnsettled: unsettledDays(reaching) };
    return { ...order, heads, kept, keptDays: row?.days ?? '', earlier, history };
  }
}

/** A history that goes on from an earlier state takes most of its lots: more of them are read whole, and at once. */
const timesEarlier = 32;
