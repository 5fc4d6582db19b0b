/**
 * A heap of lots, or of their numbers: the first of them by an order is always at hand; adding and taking cost log n.
 * Each lot stands with its rank, a number near what the order asks first, so that most comparisons never look at the lots
 * themselves: reading them from memory is what a deep heap spends its time on (`scripts/bench`, engine: 100,000 open
 * lots). For the same reason each has four below it, side by side, and not two: half as many places to go to.
 */
export class Heap<T> {
  readonly #lots: T[];
  readonly #ranks: number[];
  readonly #order: (a: T, b: T) => number;

  /** The lists are the heap's own from then on. */
  constructor(order: (a: T, b: T) => number, lots: T[] = [], ranks: number[] = []) {
    this.#order = order;
    this.#lots = lots;
    this.#ranks = ranks;
    for (let at = (lots.length - 2) >> 2; at >= 0; at--) this.#sink(at, lots[at] as T, ranks[at] as number);
  }

  get size(): number {
    return this.#lots.length;
  }

  get first(): T | undefined {
    return this.#lots[0];
  }

  get firstRank(): number {
    return this.#ranks[0] ?? Number.NaN;
  }

  add(lot: T, rank: number): void {
    this.#lots.push(lot);
    this.#ranks.push(rank);
    this.#rise(this.#lots.length - 1, 0, lot, rank);
  }

  removeFirst(): void {
    const lot = this.#lots.pop();
    const rank = this.#ranks.pop();
    if (lot !== undefined && rank !== undefined && this.#lots.length > 0) this.#sink(0, lot, rank);
  }

  /** The same lots by other names, which change nothing in their order. */
  rename(nameOf: (lot: T) => T): void {
    for (const [at, lot] of this.#lots.entries()) this.#lots[at] = nameOf(lot);
  }

  /** A free place goes down to where nothing is below it; the lot rises from there, for it mostly belongs far below. */
  #sink(top: number, lot: T, rank: number): void {
    const lots = this.#lots;
    const ranks = this.#ranks;
    let at = top;
    for (let below = at * 4 + 1; below < lots.length; below = at * 4 + 1) {
      const end = Math.min(below + 4, lots.length);
      let next = below;
      for (let other = below + 1; other < end; other++) if (this.#isBefore(other, next)) next = other;
      lots[at] = lots[next] as T;
      ranks[at] = ranks[next] as number;
      at = next;
    }
    this.#rise(at, top, lot, rank);
  }

  #rise(from: number, top: number, lot: T, rank: number): void {
    const lots = this.#lots;
    const ranks = this.#ranks;
    let at = from;
    while (at > top) {
      const above = (at - 1) >> 2;
      if (isBefore(ranks[above] as number, lots[above] as T, rank, lot, this.#order)) break;
      lots[at] = lots[above] as T;
      ranks[at] = ranks[above] as number;
      at = above;
    }
    lots[at] = lot;
    ranks[at] = rank;
  }

  #isBefore(a: number, b: number): boolean {
    const lots = this.#lots;
    const ranks = this.#ranks;
    return isBefore(ranks[a] as number, lots[a] as T, ranks[b] as number, lots[b] as T, this.#order);
  }
}

/**
 * Ranks decide where they lie further apart than they can be wrong (a rank is right to 15 digits); where they do not, or
 * are no numbers, the order itself does, in integers.
 */
export function isBefore<T>(rankA: number, a: T, rankB: number, b: T, order: (a: T, b: T) => number): boolean {
  const apart = rankA - rankB;
  return Math.abs(apart) > Math.abs(rankA + rankB) * 1e-12 ? apart < 0 : order(a, b) < 0;
}
