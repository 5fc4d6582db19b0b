import { type Day, yearOf } from '../base/day.ts';
import { canonicalJson } from '../base/json.ts';
import { type Book, emptyBook } from './book/book.ts';
import { bookFromJson, bookToJson } from './book/book-json.ts';
import type { Fold } from './book/fold.ts';
import { closeFold, openFold } from './book/fold-book.ts';
import { openLots } from './book/lots.ts';
import { isReversal, withoutReversed } from './events/corrections.ts';
import { EventCursor } from './events/event-cursor.ts';
import { Ledger } from './events/ledger.ts';
import { tradeEvent } from './events/trade-event.ts';
import type { Fact, Rules, Transaction } from './model.ts';
import type { LineSums } from './plain/line-sums.ts';
import { PlainTrades } from './plain/plain-trades.ts';
import { apply } from './rules/apply.ts';
import { endLapsed, nextLapse } from './rules/options/lapse.ts';
import { openPuts } from './rules/short-sales/puts.ts';
import { raiseLeftInPool } from './rules/transfers/allocation.ts';
import { raiseExpiredTransits, raisePendingTransits, raiseUnexplainedArrivals } from './rules/transfers/transfers.ts';
import { matchPending } from './rules/wash-sales/wash.ts';
import { raiseUnmarked } from './rules/year/year-end.ts';

export type { Book };
export { bookFromJson, bookToJson, emptyBook, openLots };

/** Changes whenever the same transactions may give other facts: a checkpoint of another version is worthless. */
export const engineVersion = '16';

export interface ReplayOptions {
  /** Called with the book after the last event of each year that has any. `done`: rows so far. */
  readonly onState?: ((year: number, book: Book, done: number) => void) | undefined;
  /** After which days it is called instead, asked when the next day is known; and after the last of all. */
  readonly endsState?: (day: Day, next: Day, done: number) => boolean;
  /** Gets the facts of each day, in a list that is empty afterwards; then none are in the answer. */
  readonly onDay?: (facts: readonly Fact[]) => void;
  /** Sums lines of plain trades, where it does, instead of leaving a fact for each. */
  readonly lineSums?: LineSums;
  /**
   * A day until which the rows of all books are known, where that is later than the last of these: options that are past
   * their day by then are taken as expired.
   */
  readonly through?: Day | null;
}

export interface ReplayResult {
  readonly book: Book;
  readonly facts: Fact[];
}

/**
 * The fold: moves a book by the events of transactions, day by day, and says what follows. Pure: the given book is not
 * changed, nothing outside is read. `transactions` are those after the book's day, in any order; of their events only
 * those on assets of `keys` count, so that a trade between two books moves each once. Resuming from a book whose `asOf`
 * is day D with the transactions after D equals the full replay; of the facts of an earlier replay those with
 * `causedOn` after D are to be dropped (D is the book's own day, not a later one on which nothing happened to it).
 */
export function replay(
  book: Book,
  transactions: readonly Transaction[] | Ledger,
  rules: Rules,
  keys: ReadonlySet<string>,
  options: ReplayOptions = {},
): ReplayResult {
  const days = replayDays(book, transactions, rules, keys, options);
  let day = days.next();
  while (!day.done) day = days.next();
  return day.value;
}

/** `replay`, a day at a time: yields how many rows are done, so that whoever has other work may turn to it in between. */
export function* replayDays(
  book: Book,
  transactions: readonly Transaction[] | Ledger,
  rules: Rules,
  keys: ReadonlySet<string>,
  { onState, endsState = isYearEnd, onDay, lineSums, through = null }: ReplayOptions,
): Generator<number, ReplayResult, undefined> {
  const fold = openFold(book, rules);
  fold.ledger = ledgerOf(transactions);
  const plain = new PlainTrades(fold, lineSums ?? null);
  const cursor = new EventCursor(fold.ledger, keys);
  let asOf = book.asOf;
  let last: Day | null = null;
  for (let day = nextDay(fold, cursor, through); day !== null; day = nextDay(fold, cursor, through)) {
    if (last !== null && onState !== undefined && endsState(last, day, cursor.done))
      onState(yearOf(last), closeFold(fold, last), cursor.done);
    step(fold, cursor, plain, day);
    last = day;
    asOf = day;
    if (onDay !== undefined) handOver(fold, onDay);
    yield cursor.done;
  }
  if (last !== null && onState !== undefined) onState(yearOf(last), closeFold(fold, last), cursor.done);
  if (through !== null) raiseUnmarked(fold, fold.day, through);
  raisePendingTransits(fold);
  if (onDay !== undefined) handOver(fold, onDay);
  return { book: closeFold(fold, asOf), facts: fold.facts };
}

function isYearEnd(day: Day, next: Day): boolean {
  return yearOf(next) > yearOf(day);
}

/** Trades that were taken back leave before anything is made of them: only rows of other kinds can be one. */
function ledgerOf(transactions: readonly Transaction[] | Ledger): Ledger {
  const ledger = transactions instanceof Ledger ? transactions : Ledger.of(transactions);
  if (!ledger.others.some(isReversal)) return ledger;
  return Ledger.of(withoutReversed(ledger.transactions()));
}

/** A day that is over changes no more: who takes its facts as they come need not have them all in memory. */
function handOver(fold: Fold, onDay: (facts: readonly Fact[]) => void): void {
  if (fold.facts.length === 0) return;
  onDay(fold.facts);
  fold.facts.length = 0;
}

/** The day of the next event, or before it one on which the time of an open option is over. */
function nextDay(fold: Fold, cursor: EventCursor, through: Day | null): Day | null {
  const [event, lapse] = [cursor.day, fold.lapses.length === 0 ? null : nextLapse(fold)];
  const until = event ?? through;
  return lapse !== null && until !== null && lapse <= until ? lapse : event;
}

/** All events of a day are one step, so that its losses without a time can be matched together (26 CFR 1.1091-1(b)). */
function step(fold: Fold, cursor: EventCursor, plain: PlainTrades, day: Day): void {
  const before = fold.day;
  fold.day = day;
  fold.actionsToday.clear();
  fold.reportedToday.clear();
  fold.unitsReported.clear();
  fold.rowsToday = null;
  fold.lastFragments.clear();
  fold.unallocated.clear();
  fold.dayStart = fold.facts.length;
  raiseUnmarked(fold, before, day);
  raiseExpiredTransits(fold);
  while (cursor.advance(day)) {
    const { event, ledger, trade } = cursor;
    if (event === null && plain.apply(ledger, trade)) continue;
    plain.forgetPools();
    apply(fold, event ?? tradeEvent(ledger.trade(trade)));
  }
  if (fold.lapses.length > 0) endLapsed(fold);
  matchPending(fold);
  openPuts(fold);
  raiseUnexplainedArrivals(fold);
  if (fold.allocations.length > 0) raiseLeftInPool(fold);
}

/**
 * Names the elections in a checkpoint: other rules, other books. The zone is one of them for standing orders alone: else
 * it has a say only in rows that state a time, and who changes it replays those.
 */
export function rulesHash(rules: Rules): string {
  const { timeZone: _, ...others } = rules;
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(canonicalJson(rules.standingOrders === undefined ? others : rules))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}
