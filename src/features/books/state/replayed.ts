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
import {
  isReplacedBy,
  type KeptState,
  type Loaded,
  loadEarlier,
  loadReached,
  loadWhole,
  nothingLoaded,
  timesMore,
} from './load.ts';
import type { Answers, History, Opened, Reading } from './open.ts';
import type { KeepableRow } from './queries.ts';
import { ReplayFacts } from './replay-facts.ts';
import { checkpointOf } from './store.ts';
import { Timeline } from './timeline.ts';

/** What a replay leaves, and what of the stored state it began with. */
export interface Replayed {
  readonly opened: Opened;
  readonly loaded: Loaded;
  /** Summed, where the book was replayed from its beginning. */
  readonly facts: ReplayFacts;
  readonly book: Book;
  /** The states to keep. Their days of facts are still to be told. */
  readonly states: readonly KeepableRow[];
  readonly timeline: Timeline;
}

/**
 * From the state that was kept, of which only those lots are read that the history can touch. Should it have touched
 * all of those, more are read and it is done again.
 */
export async function replayOpened(sql: Sql, opened: Opened, answers: Answers): Promise<Replayed | Opened> {
  const { scope, kept, earlier, history, keys } = opened;
  if (history === null) return opened;
  if (kept !== null && earlier !== null) {
    return replayLoaded(opened, await loadEarlier(kept, earlier), history, answers);
  }
  const { rules, reading, through } = answers;
  // What ends without a row of its own may be any of the lots.
  const ends =
    kept !== null &&
    through !== null &&
    lapsesBetween(keys, kept.rest.asOf ?? (0 as Day), lastDayOf(yearOf(through))).length > 0;
  const isBig = kept !== null && kept.lots > reading.wholeLotsMax && !ends;
  const reach = isBig ? workingSetOf(kept.rest, history.ledger, rules, new Set(keys)) : null;
  for (let firstLots = firstLotsOf(reach, reading); ; firstLots *= timesMore) {
    const loaded = await load(sql, scope, kept, firstLots < (kept?.lots ?? 0) ? reach : null, firstLots);
    const replayed = await replayLoaded(opened, loaded, history, answers);
    if (isEnough(loaded.firsts, replayed.book)) return replayed;
  }
}

function firstLotsOf(reach: WorkingSet | null, { firstLotsMin, lotsPerTaking }: Reading): number {
  return Math.max(firstLotsMin, ...(reach?.pools ?? []).map((pool) => lotsPerTaking * pool.takes));
}

async function load(
  sql: Sql,
  scope: BookScope,
  kept: KeptState | null,
  reach: WorkingSet | null,
  firstLots: number,
): Promise<Loaded> {
  if (kept === null) return nothingLoaded(emptyBook());
  return reach === null ? loadWhole(sql, scope, kept) : loadReached(sql, scope, kept, reach, firstLots);
}

export async function replayLoaded(
  opened: Opened,
  loaded: Loaded,
  { ledger, isUnsettled }: History,
  { rules, accepted, through }: Answers,
): Promise<Replayed> {
  const { kept, keys } = opened;
  const notLoaded = kept === null ? 0 : kept.lots - lotsOf(loaded.book);
  const states: KeepableRow[] = [];
  let timeline = new Timeline(loaded.base, kept?.day ?? null);
  const onState = (_year: number, state: Book): void => {
    const on = state.asOf ?? (0 as Day);
    const day = formatDay(on);
    if (states.length === 0 && kept !== null && isReplacedBy(kept, day))
      timeline = new Timeline(loaded.base, dayBefore(opened, kept));
    timeline.add(day, state);
    const row = checkpointOf(day, state);
    // A trade is in it that a later row takes back: it is kept, but nothing goes on from it.
    states.push({ ...row, lots: row.lots + notLoaded, days: '', settled: !isUnsettled(on) });
  };
  const facts = new ReplayFacts();
  const onDay = (told: readonly Fact[]): void => facts.take(withoutAccepted(told, accepted));
  const days = replayDays(loaded.book, ledger, rules, new Set(keys), { onState, onDay, through });
  const { book } = await endOf(days);
  if (kept === null) await facts.sum();
  // Neither its rows nor the texts of its lots are needed any more, and may be many.
  const rest = { ...opened, earlier: null, history: null };
  return { opened: rest, loaded, facts, book, states, timeline };
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

/** The day of the state before the one to resume from; null where that is the first. */
function dayBefore({ heads }: Opened, kept: KeptState): string | null {
  return heads.findLast(({ day }) => day < kept.day)?.day ?? null;
}

function lotsOf(book: Book): number {
  return book.pools.reduce((sum, pool) => sum + pool.lots.length, 0);
}
