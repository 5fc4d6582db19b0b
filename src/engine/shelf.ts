import type { OpenLot } from './book.ts';

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

  get size(): number {
    return this.#size;
  }

  add(lot: OpenLot): void {
    this.#members.push(lot);
    this.#size++;
    this.#byId?.set(lot.id, lot);
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
  }

  values(): OpenLot[] {
    if (this.#members.length > this.#size) this.#tidy();
    return [...this.#members];
  }

  #tidy(): void {
    this.#members = this.#members.filter((lot) => lot.quantity > 0n);
    this.#byId = null;
  }
}

const tidyFrom = 64;
