import type { Money } from '../base/decimal.ts';
import type { OpenLot } from './book.ts';
import type { Acquire } from './event.ts';
import { Heap } from './heap.ts';
import type { LotMethod, Transaction } from './model.ts';
import { openLot } from './opening.ts';
import { tradeEvent } from './trades.ts';

/**
 * Lots of plain purchases to which nothing has happened but plain sales, as columns: all else that an open lot knows
 * follows from its purchase. A lot as an object of its own takes longer to make than all the rest of a purchase takes
 * (`scripts/bench`, engine), and most lots are gone before anything asks for one. They come in canonical order, so their
 * numbers are an order by day and sequence. Cents stand in doubles, whole and below 2⁵³.
 */
export class TradeLots {
  readonly account: string;
  readonly purchases: Transaction[] = [];
  readonly left: bigint[] = [];
  readonly basis: number[] = [];
  readonly basisTaken: number[] = [];
  readonly #sequences: number[] = [];
  /** Since the last `keep`: from which lots, and what stood there. */
  readonly #takenFrom: number[] = [];
  readonly #leftBefore: bigint[] = [];
  readonly #takenBefore: number[] = [];
  #size = 0;
  /** All before it have run empty. */
  #head = 0;
  /** So have all from it on. */
  #end = 0;
  #byPrice: { readonly method: LotMethod; readonly heap: Heap<number> } | null = null;

  constructor(account: string) {
    this.account = account;
  }

  get size(): number {
    return this.#size;
  }

  add(purchase: Transaction, basis: number, sequence: number): void {
    if (this.#head > 4096 && this.#head * 2 > this.purchases.length) this.#forgetGone();
    const at = this.purchases.push(purchase) - 1;
    this.left.push(quantityOf(purchase));
    this.basis.push(basis);
    this.basisTaken.push(0);
    this.#sequences.push(sequence);
    this.#size++;
    this.#end = at + 1;
    this.#byPrice?.heap.add(at, rankOf(this.#byPrice.method, purchase));
  }

  /** The number of the lot that leaves next; -1 where none is left. */
  first(method: LotMethod): number {
    switch (method) {
      case 'LIFO':
        while (this.#end > this.#head && this.left[this.#end - 1] === 0n) this.#end--;
        return this.#end > this.#head ? this.#end - 1 : -1;
      case 'HIFO':
      case 'LOFO':
        return this.#firstByPrice(method);
      default:
        while (this.#head < this.#end && this.left[this.#head] === 0n) this.#head++;
        return this.#head < this.#end ? this.#head : -1;
    }
  }

  /** What is left of a lot after some of it has left, and what all sales together have taken of its basis. */
  take(at: number, left: bigint, basisTaken: number): void {
    this.#takenFrom.push(at);
    this.#leftBefore.push(this.left[at] as bigint);
    this.#takenBefore.push(this.basisTaken[at] as number);
    this.left[at] = left;
    this.basisTaken[at] = basisTaken;
    if (left === 0n) this.#size--;
  }

  /** What was taken stays taken. */
  keep(): void {
    this.#takenFrom.length = 0;
    this.#leftBefore.length = 0;
    this.#takenBefore.length = 0;
  }

  /** What was taken since the last `keep` is back, for others to take it. */
  giveBack(): void {
    for (let last = this.#takenFrom.length - 1; last >= 0; last--) {
      const at = this.#takenFrom[last] as number;
      if (this.left[at] === 0n) this.#size++;
      this.left[at] = this.#leftBefore[last] as bigint;
      this.basisTaken[at] = this.#takenBefore[last] as number;
      this.#head = Math.min(this.#head, at);
      this.#end = Math.max(this.#end, at + 1);
    }
    this.keep();
    this.#byPrice = null;
  }

  /** The lots that are left, each as an object of its own from now on. */
  toOpenLots(): OpenLot[] {
    const lots: OpenLot[] = [];
    for (let at = this.#head; at < this.#end; at++) if (this.left[at] !== 0n) lots.push(this.#openLot(at));
    return lots;
  }

  #openLot(at: number): OpenLot {
    const { account } = this;
    const [basis, sequence] = [BigInt(this.basis[at] as number), this.#sequences[at] as number];
    const event = tradeEvent(this.purchases[at] as Transaction) as Acquire;
    const lot = openLot(event, { account, basis, lossBasis: null, sequence });
    lot.quantity = this.left[at] as bigint;
    lot.basisTaken = BigInt(this.basisTaken[at] as number);
    return lot;
  }

  #firstByPrice(method: 'HIFO' | 'LOFO'): number {
    if (this.#byPrice?.method !== method) this.#byPrice = { method, heap: this.#lineUp(method) };
    const { heap } = this.#byPrice;
    for (;;) {
      const at = heap.first;
      if (at === undefined) return -1;
      if (this.left[at] !== 0n) return at;
      heap.removeFirst();
    }
  }

  #lineUp(method: 'HIFO' | 'LOFO'): Heap<number> {
    const { purchases } = this;
    const sign = method === 'HIFO' ? -1 : 1;
    const heap = new Heap<number>(
      (a, b) => sign * comparePrices(purchases[a] as Transaction, purchases[b] as Transaction) || a - b,
    );
    for (let at = this.#head; at < this.#end; at++) {
      if (this.left[at] !== 0n) heap.add(at, rankOf(method, purchases[at] as Transaction));
    }
    return heap;
  }

  #forgetGone(): void {
    for (const column of [this.purchases, this.left, this.basis, this.basisTaken, this.#sequences]) {
      column.splice(0, this.#head);
    }
    this.#end -= this.#head;
    this.#head = 0;
    this.#byPrice = null;
  }
}

/** Near the unit price, as `lotRanks`: these amounts are bounded, so it is always a number. */
function rankOf(method: LotMethod, purchase: Transaction): number {
  const price = Number(costOf(purchase)) / Number(quantityOf(purchase));
  return method === 'HIFO' ? -price : price;
}

function comparePrices(a: Transaction, b: Transaction): number {
  const left = costOf(a) * quantityOf(b);
  const right = costOf(b) * quantityOf(a);
  return left < right ? -1 : left > right ? 1 : 0;
}

function costOf(purchase: Transaction): bigint {
  return (purchase.amount as Money) + (purchase.fee ?? 0n);
}

function quantityOf(purchase: Transaction): bigint {
  return purchase.quantity ?? 0n;
}
