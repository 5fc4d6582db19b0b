import type { OpenLot } from './book.ts';
import { Heap, isBefore } from './heap.ts';
import { type LotOrder, lotOrders, lotRanks } from './methods.ts';
import type { LotMethod } from './model.ts';

/**
 * Open lots lined up in the order of a method, the next to leave always at hand. Lots that come in order stand in a row;
 * one that comes out of order (most do where the price decides) waits in a heap beside it. Lots that ran empty are passed
 * over when they come up.
 */
export class Lineup {
  readonly method: LotMethod;
  readonly #order: LotOrder;
  readonly #rankOf: (lot: OpenLot) => number;
  #row: OpenLot[];
  #head = 0;
  #lastRank = Number.NaN;
  readonly #late: Heap<OpenLot>;

  constructor(method: LotMethod, lots: OpenLot[]) {
    this.method = method;
    this.#order = lotOrders[method];
    this.#rankOf = lotRanks[method];
    this.#row = lots.sort(this.#order);
    this.#late = new Heap(this.#order);
    const last = lots[lots.length - 1];
    if (last !== undefined) this.#lastRank = this.#rankOf(last);
  }

  add(lot: OpenLot): void {
    const rank = this.#rankOf(lot);
    const last = this.#row[this.#row.length - 1];
    if (last !== undefined && isBefore(rank, lot, this.#lastRank, last, this.#order)) {
      this.#late.add(lot, rank);
      return;
    }
    this.#row.push(lot);
    this.#lastRank = rank;
  }

  first(): OpenLot | undefined {
    const inRow = this.#firstOfRow();
    let late = this.#late.first;
    while (late !== undefined && late.quantity === 0n) {
      this.#late.removeFirst();
      late = this.#late.first;
    }
    if (inRow === undefined || late === undefined) return inRow ?? late;
    return isBefore(this.#rankOf(inRow), inRow, this.#late.firstRank, late, this.#order) ? inRow : late;
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

  /** Gives back the room of those passed over, seldom enough to cost nothing. */
  #forgetGone(): void {
    if (this.#head < 1024 || this.#head * 2 < this.#row.length) return;
    this.#row = this.#row.slice(this.#head);
    this.#head = 0;
  }
}
