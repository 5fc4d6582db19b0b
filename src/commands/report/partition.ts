import { assetKeyOf, assetKeysOf, linksOf } from '../../engine/events/keys.ts';
import type { Transaction } from '../../engine/model.ts';
import { Components } from '../../features/books/components.ts';
import type { AssetTrades, FileHistory, OtherRow } from './history.ts';

/** Rows that move the same asset, or assets that basis can flow between. */
export interface BookRows {
  readonly keys: ReadonlySet<string>;
  readonly trades: readonly AssetTrades[];
  readonly others: readonly OtherRow[];
}

/** As the service parts them: keys that basis can flow between are one book. By the names of the books. */
export function booksIn({ trades, others }: FileHistory): BookRows[] {
  const books = new BooksByKey(new Components(others.flatMap(({ transaction }) => linksIn(transaction))));
  for (const one of trades) if (one.rows.length > 0) books.of(one.key).trades.push(one);
  for (const other of others) {
    for (const book of new Set(keysOf(other.transaction).map((key) => books.of(key)))) book.others.push(other);
  }
  return books.byName();
}

function keysOf(transaction: Transaction): string[] {
  const { asset, assetClass } = transaction;
  return isAlone(transaction) ? [assetKeyOf(asset, assetClass)] : assetKeysOf(transaction);
}

function linksIn(transaction: Transaction): [string, string][] {
  return isAlone(transaction) ? [] : linksOf(transaction);
}

/** Whether it moves no other asset than its own, as nearly every row. */
function isAlone({ type, assetClass, receivedAsset, feeAsset }: Transaction): boolean {
  if (assetClass === 'option' || type === 'exercise' || type === 'assign') return false;
  return receivedAsset === '' && feeAsset === '';
}

interface GrowingBook extends BookRows {
  readonly keys: Set<string>;
  readonly trades: AssetTrades[];
  readonly others: OtherRow[];
}

class BooksByKey {
  readonly #books = new Map<string, GrowingBook>();
  readonly #ofKeys = new Map<string, GrowingBook>();

  constructor(private readonly components: Components) {}

  of(key: string): GrowingBook {
    const known = this.#ofKeys.get(key);
    if (known !== undefined) return known;
    const name = this.components.bookOf(key);
    const book = this.#books.get(name) ?? { keys: new Set(), trades: [], others: [] };
    book.keys.add(key);
    this.#books.set(name, book);
    this.#ofKeys.set(key, book);
    return book;
  }

  byName(): GrowingBook[] {
    return [...this.#books].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, book]) => book);
  }
}
