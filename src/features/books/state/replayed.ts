import { type Day, formatDay, lastDayOf, yearOf } from '../../../base/day.ts';
import { collectGarbage, collectInWorker } from '../../../base/garbage.ts';
import { nextTurn } from '../../../base/turn.ts';
import type { Sql } from '../../../db/connection.ts';
import { lapsesBetween } from '../../../engine/book/expiry.ts';
import type { Fact } from '../../../engine/model.ts';
import { type Book, emptyBook, replayDays } from '../../../engine/replay.ts';
import { isEnough, type WorkingSet, workingSetOf } from '../../../engine/resume/working-set.ts';
import { withoutAccepted } from '../../transactions/resolutions/accepted.ts';
import type { BookScope } from '../facts/queries.ts';
import { type Checkpoint, isReplacedBy, packCheckpoint, type StoredCheckpoints } from './checkpoints.ts';
import { type LoadedState, loadPacked, loadWhole, loadWorkingSet, nothingLoaded, timesMore } from './load.ts';
import { VersionedLots } from './lots/versioned-lots.ts';
import type { EmptiedBook, OpenedBook, ReadLimits, ReplayContext, ReplayOrder } from './open.ts';
import type { NewCheckpoint } from './queries.ts';
import { ReplayFacts } from './replay-facts.ts';

/** What a replay leaves, and what of the stored state it began with. */
export interface ReplayedBook {
  readonly kind: 'replayed';
  readonly order: ReplayOrder;
  readonly stored: StoredCheckpoints;
  readonly loaded: LoadedState;
  readonly facts: ReplayFacts;
  readonly book: Book;
  /** Without their digests of the facts of days. */
  readonly checkpoints: readonly NewCheckpoint[];
  readonly lots: VersionedLots;
}

/**
 * Replays a book from its checkpoint, of which only those lots are read that the rows can touch. If they touched all of
 * these, more are read and it is done again.
 */
export async function replayOpened(
  sql: Sql,
  opened: OpenedBook | EmptiedBook,
  context: ReplayContext,
): Promise<ReplayedBook | EmptiedBook> {
  if (opened.kind === 'emptied') return opened;
  const { order, stored, lots, ledger } = opened;
  const { kept } = stored;
  if (kept !== null && lots !== null) return replayLoaded(opened, await loadPacked(kept, lots), context);
  const { rules, limits, through } = context;
  const keys = new Set(order.keys);
  // What ends without a row of its own may be any of the lots.
  const ends =
    kept !== null &&
    through !== null &&
    lapsesBetween(order.keys, kept.withoutLots.asOf ?? (0 as Day), lastDayOf(yearOf(through))).length > 0;
  const isBig = kept !== null && kept.lots > limits.wholeLotsMax && !ends;
  const workingSet = isBig ? workingSetOf(kept.withoutLots, ledger, rules, keys) : null;
  for (let firstLots = firstLotsOf(workingSet, limits); ; firstLots *= timesMore) {
    const isPart = firstLots < (kept?.lots ?? 0);
    const loaded = await load(sql, order.scope, kept, isPart ? workingSet : null, firstLots);
    const replayed = await replayLoaded(opened, loaded, context);
    if (isEnough(loaded.firsts, replayed.book)) return replayed;
  }
}

function firstLotsOf(workingSet: WorkingSet | null, { firstLotsMin, lotsPerTaking }: ReadLimits): number {
  return Math.max(firstLotsMin, ...(workingSet?.pools ?? []).map((pool) => lotsPerTaking * pool.takes));
}

async function load(
  sql: Sql,
  scope: BookScope,
  kept: Checkpoint | null,
  workingSet: WorkingSet | null,
  firstLots: number,
): Promise<LoadedState> {
  if (kept === null) return nothingLoaded(emptyBook());
  return workingSet === null ? loadWhole(sql, scope, kept) : loadWorkingSet(sql, scope, kept, workingSet, firstLots);
}

async function replayLoaded(
  { order, stored, ledger, isUnsettled }: OpenedBook,
  loaded: LoadedState,
  { rules, accepted, through }: ReplayContext,
): Promise<ReplayedBook> {
  const { kept } = stored;
  const notLoaded = kept === null ? 0 : kept.lots - lotsOf(loaded.book);
  const checkpoints: NewCheckpoint[] = [];
  let lots = new VersionedLots(loaded.base, kept?.day ?? null);
  const onState = (_year: number, book: Book): void => {
    const on = book.asOf ?? (0 as Day);
    const day = formatDay(on);
    if (checkpoints.length === 0 && kept !== null && isReplacedBy(kept, day))
      lots = new VersionedLots(loaded.base, dayBefore(stored, kept));
    lots.add(day, book);
    const row = packCheckpoint(day, book);
    checkpoints.push({ ...row, lots: row.lots + notLoaded, days: '', settled: !isUnsettled(on) });
  };
  const facts = new ReplayFacts();
  const onDay = (found: readonly Fact[]): void => facts.take(withoutAccepted(found, accepted));
  const days = replayDays(loaded.book, ledger, rules, new Set(order.keys), { onState, onDay, through });
  const { book } = await endOf(days);
  // Without the rows and the texts of its lots, which may be many.
  return { kind: 'replayed', order, stored, loaded, facts, book, checkpoints, lots };
}

/** To its end, with turns for others in between: a book may have a million rows. */
async function endOf<Result>(days: Generator<number, Result, undefined>): Promise<Result> {
  let [rowsBefore, rowsLeft] = [0, 0];
  for (;;) {
    const day = days.next();
    if (day.done) return day.value;
    const rows = day.value - rowsBefore;
    if (rows < rowsPerTurn) continue;
    rowsBefore = day.value;
    await nextTurn();
    rowsLeft += rows;
    if (rowsLeft < rowsPerCollection) continue;
    rowsLeft = 0;
    if (Bun.isMainThread) collectGarbage(heapBytesMax);
    else collectInWorker();
  }
}

/** What many rows of a book leave behind is asked for back early: the server has others to serve, too. */
const rowsPerCollection = Bun.isMainThread ? 15_000 : 6_000;
const heapBytesMax = 80_000_000;

/** So many take some milliseconds. */
const rowsPerTurn = 200;

/** The day of the checkpoint before another; null where that is the first. */
function dayBefore({ heads }: StoredCheckpoints, kept: Checkpoint): string | null {
  return heads.findLast(({ day }) => day < kept.day)?.day ?? null;
}

function lotsOf(book: Book): number {
  return book.pools.reduce((sum, pool) => sum + pool.lots.length, 0);
}
