import { linksOfFormNames } from '../../engine/events/form-names.ts';
import { listAssetKeys, listAssetLinks, toAssetKey } from '../../engine/events/keys.ts';
import type { FormAssetNames } from '../../engine/model.ts';
import { Components } from '../../features/ledger/books/replay-books.ts';
import { type AssetTrades, type FileHistory, type OtherRow, toTransaction } from './history.ts';

/** Rows that move the same asset, or assets that basis can flow between. */
export interface BookRows {
  readonly keys: ReadonlySet<string>;
  readonly trades: readonly AssetTrades[];
  readonly others: readonly OtherRow[];
}

/** Groups rows as the service does: keys that basis can flow between form one book. Uses the names in the books. */
export function splitIntoBooks({ trades, others }: FileHistory, formNames?: FormAssetNames): BookRows[] {
  const links = others.flatMap((other) => (isAlone(other) ? [] : listKeyLinks(other)));
  const books = new BooksByKey(new Components([...links, ...linksOfFormNames(formNames)]));
  for (const one of trades) if (one.rows.length > 0) books.of(one.key).trades.push(one);
  for (const other of others) {
    const { asset = '', assetClass } = other.stated;
    if (isAlone(other)) books.of(toAssetKey(asset, assetClass)).others.push(other);
    else for (const book of new Set(listKeys(other).map((key) => books.of(key)))) book.others.push(other);
  }
  return books.byName();
}

/** Returns whether the row moves only its own asset, as nearly every row does. */
function isAlone({ stated: { type, assetClass, receivedAsset, feeAsset } }: OtherRow): boolean {
  if (assetClass === 'option' || type === 'exercise' || type === 'assign') return false;
  return receivedAsset === undefined && feeAsset === undefined;
}

function listKeys(other: OtherRow): string[] {
  return listAssetKeys(toTransaction(other, '', 0));
}

function listKeyLinks(other: OtherRow): [string, string][] {
  return listAssetLinks(toTransaction(other, '', 0));
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
    const name = this.components.resolveBook(key);
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
