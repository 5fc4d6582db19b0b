import { type Day, formatDay, lastDayOf, yearOf } from '../../../base/day.ts';
import { collectGarbage } from '../../../base/garbage.ts';
import { nextTurn } from '../../../base/turn.ts';
import type { Sql } from '../../../db/connection.ts';
import { isReversal, withoutReversed } from '../../../engine/corrections.ts';
import { lapsesBetween } from '../../../engine/expiry.ts';
import { Ledger } from '../../../engine/ledger.ts';
import type { Fact, Rules } from '../../../engine/model.ts';
import { isEnough, type Reach, reachOf } from '../../../engine/partial.ts';
import { type Book, emptyBook, replayDays } from '../../../engine/replay.ts';
import { canGoOn, changesEarlierDays, unsettledDays } from '../../../engine/resuming.ts';
import { type Restatements, withoutAccepted } from '../../transactions/resolutions/restate.ts';
import type { BookScope } from '../facts/queries.ts';
import { readHistory } from '../history.ts';
import {
  type EarlierLots,
  type KeptState,
  keptStateOf,
  type Loaded,
  loadEarlier,
  loadReached,
  loadWhole,
  nothingLoaded,
  selectEarlierLots,
  timesMore,
} from './load.ts';
import { type CheckpointHead, type KeepableRow, selectCheckpoint, selectCheckpointHeads } from './queries.ts';
import { ReplayFacts } from './replay-facts.ts';
import { checkpointOf, stampOf } from './store.ts';
import { Timeline } from './timeline.ts';

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

export const defaultReading: Reading = { wholeLotsMax: 256, firstLotsMin: 16, lotsPerTaking: 2, rowsPerBatch: 50_000 };

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
  readonly accepted: readonly string[];
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
interface History {
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
    const reaching = rows.others.some(changesEarlierDays) ? rows.transactions() : [];
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

/** What a replay leaves, and what of the stored state it began with. */
export interface Replayed {
  readonly opened: Opened;
  readonly loaded: Loaded;
  /** Summed, where the book was replayed from its beginning. */
  readonly facts: ReplayFacts;
  readonly book: Book;
  /** The states to keep: each year's last, and the last of all. Their days of facts are still to be told. */
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
  const reach = isBig ? reachOf(kept.rest, history.ledger, rules, new Set(keys)) : null;
  for (let firstLots = firstLotsOf(reach, reading); ; firstLots *= timesMore) {
    const loaded = await load(sql, scope, kept, firstLots < (kept?.lots ?? 0) ? reach : null, firstLots);
    const replayed = await replayLoaded(opened, loaded, history, answers);
    if (isEnough(loaded.firsts, replayed.book)) return replayed;
  }
}

function firstLotsOf(reach: Reach | null, { firstLotsMin, lotsPerTaking }: Reading): number {
  return Math.max(firstLotsMin, ...(reach?.pools ?? []).map((pool) => lotsPerTaking * pool.takes));
}

async function load(
  sql: Sql,
  scope: BookScope,
  kept: KeptState | null,
  reach: Reach | null,
  firstLots: number,
): Promise<Loaded> {
  if (kept === null) return nothingLoaded(emptyBook());
  return reach === null ? loadWhole(sql, scope, kept) : loadReached(sql, scope, kept, reach, firstLots);
}

async function replayLoaded(
  opened: Opened,
  loaded: Loaded,
  { ledger, isUnsettled }: History,
  { rules, accepted, through }: Answers,
): Promise<Replayed> {
  const { kept, keys, heads } = opened;
  const notLoaded = kept === null ? 0 : kept.lots - lotsOf(loaded.book);
  const states: KeepableRow[] = [];
  let timeline = new Timeline(loaded.base, kept?.day ?? null);
  const onYearEnd = (_year: number, state: Book): void => {
    const day = state.asOf === null ? '' : formatDay(state.asOf);
    if (states.length === 0 && kept !== null && isOfOneYear(kept.day, day)) {
      // The state to resume from is not its year's last any more.
      timeline = new Timeline(loaded.base, heads.findLast((head) => head.day < kept.day)?.day ?? null);
    }
    timeline.add(day, state);
    const row = checkpointOf(day, state, '');
    // A trade is in it that a later row takes back: it is kept, but nothing goes on from it.
    const settled = state.asOf === null || !isUnsettled(state.asOf);
    states.push({ ...row, lots: row.lots + notLoaded, settled });
  };
  const facts = new ReplayFacts();
  const onDay = (told: readonly Fact[]): void => facts.take(withoutAccepted(told, accepted));
  const days = replayDays(loaded.book, ledger, rules, new Set(keys), { onYearEnd, onDay, through });
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
    collectGarbage(heapBytesMax);
  }
}

/** What many rows of a book leave behind is asked for back early: the server has others to serve, too. */
const rowsPerCollection = 15_000;
const heapBytesMax = 80_000_000;

/** So many take some milliseconds. */
const rowsPerTurn = 200;

export function isOfOneYear(day: string, other: string): boolean {
  return day.slice(0, 4) === other.slice(0, 4);
}

function lotsOf(book: Book): number {
  return book.pools.reduce((sum, pool) => sum + pool.lots.length, 0);
}
