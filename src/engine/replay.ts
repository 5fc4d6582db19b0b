import { type Day, yearOf } from '../base/day.ts';
import { canonicalJson } from '../base/json.ts';
import type { Book } from './book/book.ts';
import { bookFromJson, bookToJson } from './book/book-json.ts';
import { emptyBook } from './book/empty-book.ts';
import type { Fold } from './book/fold.ts';
import { closeFold, openFold } from './book/fold-book.ts';
import { openLots } from './book/lots.ts';
import { dropOtherReturn } from './book/separate-returns.ts';
import { isReversal, withoutReversed } from './events/corrections.ts';
import { EventCursor } from './events/event-cursor.ts';
import { ledgerWithBookNames } from './events/form-names.ts';
import { isFormRow } from './events/form-rows.ts';
import { Ledger } from './events/ledger.ts';
import { tradeEvent } from './events/trade-event.ts';
import type { Fact, Rules, Transaction } from './model.ts';
import type { LineSums } from './plain/line-sums.ts';
import { PlainTrades } from './plain/plain-trades.ts';
import { apply } from './rules/apply.ts';
import { dropRedeemed } from './rules/debt/debt.ts';
import { noteQuestions, questionedNames, raiseQuestions } from './rules/lines/class-questions.ts';
import { flagCollectibles, mayBeCollectible } from './rules/lines/collectibles.ts';
import { expectInclusion, includeUnvalued, nextInclusion } from './rules/opportunity-funds/include.ts';
import { findDoubleDeliveries, raiseDoubleDeliveries } from './rules/options/double-deliveries.ts';
import { endLapsed, nextLapse } from './rules/options/lapse.ts';
import { raiseOpenByOption } from './rules/options/stock-not-held.ts';
import { askAboutDay, type DayQuestions, findDayQuestions } from './rules/questions/day-questions.ts';
import { mayAskForZone } from './rules/questions/new-year.ts';
import { endStraddleYears, raiseOpenStraddles } from './rules/questions/straddles.ts';
import { raiseBoughtWhileShort } from './rules/short-sales/bought-while-short.ts';
import { noteCoveredCalls } from './rules/short-sales/covered-calls.ts';
import { openPuts } from './rules/short-sales/puts.ts';
import { raiseLeftInPool } from './rules/transfers/allocation.ts';
import { raiseExpiredTransits, raisePendingTransits, raiseUnexplainedArrivals } from './rules/transfers/transfers.ts';
import { raiseOpenWindows } from './rules/wash-sales/open-windows.ts';
import { matchPending } from './rules/wash-sales/wash.ts';
import { raiseUnmarked } from './rules/year/year-end.ts';

export type { Book };
export { bookFromJson, bookToJson, emptyBook, openLots };

/**
 * The version of the engine. Change it whenever the same transactions may produce different facts, because checkpoints
 * of another version are not used.
 */
export const engineVersion = '24';

export interface ReplayOptions {
  /**
   * Called with the book after the last event of each year that has events. `done` is the number of transactions so
   * far.
   */
  readonly onState?: ((year: number, book: Book, done: number) => void) | undefined;
  /**
   * Selects the days after which `onState` is called, instead of the ends of years. It is called once the next day is
   * known. `onState` is also called at the end.
   */
  readonly endsState?: (day: Day, next: Day, done: number) => boolean;
  /** Receives the facts of each day in a list that is cleared afterwards. The result then has no facts. */
  readonly onDay?: (facts: readonly Fact[]) => void;
  /** Sums the lines of plain trades instead of writing a fact for each, for the years that it covers. */
  readonly lineSums?: LineSums;
  /**
   * The day through which the transactions of all books are known, if it is later than the last transaction. Open
   * options that expired long enough before it count as expired.
   */
  readonly through?: Day | null;
}

export interface ReplayResult {
  readonly book: Book;
  readonly facts: Fact[];
}

/**
 * Applies the events of transactions to a book, day by day, and returns the facts. It is a pure fold: it does not
 * change its input book and reads nothing else. `transactions` contains the transactions after the book's day, in any
 * order. Only events on assets in `keys` count, so a trade between two books changes each book once.
 *
 * Resuming from a book whose `asOf` is day D, with the transactions after D, gives the same result as the full replay.
 * The caller must drop facts of an earlier replay with `causedOn` after D. D is the book's own day, not a later day
 * without events.
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

/**
 * Does the same as `replay`, one day at a time. Yields the number of transactions done, so that the caller can do other
 * work in between.
 */
export function* replayDays(
  book: Book,
  transactions: readonly Transaction[] | Ledger,
  rules: Rules,
  keys: ReadonlySet<string>,
  { onState, endsState = isYearEnd, onDay, lineSums, through = null }: ReplayOptions,
): Generator<number, ReplayResult, undefined> {
  const fold = openFold(book, rules);
  fold.ledger = prepareLedger(transactions, rules);
  fold.questionedNames = questionedNames(rules, keys);
  const questions = findDayQuestions(fold);
  const doubles = findDoubleDeliveries(fold.ledger);
  // Issues about a day need its individual lines, and so do Form 1099 rows, which are matched to lines.
  const needsLines = questions !== null || mayAskForZone(fold) || fold.ledger.others.some(isFormRow);
  const plain = new PlainTrades(fold, needsLines ? null : (lineSums ?? null));
  const cursor = new EventCursor(fold.ledger, keys);
  const hasCollectibles = [...keys].some((key) => mayBeCollectible(key, rules));
  let asOf = book.asOf;
  let last: Day | null = null;
  for (let day = nextDay(fold, cursor, through); day !== null; day = nextDay(fold, cursor, through)) {
    if (last !== null && onState !== undefined && endsState(last, day, cursor.done))
      onState(yearOf(last), closeFold(fold, last), cursor.done);
    step(fold, cursor, plain, questions, day);
    raiseDoubleDeliveries(fold, doubles?.get(day) ?? []);
    if (hasCollectibles) flagCollectibles(fold);
    noteQuestions(fold);
    last = day;
    asOf = day;
    if (onDay !== undefined) passFacts(fold, onDay);
    yield cursor.done;
  }
  if (last !== null && onState !== undefined) onState(yearOf(last), closeFold(fold, last), cursor.done);
  if (through !== null) {
    raiseUnmarked(fold, fold.day, through);
    raiseOpenWindows(fold, through);
    raiseOpenStraddles(fold);
  }
  expectInclusion(fold);
  raisePendingTransits(fold);
  raiseOpenByOption(fold);
  raiseBoughtWhileShort(fold);
  raiseQuestions(fold);
  if (onDay !== undefined) passFacts(fold, onDay);
  return { book: closeFold(fold, asOf), facts: fold.facts };
}

function isYearEnd(day: Day, next: Day): boolean {
  return yearOf(next) > yearOf(day);
}

/**
 * Renames assets to the names that the transactions use, and removes reversed trades before they become events. Only
 * transactions that are not plain trades can be reversals.
 */
function prepareLedger(transactions: readonly Transaction[] | Ledger, rules: Rules): Ledger {
  const ledger = ledgerWithBookNames(transactions instanceof Ledger ? transactions : Ledger.of(transactions), rules);
  if (!ledger.others.some(isReversal)) return ledger;
  return Ledger.of(withoutReversed(ledger.transactions()));
}

/**
 * Passes the facts of a day to `onDay` and clears them. A finished day no longer changes, so its facts need not stay in
 * memory.
 */
function passFacts(fold: Fold, onDay: (facts: readonly Fact[]) => void): void {
  if (fold.facts.length === 0) return;
  onDay(fold.facts);
  fold.facts.length = 0;
}

/** Returns the day of the next event, or an earlier day if an open option counts as expired or a deferral ends then. */
function nextDay(fold: Fold, cursor: EventCursor, through: Day | null): Day | null {
  const [event, lapse, inclusion] = [
    cursor.day,
    fold.lapses.length === 0 ? null : nextLapse(fold),
    nextInclusion(fold),
  ];
  const until = event ?? through;
  const ends = lapse === null || (inclusion !== null && inclusion < lapse) ? inclusion : lapse;
  return ends !== null && until !== null && ends <= until ? ends : event;
}

/** Applies all events of a day as one step, so that losses without a time are matched together (26 CFR 1.1091-1(b)). */
function step(fold: Fold, cursor: EventCursor, plain: PlainTrades, questions: DayQuestions | null, day: Day): void {
  const before = fold.day;
  fold.day = day;
  fold.actionsToday.clear();
  fold.reportedToday.clear();
  fold.redeemedToday.clear();
  fold.unitsReported.clear();
  fold.rowsToday = null;
  fold.lastFragments.clear();
  fold.sharesClosed.clear();
  fold.unallocated.clear();
  fold.dayStart = fold.facts.length;
  raiseUnmarked(fold, before, day);
  includeUnvalued(fold, day);
  endStraddleYears(fold, day);
  raiseExpiredTransits(fold);
  while (cursor.advance(day)) {
    const { event, ledger, trade } = cursor;
    if (event === null && plain.apply(ledger, trade)) continue;
    plain.forgetPools();
    apply(fold, event ?? tradeEvent(ledger, trade));
  }
  if (fold.lapses.length > 0) endLapsed(fold);
  matchPending(fold);
  openPuts(fold);
  if (questions?.hasOptions === true) noteCoveredCalls(fold);
  raiseUnexplainedArrivals(fold);
  if (fold.allocations.length > 0) raiseLeftInPool(fold);
  dropRedeemed(fold);
  dropOtherReturn(fold);
  if (questions !== null) askAboutDay(fold, questions);
}

/**
 * Returns the hash of the elections, which is stored in checkpoints because different elections produce a different
 * book. It includes the time zone only if there are standing orders. Otherwise the zone matters only for transactions
 * with a time, and these are replayed when the zone changes. Ticker readings and form names are derived from the rows,
 * so changing one affects only its own books.
 */
export function rulesHash(rules: Rules): string {
  const { tickers: _tickers, evidence: _evidence, formNames: _names, ...elected } = rules;
  const { timeZone: _, ...others } = elected;
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(canonicalJson(rules.standingOrders === undefined ? others : elected))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}
