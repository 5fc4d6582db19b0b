import type { Day } from '../../base/day.ts';
import { isForeign, withoutForeignReversed } from '../../engine/events/corrections.ts';
import { assetKeysOf, linksOf } from '../../engine/events/keys.ts';
import { Ledger } from '../../engine/events/ledger.ts';
import type { Fact, Lot, Rules, Transaction } from '../../engine/model.ts';
import type { LineSums } from '../../engine/plain/line-sums.ts';
import { type Book, emptyBook, openLots, replay } from '../../engine/replay.ts';
import { Components } from '../../features/books/components.ts';
import type { History } from './history.ts';

export interface ReplayOrder {
  readonly history: History;
  /** Rows in their order. */
  readonly rows: Uint32Array;
  readonly rules: Rules;
  /** The last day that any row tells. */
  readonly through: Day;
  /** At whose end the open lots are told; null where nobody asks. */
  readonly lotsOf: number | null;
  readonly lineSums: LineSums;
  /** The transaction in dollars, as far as prices tell. */
  readonly valued: (transaction: Transaction) => Transaction;
}

/** The name under which the engine knows the row of that rank; ranks and names have the same order. */
export function nameOf(rank: number): string {
  const low = rank % endings;
  // Most names have a beginning that the one before had too: putting two known texts together takes a fifth of the time.
  return threeDigits((rank - low) / endings) + threeDigits(low);
}

function threeDigits(number: number): string {
  const known = digits[number] ?? number.toString(36).padStart(3, '0');
  digits[number] = known;
  return known;
}

const endings = 36 ** 3;
const digits: (string | undefined)[] = [];

export function rankOf(name: string): number {
  return Number.parseInt(name, 36);
}

/** Rows that move the same book, or books that basis can flow between. */
export interface RowsOfBook {
  readonly keys: ReadonlySet<string>;
  /** Ascending. */
  readonly ranks: readonly number[];
}

/** Tells the facts of a book day by day, in a list that is empty afterwards; answers its open lots. An id is the row's rank, whatever the files were. */
export function replayBook(
  { keys, ranks }: RowsOfBook,
  { history, rows, rules, through, lotsOf, lineSums, valued }: ReplayOrder,
  onDay: (facts: readonly Fact[]) => void,
): readonly Lot[] {
  const ledger = new Ledger();
  const foreign: Transaction[] = [];
  for (const rank of ranks) {
    const row = rows[rank] ?? 0;
    const name = nameOf(rank);
    if (history.addTrade(ledger, row, name)) continue;
    const told = history.transaction(row, name);
    // What takes another row back says the same amount again: at another day's rate nobody would know it.
    if (isForeign(told)) foreign.push(told);
    else ledger.add(valued(told));
  }
  for (const told of withoutForeignReversed(foreign)) ledger.add(valued(told));
  let lots: readonly Lot[] = [];
  const keepLots = (ended: number, book: Book): void => {
    if (lotsOf !== null && ended <= lotsOf) lots = openLots(book);
  };
  const onState = lotsOf === null ? undefined : keepLots;
  replay(emptyBook(), ledger, rules, keys, { onState, through, lineSums, onDay });
  return lots;
}

/** As the service parts them: keys that basis can flow between are one book. By the names of the books. */
export function booksIn(history: History, rows: Uint32Array): RowsOfBook[] {
  const others = new Map<number, readonly string[]>();
  const links = new Map<string, [string, string]>();
  for (let rank = 0; rank < rows.length; rank++) {
    const row = rows[rank] as number;
    if (history.isAlone(row)) continue;
    const transaction = history.transaction(row, '');
    others.set(rank, assetKeysOf(transaction));
    for (const link of linksOf(transaction)) links.set(link.join('\n'), link);
  }
  const books = new BooksByKey(new Components(links.values()));
  for (let rank = 0; rank < rows.length; rank++) {
    const moved = others.get(rank);
    if (moved === undefined) books.of(history.keyOf(rows[rank] as number)).ranks.push(rank);
    else for (const book of new Set(moved.map((key) => books.of(key)))) book.ranks.push(rank);
  }
  return books.byName();
}

interface Gathered extends RowsOfBook {
  readonly keys: Set<string>;
  readonly ranks: number[];
}

class BooksByKey {
  private readonly books = new Map<string, Gathered>();
  private readonly ofKeys = new Map<string, Gathered>();

  constructor(private readonly components: Components) {}

  of(key: string): Gathered {
    const known = this.ofKeys.get(key);
    if (known !== undefined) return known;
    const name = this.components.bookOf(key);
    const book = this.books.get(name) ?? { keys: new Set(), ranks: [] };
    book.keys.add(key);
    this.books.set(name, book);
    this.ofKeys.set(key, book);
    return book;
  }

  byName(): Gathered[] {
    return [...this.books].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, book]) => book);
  }
}
