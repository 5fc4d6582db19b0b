import type { OpenLot } from './book.ts';
import type { Ledger } from './ledger.ts';
import type { AssetClass } from './model.ts';
import { TradeLots } from './trade-lots.ts';

/**
 * The open lots of a pool in the order in which they came. Most leave from the front or by running empty, so a lot that
 * ran empty is only counted out and skipped until the shelf is tidied: a map by id would cost more than all the rest of
 * a sale (`scripts/bench`, engine).
 */
export class Shelf {
  #members: OpenLot[] = [];
  #size = 0;
  /** Made when the first lot is asked for by its name. */
  #byId: Map<string, OpenLot> | null = null;
  /** Lots that are nothing but purchases yet. There are none while there are members: they become such when asked for. */
  #trades: TradeLots | null = null;

  get size(): number {
    return this.#size + (this.#trades?.size ?? 0);
  }

  /** The lots as columns, while all of them are, and of one class: a line has that of its lot. Null where they are not. */
  tradeLots(account: string, assetClass: AssetClass, ledger: Ledger): TradeLots | null {
    if (this.#size > 0) return null;
    const known = this.#trades;
    if (known?.assetClass === assetClass) return known;
    if (known !== null && known.size > 0) return null;
    this.#trades = new TradeLots(account, assetClass, ledger);
    return this.#trades;
  }

  /** Whether these columns still are the lots of the pool. */
  isAll(lots: TradeLots): boolean {
    return this.#trades === lots;
  }

  add(lot: OpenLot): void {
    this.#takeOut();
    this.#put(lot);
  }

  get(id: string): OpenLot | undefined {
    this.#byId ??= new Map(this.values().map((lot) => [lot.id, lot]));
    const lot = this.#byId.get(id);
    return lot === undefined || lot.quantity === 0n ? undefined : lot;
  }

  /** A lot has just run empty. */
  countOut(): void {
    this.#size--;
    if (this.#members.length > tidyFrom && this.#members.length > 2 * this.#size) this.#tidy();
  }

  /** Takes out a lot that still has units. */
  remove(lot: OpenLot): void {
    this.#members = this.values().filter((member) => member !== lot);
    this.#size = this.#members.length;
    this.#byId = null;
  }

  clear(): void {
    this.#members = [];
    this.#size = 0;
    this.#byId = null;
    this.#trades = null;
  }

  values(): OpenLot[] {
    this.#takeOut();
    if (this.#members.length > this.#size) this.#tidy();
    return [...this.#members];
  }

  /** Lots that later steps do not change. */
  copies(): OpenLot[] {
    if (this.#trades !== null) return this.#trades.toOpenLots();
    return this.values().map((lot) => ({ ...lot }));
  }

  #put(lot: OpenLot): void {
    this.#members.push(lot);
    this.#size++;
    this.#byId?.set(lot.id, lot);
  }

  #takeOut(): void {
    if (this.#trades === null) return;
    const lots = this.#trades.toOpenLots();
    this.#trades = null;
    for (const lot of lots) this.#put(lot);
  }

  #tidy(): void {
    this.#members = this.#members.filter((lot) => lot.quantity > 0n);
    this.#byId = null;
  }
}

const tidyFrom = 64;
