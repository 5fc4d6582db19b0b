import type { OpenLot } from './book.ts';

/** The lots of a pool as columns of numbers. They become objects only when one is needed (`plain/plain-lots.ts`). */
export interface ColumnarLots {
  readonly size: number;
  toOpenLots(): OpenLot[];
}

/**
 * The open lots of a pool in the order in which they arrived. Lots are usually used up in order, so an empty lot is
 * only subtracted from the size. It stays in the list, and is skipped, until the store is compacted. Keeping a map by
 * id up to date would take longer than everything else in a sale (`scripts/bench`, engine).
 */
export class LotStore {
  #members: OpenLot[] = [];
  #size = 0;
  /** Created when a lot is first looked up by id. */
  #byId: Map<string, OpenLot> | null = null;
  /**
   * Lots of plain purchases, as columns. The store contains either columns or objects. The columns become objects when
   * an object is needed.
   */
  #columns: ColumnarLots | null = null;

  get size(): number {
    return this.#size + (this.#columns?.size ?? 0);
  }

  /** The lots as columns, or null if they are objects. */
  get columns(): ColumnarLots | null {
    return this.#columns;
  }

  /** Stores the lots as columns from now on. The store must be empty. */
  holdAs(columns: ColumnarLots): void {
    if (this.size > 0) throw new Error('Cannot store lots as columns: the store already has lots.');
    this.#columns = columns;
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

  /** Records that a lot just became empty. */
  countOut(): void {
    this.#size--;
    if (this.#members.length > tidyFrom && this.#members.length > 2 * this.#size) this.#tidy();
  }

  /** Removes a lot that still has units. */
  remove(lot: OpenLot): void {
    this.#members = this.values().filter((member) => member !== lot);
    this.#size = this.#members.length;
    this.#byId = null;
  }

  clear(): void {
    this.#members = [];
    this.#size = 0;
    this.#byId = null;
    this.#columns = null;
  }

  values(): OpenLot[] {
    this.#takeOut();
    if (this.#members.length > this.#size) this.#tidy();
    return [...this.#members];
  }

  /** Returns copies that later events do not change. */
  copies(): OpenLot[] {
    if (this.#columns !== null) return this.#columns.toOpenLots();
    return this.values().map((lot) => ({ ...lot }));
  }

  #put(lot: OpenLot): void {
    this.#members.push(lot);
    this.#size++;
    this.#byId?.set(lot.id, lot);
  }

  #takeOut(): void {
    if (this.#columns === null) return;
    const lots = this.#columns.toOpenLots();
    this.#columns = null;
    for (const lot of lots) this.#put(lot);
  }

  #tidy(): void {
    let kept = 0;
    for (const lot of this.#members) if (lot.quantity > 0n) this.#members[kept++] = lot;
    this.#members.length = kept;
    this.#byId = null;
  }
}

const tidyFrom = 64;
