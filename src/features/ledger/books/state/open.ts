import type { Day } from '../../../../base/day.ts';
import type { Sql } from '../../../../db/connection.ts';
import { isReversal, withoutReversed } from '../../../../engine/events/corrections.ts';
import { withBookNames } from '../../../../engine/events/form-names.ts';
import { Ledger } from '../../../../engine/events/ledger.ts';
import type { Rules } from '../../../../engine/model.ts';
import { canResume, leavesUnsettled, unsettledDays } from '../../../../engine/resume/resuming.ts';
import type { AcceptedIssues, Restatements } from '../../transactions/resolutions.ts';
import { type StoredCheckpoints, stampOf, unpackCheckpoint } from './checkpoints.ts';
import { readHistories } from './history.ts';
import { type PackedState, selectPackedStates } from './load.ts';
import { type CheckpointHead, selectCheckpointHeads, selectCheckpoints } from './state.queries.ts';

/** How much of a book is read at a time. Tests use low limits, so that books are read in parts whenever possible. */
export interface ReadLimits {
  /** Books with at most this number of lots are read completely. */
  readonly wholeLotsMax: number;
  /** The minimum number of first lots to read from a pool with sales. */
  readonly firstLotsMin: number;
  /** The number of lots to read per disposal. A disposal uses one or two lots, and one lot must remain. */
  readonly lotsPerTaking: number;
  /** The number of arriving rows to store at a time. Selecting fewer from all waiting rows would take longer. */
  readonly rowsPerBatch: number;
}

export const defaultReadLimits: ReadLimits = {
  wholeLotsMax: 256,
  firstLotsMin: 16,
  lotsPerTaking: 2,
  rowsPerBatch: 50_000,
};

/** A book to bring up to date. `from` is the first day that changed. Null replays the whole book. */
export interface ReplayRequest {
  readonly book: string;
  readonly keys: readonly string[];
  readonly from: string | null;
  /** Whether nothing of the book is stored. */
  readonly fresh: boolean;
}

/** Shared inputs for replaying a taxpayer's books. */
export interface ReplayContext {
  readonly rules: Rules;
  readonly restatements: Restatements;
  readonly accepted: AcceptedIssues;
  /** The last day with complete rows for all books. Null if there are no rows. */
  readonly through: Day | null;
  readonly limits: ReadLimits;
}

/** The stored state of a book before a change, and the rows after that state. */
export interface OpenedBook {
  readonly kind: 'opened';
  readonly request: ReplayRequest;
  readonly stored: StoredCheckpoints;
  /** The lots of the checkpoint, if they were read together with it. */
  readonly lots: PackedState | null;
  /** The rows, without reversed trades and their reversals. */
  readonly ledger: Ledger;
  /** Returns whether a row after the day changes earlier results. A replay cannot resume from such a day. */
  readonly isUnsettled: (day: Day) => boolean;
}

/** A book that no longer has rows. */
export interface EmptiedBook {
  readonly kind: 'emptied';
  readonly book: string;
}

/**
 * A book to open with its checkpoints. `before` contains the checkpoints that a replay may resume from, oldest first.
 */
export interface BookStart {
  readonly request: ReplayRequest;
  readonly heads: readonly CheckpointHead[];
  readonly before: CheckpointHead[];
}

/** Finds the checkpoints of books. */
export async function findStarts(
  sql: Sql,
  taxpayerId: string,
  orders: readonly ReplayRequest[],
  rules: Rules,
): Promise<BookStart[]> {
  const known = orders.filter(({ fresh }) => !fresh).map(({ book }) => book);
  const checkpointHeads = known.length === 0 ? [] : await selectCheckpointHeads(sql, taxpayerId, known, stampOf(rules));
  const headsOf = Map.groupBy(checkpointHeads, ({ book }) => book);
  return orders.map((request) => {
    const { book, from } = request;
    const heads = headsOf.get(book) ?? [];
    return { request, heads, before: from === null ? [] : heads.filter((head) => head.valid && head.day < from) };
  });
}

/**
 * Reads the last checkpoint of each book that a replay can resume from before the change, and the rows after that
 * checkpoint.
 */
export async function openBooks(
  sql: Sql,
  taxpayerId: string,
  starts: readonly BookStart[],
  context: ReplayContext,
): Promise<(OpenedBook | EmptiedBook)[]> {
  const opened: (OpenedBook | EmptiedBook)[] = [];
  for (let asked = starts; asked.length > 0; ) {
    const tried = await openAt(sql, taxpayerId, asked, context);
    // Tries an earlier checkpoint for some books, because a reversal can refer to a trade before the checkpoint.
    asked = asked.filter((_, at) => tried[at] === null);
    opened.push(...tried.filter((one) => one !== null));
  }
  return opened;
}

/** Returns null if the book cannot resume from that checkpoint. */
async function openAt(
  sql: Sql,
  taxpayerId: string,
  starts: readonly BookStart[],
  { restatements, limits, rules }: ReplayContext,
): Promise<(OpenedBook | EmptiedBook | null)[]> {
  const asked = starts.map((start) => ({ ...start, head: start.before.pop() }));
  const daysOf = (some: typeof asked) =>
    new Map(some.flatMap(({ request, head }) => (head === undefined ? [] : [[request.book, head.day]])));
  const whole = asked.filter(({ head, heads }) => head !== undefined && isReadAtOnce(head, heads, limits));
  const spans = asked.map(({ request, head }) => ({
    book: request.book,
    keys: request.keys,
    after: head?.day ?? null,
  }));
  const [rows, histories, states] = await Promise.all([
    selectCheckpoints(sql, taxpayerId, daysOf(asked)),
    readHistories(sql, taxpayerId, spans, restatements),
    selectPackedStates(sql, taxpayerId, daysOf(whole)),
  ]);
  return asked.map(({ request, heads, head }) => {
    const { book } = request;
    const row = rows.get(book);
    const history = histories.get(book) as Ledger;
    if (row === undefined && history.size === 0) return { kind: 'emptied', book };
    const reaching = history.others.some(leavesUnsettled) ? withBookNames(history.transactions(), rules) : [];
    const kept = row === undefined ? null : unpackCheckpoint(row, head === heads.at(-1));
    if (kept !== null && !canResume(kept.withoutLots, reaching)) return null;
    const ledger = reaching.some(isReversal) ? Ledger.of(withoutReversed(reaching)) : history;
    const stored = { heads, kept, keptDays: row?.days ?? '' };
    const lots = states.get(book) ?? null;
    return { kind: 'opened', request, stored, lots, ledger, isUnsettled: unsettledDays(reaching) };
  });
}

/**
 * Returns whether all lots are read together with the checkpoint. A replay from an earlier checkpoint uses most of the
 * lots, so the limit is higher for it.
 */
function isReadAtOnce(head: CheckpointHead, heads: readonly CheckpointHead[], { wholeLotsMax }: ReadLimits): boolean {
  return head !== heads.at(-1) && head.lots <= wholeLotsMax * timesEarlier;
}

const timesEarlier = 32;

/** Estimates how many rows and lots must be read to open and replay a book. */
export function estimateSize({ heads, before }: BookStart, rows: number, { wholeLotsMax }: ReadLimits): number {
  const head = before.at(-1);
  if (head === undefined) return rows;
  return rows + Math.min(head.lots, head === heads.at(-1) ? wholeLotsMax : wholeLotsMax * timesEarlier);
}
