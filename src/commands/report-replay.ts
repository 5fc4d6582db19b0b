import { type Day, lastDayOf } from '../base/day.ts';
import { assetKeysOf, linksOf } from '../engine/keys.ts';
import type { Fact, Lot, Rules, Transaction } from '../engine/model.ts';
import { type Book, emptyBook, openLots, replay } from '../engine/replay.ts';
import { Components } from '../features/gains/components.ts';
import { collectGarbage } from './garbage.ts';
import type { Ledger } from './report-ledger.ts';

export interface ReplayOrder {
  readonly ledger: Ledger;
  /** Rows in their order. */
  readonly rows: Uint32Array;
  readonly rules: Rules;
  /** Whose last day the open lots are told of. */
  readonly year: number;
  /** The transaction in dollars, as far as prices tell. */
  readonly valued: (transaction: Transaction) => Transaction;
  /** Whether they are asked for. */
  readonly lots: boolean;
}

export interface ReplayedBook {
  /** How many rows move it. */
  readonly rows: number;
  readonly facts: readonly Fact[];
  /** At the end of the year. */
  readonly lots: readonly Lot[];
}

/**
 * Book after book, so that only the transactions of one are there at a time, and of a big one only those of a stretch:
 * resuming after a day is as good as never having stopped. An id is the row's rank, whatever the files were.
 */
export function* replayBooks(order: ReplayOrder): Generator<ReplayedBook> {
  for (const book of booksIn(order)) {
    yield replayBook(book, order);
    collectGarbage();
  }
}

/** The name under which the engine knows the row of that rank; ranks and names have the same order. */
export function nameOf(rank: number): string {
  return rank.toString(36).padStart(nameLength, '0');
}

export function rankOf(name: string): number {
  return Number.parseInt(name, 36);
}

const nameLength = 6;

/** A million objects at once take a gigabyte. */
const stretchRows = 200_000;

interface RowsOfBook {
  readonly keys: ReadonlySet<string>;
  /** Ascending. */
  readonly ranks: readonly number[];
  /** A row takes an earlier one back, perhaps: what is known on the days between is not what is known afterwards. */
  readonly whole: boolean;
}

function replayBook(rows: RowsOfBook, order: ReplayOrder): ReplayedBook {
  return rows.whole ? replayWhole(rows, order) : replayInStretches(rows, order);
}

function replayWhole({ keys, ranks }: RowsOfBook, order: ReplayOrder): ReplayedBook {
  let lots: readonly Lot[] = [];
  const transactions = ranks.map((rank) => transactionOf(rank, order));
  const { facts } = replay(
    emptyBook(),
    transactions,
    order.rules,
    keys,
    (ended, book) => {
      if (ended <= order.year && order.lots) lots = openLots(book);
    },
    lastDayTold(order),
  );
  return { rows: ranks.length, facts, lots };
}

function replayInStretches({ keys, ranks }: RowsOfBook, order: ReplayOrder): ReplayedBook {
  const facts: Fact[] = [];
  let [book, lots]: [Book, readonly Lot[]] = [emptyBook(), []];
  let told = false;
  for (const { from, to, ofYear } of stretchesOf(ranks, order)) {
    // What stood at the end of the year, before anything later comes.
    if (!ofYear && !told && order.lots) lots = openLots(book);
    told ||= !ofYear;
    const transactions: Transaction[] = [];
    for (let at = from; at < to; at++) transactions.push(transactionOf(ranks[at] ?? 0, order));
    const isLast = to === ranks.length;
    const replayed = replay(book, transactions, order.rules, keys, undefined, isLast ? lastDayTold(order) : null);
    book = replayed.book;
    const last = isLast || book.asOf === null;
    // What is told of a day that has not ended yet is told again by the next stretch.
    for (const fact of replayed.facts) if (last || fact.causedOn <= (book.asOf as Day)) facts.push(fact);
  }
  return { rows: ranks.length, facts, lots: told || !order.lots ? lots : openLots(book) };
}

/** Of all books: options past their day by then are over. */
function lastDayTold({ ledger, rows }: ReplayOrder): Day {
  return ledger.eventDayOf(rows[rows.length - 1] ?? 0);
}

function transactionOf(rank: number, { ledger, rows, valued }: ReplayOrder): Transaction {
  return valued(ledger.transaction(rows[rank] ?? 0, nameOf(rank)));
}

/** Cut between days: at the end of the year, and wherever they grow long. */
function* stretchesOf(ranks: readonly number[], { ledger, rows, year }: ReplayOrder) {
  const yearEnd = lastDayOf(year);
  const dayAt = (at: number): Day => ledger.eventDayOf(rows[ranks[at] ?? 0] ?? 0);
  for (let from = 0; from < ranks.length; ) {
    const ofYear = dayAt(from) <= yearEnd;
    let to = from + 1;
    for (; to < ranks.length; to++) {
      const day = dayAt(to);
      if (ofYear && day > yearEnd) break;
      if (to - from >= stretchRows && day !== dayAt(to - 1)) break;
    }
    yield { from, to, ofYear };
    from = to;
  }
}

/** As the service parts them: keys that basis can flow between are one book. By the names of the books. */
function booksIn({ ledger, rows }: ReplayOrder): RowsOfBook[] {
  const others = new Map<number, readonly string[]>();
  const links = new Map<string, [string, string]>();
  for (let rank = 0; rank < rows.length; rank++) {
    const row = rows[rank] ?? 0;
    if (ledger.onlyKeyOf(row) !== undefined) continue;
    const transaction = ledger.transaction(row, '');
    others.set(rank, assetKeysOf(transaction));
    for (const link of linksOf(transaction)) links.set(link.join('\n'), link);
  }
  const books = new BooksByKey(new Components(links.values()));
  for (let rank = 0; rank < rows.length; rank++) {
    const row = rows[rank] ?? 0;
    const only = ledger.onlyKeyOf(row);
    const moved = only === undefined ? new Set(others.get(rank)?.map((key) => books.of(key))) : [books.of(only)];
    for (const book of moved) {
      book.ranks.push(rank);
      book.whole ||= ledger.mayReverse(row);
    }
  }
  return books.byName();
}

interface Gathered extends RowsOfBook {
  readonly keys: Set<string>;
  readonly ranks: number[];
  whole: boolean;
}

class BooksByKey {
  private readonly books = new Map<string, Gathered>();
  private readonly ofKeys = new Map<string, Gathered>();

  constructor(private readonly components: Components) {}

  of(key: string): Gathered {
    const known = this.ofKeys.get(key);
    if (known !== undefined) return known;
    const name = this.components.bookOf(key);
    const book = this.books.get(name) ?? { keys: new Set(), ranks: [], whole: false };
    book.keys.add(key);
    this.books.set(name, book);
    this.ofKeys.set(key, book);
    return book;
  }

  byName(): Gathered[] {
    return [...this.books].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, book]) => book);
  }
}
