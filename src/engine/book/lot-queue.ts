import { type LotOrder, lotMethodTable } from '../lot-methods.ts';
import type { LotMethod } from '../model.ts';
import type { OpenLot } from './book.ts';
import { Heap, isBefore } from './heap.ts';

/**
 * The open lots of a pool in the order of a method. Lots that arrive in order are appended to a sorted list. Other lots
 * go to a heap. If the method sorts by price, most lots go to the heap. Empty lots are skipped.
 */
export class LotQueue {
  readonly method: LotMethod;
  readonly #order: LotOrder;
  readonly #rankOf: (lot: OpenLot) => number;
  #row: OpenLot[];
  #head = 0;
  #lastRank = Number.NaN;
  /** Lots that arrived out of order, and a heap of their indices in this list. */
  #lateLots: (OpenLot | undefined)[] = [];
  readonly #late: Heap;

  constructor(method: LotMethod, lots: OpenLot[]) {
    this.method = method;
    this.#order = lotMethodTable[method].order;
    this.#rankOf = lotMethodTable[method].rank;
    this.#row = lots.sort(this.#order);
    this.#late = new Heap((a, b) => this.#order(this.#lateLots[a] as OpenLot, this.#lateLots[b] as OpenLot));
    const last = lots[lots.length - 1];
    if (last !== undefined) this.#lastRank = this.#rankOf(last);
  }

  add(lot: OpenLot): void {
    const rank = this.#rankOf(lot);
    const last = this.#row[this.#row.length - 1];
    if (last !== undefined && isBefore(rank, lot, this.#lastRank, last, this.#order)) {
      this.#forgetLate();
      this.#late.add(this.#lateLots.push(lot) - 1, rank);
      return;
    }
    this.#row.push(lot);
    this.#lastRank = rank;
  }

  first(): OpenLot | undefined {
    const inRow = this.#firstOfRow();
    const late = this.#firstLate();
    if (inRow === undefined || late === undefined) return inRow ?? late;
    return isBefore(this.#rankOf(inRow), inRow, this.#late.firstRank, late, this.#order) ? inRow : late;
  }

  #firstLate(): OpenLot | undefined {
    for (let at = this.#late.first; at !== -1; at = this.#late.first) {
      const lot = this.#lateLots[at];
      if (lot !== undefined && lot.quantity > 0n) return lot;
      this.#lateLots[at] = undefined;
      this.#late.removeFirst();
    }
    return undefined;
  }

  #firstOfRow(): OpenLot | undefined {
    for (; this.#head < this.#row.length; this.#head++) {
      const lot = this.#row[this.#head] as OpenLot;
      if (lot.quantity > 0n) {
        this.#forgetGone();
        return lot;
      }
    }
    return undefined;
  }

  /** Does the same as `#forgetGone`, for lots that arrived out of order. */
  #forgetLate(): void {
    if (this.#lateLots.length < 1024 || this.#late.size * 2 > this.#lateLots.length) return;
    const [lots, kept] = [this.#lateLots, [] as OpenLot[]];
    this.#late.rename((at) => kept.push(lots[at] as OpenLot) - 1);
    this.#lateLots = kept;
  }

  /**
   * Frees the memory of skipped lots. Runs only when they are at least half of the list, so the cost per lot is
   * negligible.
   */
  #forgetGone(): void {
    if (this.#head < 1024 || this.#head * 2 < this.#row.length) return;
    this.#row = this.#row.slice(this.#head);
    this.#head = 0;
  }
}
