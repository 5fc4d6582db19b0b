import type { Day } from '../../base/day.ts';
import type { OpenLot } from '../book/book.ts';
import { Heap } from '../book/heap.ts';
import type { ColumnarLots } from '../book/lot-store.ts';
import { openLot } from '../book/opening.ts';
import { findFirstFill } from '../events/fills.ts';
import type { Ledger } from '../events/ledger.ts';
import { computeShare, joinLimbs, limb } from '../events/limbs.ts';
import type { AssetClass, LotMethod } from '../model.ts';
import { comparePrices, computeLotRank, toOpeningEvent } from './purchase.ts';

/**
 * The lots of plain purchases from which only plain sales took units, as columns of numbers. All other fields of an
 * open lot are derived from its purchase. Creating an object for a lot takes longer than the rest of a purchase
 * (`scripts/bench`, engine), and most lots are used up before one is needed. Lots arrive in canonical order, so lot
 * numbers are in the order of day and sequence. Quantities are in limbs. Cents are whole numbers in doubles below 2⁵³.
 */
export class PlainLots implements ColumnarLots {
  readonly account: string;
  readonly assetClass: AssetClass;
  readonly ledger: Ledger;
  /** The last slice taken by `take`: its units, share of the basis, and lot. */
  takenHigh = 0;
  takenLow = 0;
  takenBasis = 0;
  acquired = 0 as Day;
  openedBy = '';
  /** `members` doubles per lot, stored next to each other, so that a sale reads a lot from memory in one access. */
  #lots = new Float64Array(8 * members);
  readonly #sequences: number[] = [];
  #count = 0;
  /** The lots changed since the last commit, with their previous values. */
  readonly #before: number[] = [];
  #taken = 0;
  #size = 0;
  /** All lots before this index are empty. */
  #head = 0;
  /** All lots from this index on are empty. */
  #end = 0;
  #byPrice: ByPrice | null = null;

  constructor(account: string, assetClass: AssetClass, ledger: Ledger) {
    this.account = account;
    this.assetClass = assetClass;
    this.ledger = ledger;
  }

  get size(): number {
    return this.#size;
  }

  add(purchase: number, basis: number, sequence: number): void {
    if (this.#count * members === this.#lots.length) this.#makeRoom();
    const at = this.#count++;
    const lots = this.#lots;
    const from = at * members;
    const high = this.ledger.quantityHighs[purchase] as number;
    const low = this.ledger.quantityLows[purchase] as number;
    lots[from + leftHigh] = high;
    lots[from + leftLow] = low;
    lots[from + basisTaken] = 0;
    lots[from + wholeBasis] = basis;
    lots[from + boughtHigh] = high;
    lots[from + boughtLow] = low;
    lots[from + boughtOn] = this.ledger.ons[purchase] as Day;
    lots[from + purchaseOf] = purchase;
    this.#sequences.push(sequence);
    this.#size++;
    this.#end = at + 1;
    this.#byPrice?.heap.add(at, computeLotRank(this.ledger, this.#byPrice.method, purchase));
  }

  /** Takes up to this many units from the next lot. Returns false if no lot is left. */
  take(method: PlainMethod, high: number, low: number): boolean {
    const at = this.#first(method);
    if (at === -1) return false;
    const lots = this.#lots;
    const from = at * members;
    const heldHigh = lots[from + leftHigh] as number;
    const heldLow = lots[from + leftLow] as number;
    const takenBefore = lots[from + basisTaken] as number;
    this.#remember(at, heldHigh, heldLow, takenBefore);
    let basisUpTo = lots[from + wholeBasis] as number;
    if (heldHigh > high || (heldHigh === high && heldLow > low)) {
      const borrowed = heldLow < low ? 1 : 0;
      const leftOverHigh = heldHigh - high - borrowed;
      const leftOverLow = heldLow - low + borrowed * limb;
      const wholeHigh = lots[from + boughtHigh] as number;
      const wholeLow = lots[from + boughtLow] as number;
      basisUpTo = computeShare(basisUpTo, wholeHigh - leftOverHigh, wholeLow - leftOverLow, wholeHigh, wholeLow);
      lots[from + leftHigh] = leftOverHigh;
      lots[from + leftLow] = leftOverLow;
      this.takenHigh = high;
      this.takenLow = low;
    } else {
      this.#size--;
      lots[from + leftHigh] = 0;
      lots[from + leftLow] = 0;
      this.takenHigh = heldHigh;
      this.takenLow = heldLow;
    }
    lots[from + basisTaken] = basisUpTo;
    this.takenBasis = basisUpTo - takenBefore;
    this.acquired = ((lots[from + boughtOn] as number) | 0) as Day;
    this.openedBy = this.ledger.ids[this.#purchase(at)] as string;
    return true;
  }

  /** Commits the units taken since the last commit. */
  commit(): void {
    this.#taken = 0;
  }

  /** Restores the units taken since the last commit, so that the general path can take them. */
  rollBack(): void {
    const before = this.#before;
    const lots = this.#lots;
    while (this.#taken > 0) {
      this.#taken -= 4;
      const [at, high, low, basis] = before.slice(this.#taken, this.#taken + 4) as [number, number, number, number];
      if (this.#isGone(at)) this.#size++;
      lots[at * members + leftHigh] = high;
      lots[at * members + leftLow] = low;
      lots[at * members + basisTaken] = basis;
      this.#head = Math.min(this.#head, at);
      this.#end = Math.max(this.#end, at + 1);
    }
    this.#byPrice = null;
  }

  /** Returns the remaining lots as objects. */
  toOpenLots(): OpenLot[] {
    const lots: OpenLot[] = [];
    for (let at = this.#head; at < this.#end; at++) if (!this.#isGone(at)) lots.push(this.#openLot(at));
    return lots;
  }

  #remember(at: number, high: number, low: number, basis: number): void {
    const before = this.#before;
    before[this.#taken++] = at;
    before[this.#taken++] = high;
    before[this.#taken++] = low;
    before[this.#taken++] = basis;
  }

  /** Returns the number of the next lot, or -1 if no lot is left. */
  #first(method: PlainMethod): number {
    switch (method) {
      case 'LIFO':
        while (this.#end > this.#head && this.#isGone(this.#end - 1)) this.#end--;
        return this.#end > this.#head ? this.#end - 1 : -1;
      case 'HIFO':
      case 'LOFO':
        return this.#firstByPrice(method);
      case 'FIFO':
        while (this.#head < this.#end && this.#isGone(this.#head)) this.#head++;
        return this.#head < this.#end ? this.#head : -1;
      default:
        return method satisfies never;
    }
  }

  #isGone(at: number): boolean {
    return this.#lots[at * members + leftHigh] === 0 && this.#lots[at * members + leftLow] === 0;
  }

  #openLot(at: number): OpenLot {
    const from = at * members;
    const lot = openLot(toOpeningEvent(this.ledger, this.#purchase(at)), {
      account: this.account,
      basis: BigInt(this.#lots[from + wholeBasis] as number),
      lossBasis: null,
      sequence: this.#sequences[at] as number,
      origin: this.#originOf(this.#purchase(at)),
    });
    lot.quantity = joinLimbs(this.#lots[from + leftHigh] as number, this.#lots[from + leftLow] as number);
    lot.basisTaken = BigInt(this.#lots[from + basisTaken] as number);
    return lot;
  }

  #originOf(trade: number): string | null {
    if (this.ledger.instant(trade) === null) return null;
    return `${findFirstFill(this.ledger, this.ledger.ids[trade] as string)}/0`;
  }

  #purchase(at: number): number {
    return this.#lots[at * members + purchaseOf] as number;
  }

  #firstByPrice(method: 'HIFO' | 'LOFO'): number {
    if (this.#byPrice?.method !== method) this.#byPrice = { method, heap: this.#heapByPrice(method) };
    const { heap } = this.#byPrice;
    for (;;) {
      const at = heap.first;
      if (at === -1 || !this.#isGone(at)) return at;
      heap.removeFirst();
    }
  }

  #heapByPrice(method: 'HIFO' | 'LOFO'): Heap {
    const { ledger } = this;
    const sign = method === 'HIFO' ? -1 : 1;
    const numbers = new Int32Array(this.#size);
    const ranks = new Float64Array(this.#size);
    let found = 0;
    for (let at = this.#head; at < this.#end; at++) {
      if (this.#isGone(at)) continue;
      numbers[found] = at;
      ranks[found++] = computeLotRank(ledger, method, this.#purchase(at));
    }
    const order = (a: number, b: number): number =>
      sign * comparePrices(ledger, this.#purchase(a), this.#purchase(b)) || a - b;
    return new Heap(order, numbers, ranks);
  }

  /**
   * Makes room for more lots. If at least half of all lots are empty, it reuses their space. Otherwise it doubles the
   * space.
   */
  #makeRoom(): void {
    if (this.#size * 2 <= this.#count) {
      this.#forgetGone();
      return;
    }
    const lots = new Float64Array(2 * this.#lots.length);
    lots.set(this.#lots);
    this.#lots = lots;
  }

  #forgetGone(): void {
    this.#byPrice = this.#byPriceIfLeft();
    const numbers = new Int32Array(this.#end);
    let kept = 0;
    for (let at = this.#head; at < this.#end; at++) {
      if (this.#isGone(at)) continue;
      this.#lots.copyWithin(kept * members, at * members, (at + 1) * members);
      this.#sequences[kept] = this.#sequences[at] as number;
      numbers[at] = kept++;
    }
    this.#byPrice?.heap.rename((at) => numbers[at] as number);
    this.#sequences.length = kept;
    this.#head = 0;
    this.#end = kept;
    this.#count = kept;
  }

  /**
   * Returns the heap without empty lots. Returns null if another method emptied lots inside it, so that the heap is
   * rebuilt.
   */
  #byPriceIfLeft(): ByPrice | null {
    if (this.#byPrice === null) return null;
    this.#first(this.#byPrice.method);
    return this.#byPrice.heap.size === this.#size ? this.#byPrice : null;
  }
}

/** The methods that the fast path supports. Other methods use the general path, which needs an object for each lot. */
const plainMethods = ['FIFO', 'LIFO', 'HIFO', 'LOFO'] as const satisfies readonly LotMethod[];
export type PlainMethod = (typeof plainMethods)[number];

export function isPlainMethod(method: LotMethod): method is PlainMethod {
  return (plainMethods as readonly LotMethod[]).includes(method);
}

interface ByPrice {
  readonly method: 'HIFO' | 'LOFO';
  readonly heap: Heap;
}

/**
 * The position of each field of a lot: the remaining units, the basis taken so far, the whole basis, and the purchase.
 */
const [leftHigh, leftLow, basisTaken, wholeBasis] = [0, 1, 2, 3];
const [boughtHigh, boughtLow, boughtOn, purchaseOf] = [4, 5, 6, 7];
const members = 8;
