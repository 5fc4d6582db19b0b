/**
 * A binary heap of lots, or of their numbers: the first of them by an order is always at hand; adding and taking cost log n. Each lot stands
 * with its rank, a number near what the order asks first, so that most comparisons never look at the lots themselves:
 * reading them from memory is what a deep heap spends its time on (`scripts/bench`, engine: 100,000 open lots).
 */
export class Heap<T> {
  readonly #lots: T[] = [];
  readonly #ranks: number[] = [];
  readonly #order: (a: T, b: T) => number;

  constructor(order: (a: T, b: T) => number) {
    this.#order = order;
  }

  get first(): T | undefined {
    return this.#lots[0];
  }

  get firstRank(): number {
    return this.#ranks[0] ?? Number.NaN;
  }

  add(lot: T, rank: number): void {
    const lots = this.#lots;
    const ranks = this.#ranks;
    let at = lots.length;
    lots.push(lot);
    ranks.push(rank);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (isBefore(ranks[parent] as number, lots[parent] as T, rank, lot, this.#order)) break;
      lots[at] = lots[parent] as T;
      ranks[at] = ranks[parent] as number;
      at = parent;
    }
    lots[at] = lot;
    ranks[at] = rank;
  }

  removeFirst(): void {
    const lots = this.#lots;
    const ranks = this.#ranks;
    const lot = lots.pop();
    const rank = ranks.pop() as number;
    if (lot === undefined || lots.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= lots.length) break;
      if (child + 1 < lots.length && this.#isBefore(child + 1, child)) child++;
      if (isBefore(rank, lot, ranks[child] as number, lots[child] as T, this.#order)) break;
      lots[at] = lots[child] as T;
      ranks[at] = ranks[child] as number;
      at = child;
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
  const doubt = (Math.abs(rankA) + Math.abs(rankB)) * 1e-12;
  if (rankA < rankB - doubt) return true;
  if (rankA > rankB + doubt) return false;
  return order(a, b) < 0;
}
