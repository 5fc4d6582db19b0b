import { type Day, yearOf } from '../base/day.ts';
import { canonicalJson } from '../base/json.ts';
import { apply } from './apply.ts';
import { type Book, bookFromJson, bookToJson, emptyBook } from './book.ts';
import { withoutReversed } from './corrections.ts';
import { Course } from './course.ts';
import { closeFold, type Fold, openFold } from './fold.ts';
import { openLots } from './lots.ts';
import type { Fact, Rules, Transaction } from './model.ts';
import { openPuts } from './puts.ts';
import { tellExpiredTransits, tellPendingTransits, tellUnexplainedArrivals } from './transfers.ts';
import { matchPending } from './wash.ts';

export type { Book };
export { bookFromJson, bookToJson, emptyBook, openLots };

/** Changes whenever the same transactions may give other facts: a checkpoint of another version is worthless. */
export const engineVersion = '4';

export interface Replayed {
  readonly book: Book;
  readonly facts: Fact[];
}

/**
 * The fold: moves a book by the events of transactions, day by day, and says what follows. Pure: the given book is not
 * changed, nothing outside is read. `transactions` are those after the book's day, in any order; of their events only
 * those on assets of `keys` count, so that a trade between two books moves each once. Resuming from a book whose `asOf`
 * is day D with the transactions after D equals the full replay; of the facts of an earlier replay those with
 * `causedOn` after D are to be dropped (D is the book's own day, not a later one on which nothing happened to it).
 *
 * `onYearEnd` is called for each year that has events, after the last of them and before a later one's.
 */
export function replay(
  book: Book,
  transactions: readonly Transaction[],
  rules: Rules,
  keys: ReadonlySet<string>,
  onYearEnd?: (year: number, book: Book) => void,
): Replayed {
  const fold = openFold(book, rules);
  const course = new Course(withoutReversed(transactions), keys);
  let asOf = book.asOf;
  let last: Day | null = null;
  for (let day = course.day; day !== null; day = course.day) {
    if (last !== null && onYearEnd !== undefined && yearOf(day) > yearOf(last)) {
      onYearEnd(yearOf(last), closeFold(fold, last));
    }
    step(fold, course, day);
    last = day;
    asOf = day;
  }
  if (last !== null && onYearEnd !== undefined) onYearEnd(yearOf(last), closeFold(fold, last));
  tellPendingTransits(fold);
  return { book: closeFold(fold, asOf), facts: fold.facts };
}

/** All events of a day are one step, so that its losses without a time can be matched together (26 CFR 1.1091-1(b)). */
function step(fold: Fold, course: Course, day: Day): void {
  fold.day = day;
  fold.actionsToday.clear();
  fold.reportedToday.clear();
  fold.dayStart = fold.facts.length;
  tellExpiredTransits(fold);
  for (let event = course.nextOn(day); event !== null; event = course.nextOn(day)) apply(fold, event);
  matchPending(fold);
  openPuts(fold);
  tellUnexplainedArrivals(fold);
}

/** Names the elections in a checkpoint: other rules, other books. */
export function rulesHash(rules: Rules): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(canonicalJson(rules))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}
