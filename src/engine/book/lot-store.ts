import type { OpenLot } from './book.ts';

/** Lots that a pool holds as numbers in columns, until somebody asks for one as an object (`plain/plain-lots.ts`). */
export interface ColumnarLots {
  readonly size: number;
  toOpenLots(): OpenLot[];
}

/**
 * The open lots of a pool in the order in which they came. Most leave from the front or by running empty, so a lot that
 * ran empty is only counted out and skipped until the store is tidied: a map by id would cost more than all the rest of
 * a sale (`scripts/bench`, engine).
 */
export class LotStore {
  #members: OpenLot[] = [];
  #size = 0;
  /** Made when the first lot is asked for by its name. */
  #byId: Map<string, OpenLot> | null = null;
  /** Lots that are nothing but purchases yet. There are none while there are members: they become such when asked for. */
  #columns: ColumnarLots | null = null;

  get size(): number {
    return this.#size + (this.#columns?.size ?? 0);
  }

  /** The lots as columns, while all of them are; null where lots are objects, or were never columns. */
  get columns(): ColumnarLots | null {
    return this.#columns;
  }

  /** Holds the lots as columns from now on; only where it holds none. */
  holdAs(columns: ColumnarLots): void {
    if (this.size > 0) throw new Error('Lots that are held already cannot become columns.');
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
    this.#columns = null;
  }

  values(): OpenLot[] {
    this.#takeOut();
    if (this.#members.length > this.#size) this.#tidy();
    return [...this.#members];
  }

  /** Lots that later steps do not change. */
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
    this.#members = this.#members.filter((lot) => lot.quantity > 0n);
    this.#byId = null;
  }
}

const tidyFrom = 64;
