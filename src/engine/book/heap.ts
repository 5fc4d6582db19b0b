/**
 * A priority queue of lot numbers. Returning the first lot takes constant time. Adding and removing a lot take log n.
 * Each lot is stored with its rank, a double near the first sort key, so most comparisons do not read the lots. Reading
 * them from memory is the main cost of a deep heap (`scripts/bench`, engine: 100,000 open lots). For the same reason
 * each node has four adjacent children, which halves the depth of the heap.
 */
export class Heap {
  readonly #order: (a: number, b: number) => number;
  #lots: Int32Array;
  #ranks: Float64Array;
  #size: number;

  /** Creates a heap that takes ownership of the two arrays. */
  constructor(order: (a: number, b: number) => number, lots = new Int32Array(0), ranks = new Float64Array(0)) {
    this.#order = order;
    this.#lots = lots;
    this.#ranks = ranks;
    this.#size = lots.length;
    for (let at = (this.#size - 2) >> 2; at >= 0; at--) this.#sink(at, lots[at] as number, ranks[at] as number);
  }

  get size(): number {
    return this.#size;
  }

  /** The number of the first lot, or -1 if the heap is empty. */
  get first(): number {
    return this.#size === 0 ? -1 : (this.#lots[0] as number);
  }

  get firstRank(): number {
    return this.#size === 0 ? Number.NaN : (this.#ranks[0] as number);
  }

  add(lot: number, rank: number): void {
    if (this.#size === this.#lots.length) this.#makeRoom();
    this.#rise(this.#size++, 0, lot, rank);
  }

  removeFirst(): void {
    if (this.#size === 0) return;
    const last = --this.#size;
    if (last > 0) this.#sink(0, this.#lots[last] as number, this.#ranks[last] as number);
  }

  /** Renumbers the lots. Their order must not change. */
  rename(numberOf: (lot: number) => number): void {
    const lots = this.#lots;
    for (let at = 0; at < this.#size; at++) lots[at] = numberOf(lots[at] as number);
  }

  /**
   * Moves the free slot down to a leaf, then moves the lot up from there. This is faster because most lots belong near
   * the bottom.
   */
  #sink(top: number, lot: number, rank: number): void {
    const lots = this.#lots;
    const ranks = this.#ranks;
    const order = this.#order;
    const size = this.#size;
    let at = top;
    for (let below = at * 4 + 1; below < size; below = at * 4 + 1) {
      const end = Math.min(below + 4, size);
      let next = below;
      let nextRank = ranks[below] as number;
      for (let other = below + 1; other < end; other++) {
        const otherRank = ranks[other] as number;
        if (!isBefore(otherRank, lots[other] as number, nextRank, lots[next] as number, order)) continue;
        next = other;
        nextRank = otherRank;
      }
      lots[at] = lots[next] as number;
      ranks[at] = nextRank;
      at = next;
    }
    this.#rise(at, top, lot, rank);
  }

  #rise(from: number, top: number, lot: number, rank: number): void {
    const lots = this.#lots;
    const ranks = this.#ranks;
    let at = from;
    while (at > top) {
      const above = (at - 1) >> 2;
      if (isBefore(ranks[above] as number, lots[above] as number, rank, lot, this.#order)) break;
      lots[at] = lots[above] as number;
      ranks[at] = ranks[above] as number;
      at = above;
    }
    lots[at] = lot;
    ranks[at] = rank;
  }

  #makeRoom(): void {
    const room = Math.max(sizeAtFirst, 2 * this.#size);
    const [lots, ranks] = [new Int32Array(room), new Float64Array(room)];
    lots.set(this.#lots);
    ranks.set(this.#ranks);
    this.#lots = lots;
    this.#ranks = ranks;
  }
}

const sizeAtFirst = 16;

/**
 * Returns whether a comes before b. Ranks decide if they differ by more than their error (a rank is accurate to 15
 * digits). If they do not, or if one is NaN, `order` compares the integers.
 */
export function isBefore<T>(rankA: number, a: T, rankB: number, b: T, order: (a: T, b: T) => number): boolean {
  const apart = rankA - rankB;
  return Math.abs(apart) > Math.abs(rankA + rankB) * 1e-12 ? apart < 0 : order(a, b) < 0;
}
