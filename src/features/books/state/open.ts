import type { Day } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import { isReversal, withoutReversed } from '../../../engine/events/corrections.ts';
import { withBookNames } from '../../../engine/events/form-names.ts';
import { Ledger } from '../../../engine/events/ledger.ts';
import type { Rules } from '../../../engine/model.ts';
import { canGoOn, leavesUnsettled, unsettledDays } from '../../../engine/resume/resuming.ts';
import type { Accepted } from '../../transactions/resolutions/accepted.ts';
import type { Restatements } from '../../transactions/resolutions/restate.ts';
import { type StoredCheckpoints, stampOf, unpackCheckpoint } from './checkpoints.ts';
import { readHistories } from './history.ts';
import { type PackedState, selectPackedStates } from './load.ts';
import { type CheckpointHead, selectCheckpointHeads, selectCheckpoints } from './queries.ts';

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
  readonly book: string;
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
  readonly book: string;
}

/** A book to open, its checkpoints, and those of them that a replay may resume from, oldest first. */
export interface BookStart {
  readonly order: ReplayOrder;
  readonly heads: readonly CheckpointHead[];
  readonly before: CheckpointHead[];
}

/** Finds the checkpoints of books. */
export async function findStarts(
  sql: Sql,
  taxpayerId: string,
  orders: readonly ReplayOrder[],
  rules: Rules,
): Promise<BookStart[]> {
  const known = orders.filter(({ fresh }) => !fresh).map(({ book }) => book);
  const found = known.length === 0 ? [] : await selectCheckpointHeads(sql, taxpayerId, known, stampOf(rules));
  const headsOf = Map.groupBy(found, ({ book }) => book);
  return orders.map((order) => {
    const { book, from } = order;
    const heads = headsOf.get(book) ?? [];
    return { order, heads, before: from === null ? [] : heads.filter((head) => head.valid && head.day < from) };
  });
}

/** Reads of each book the last checkpoint before the change that a replay can resume from, and the rows after it. */
export async function openBooks(
  sql: Sql,
  taxpayerId: string,
  starts: readonly BookStart[],
  context: ReplayContext,
): Promise<(OpenedBook | EmptiedBook)[]> {
  const opened: (OpenedBook | EmptiedBook)[] = [];
  for (let asked = starts; asked.length > 0; ) {
    const tried = await openAt(sql, taxpayerId, asked, context);
    // A reversal may mean a trade from before the checkpoint: then an earlier one is needed.
    asked = asked.filter((_, at) => tried[at] === null);
    opened.push(...tried.filter((one) => one !== null));
  }
  return opened;
}

/** Null for a book that cannot go on from there. */
async function openAt(
  sql: Sql,
  taxpayerId: string,
  starts: readonly BookStart[],
  { restatements, limits, rules }: ReplayContext,
): Promise<(OpenedBook | EmptiedBook | null)[]> {
  const asked = starts.map((start) => ({ ...start, head: start.before.pop() }));
  const daysOf = (some: typeof asked) =>
    new Map(some.flatMap(({ order, head }) => (head === undefined ? [] : [[order.book, head.day]])));
  const whole = asked.filter(({ head, heads }) => head !== undefined && isReadAtOnce(head, heads, limits));
  const spans = asked.map(({ order, head }) => ({ book: order.book, keys: order.keys, after: head?.day ?? null }));
  const [rows, histories, states] = await Promise.all([
    selectCheckpoints(sql, taxpayerId, daysOf(asked)),
    readHistories(sql, taxpayerId, spans, restatements),
    selectPackedStates(sql, taxpayerId, daysOf(whole)),
  ]);
  return asked.map(({ order, heads, head }) => {
    const { book } = order;
    const row = rows.get(book);
    const history = histories.get(book) as Ledger;
    if (row === undefined && history.size === 0) return { kind: 'emptied', book };
    const reaching = history.others.some(leavesUnsettled) ? withBookNames(history.transactions(), rules) : [];
    const kept = row === undefined ? null : unpackCheckpoint(row, head === heads.at(-1));
    if (kept !== null && !canGoOn(kept.withoutLots, reaching)) return null;
    const ledger = reaching.some(isReversal) ? Ledger.of(withoutReversed(reaching)) : history;
    const stored = { heads, kept, keptDays: row?.days ?? '' };
    const lots = states.get(book) ?? null;
    return { kind: 'opened', order, stored, lots, ledger, isUnsettled: unsettledDays(reaching) };
  });
}

/** A replay from an earlier checkpoint takes most of its lots: more of them are read whole, and at once. */
function isReadAtOnce(head: CheckpointHead, heads: readonly CheckpointHead[], { wholeLotsMax }: ReadLimits): boolean {
  return head !== heads.at(-1) && head.lots <= wholeLotsMax * timesEarlier;
}

const timesEarlier = 32;

/** About how many rows and lots are read to open and to replay a book. */
export function sizeOf({ heads, before }: BookStart, rows: number, { wholeLotsMax }: ReadLimits): number {
  const head = before.at(-1);
  if (head === undefined) return rows;
  return rows + Math.min(head.lots, head === heads.at(-1) ? wholeLotsMax : wholeLotsMax * timesEarlier);
}
