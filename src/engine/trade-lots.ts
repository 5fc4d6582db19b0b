import type { Day } from '../base/day.ts';
import { type Money, type Quantity, zeroQuantity } from '../base/decimal.ts';
import type { OpenLot } from './book.ts';
import { daysCoveredFrom } from './event.ts';
import { Heap } from './heap.ts';
import type { Ledger, Place } from './ledger.ts';
import { joined, limb } from './limbs.ts';
import type { AssetClass, LotMethod } from './model.ts';
import { type Opener, openLot } from './opening.ts';

/**
 * Lots of plain purchases to which nothing has happened but plain sales, as columns: all else that an open lot knows
 * follows from its purchase. A lot as an object of its own takes longer to make than all the rest of a purchase takes
 * (`scripts/bench`, engine), and most lots are gone before anything asks for one. They come in canonical order, so their
 * numbers are an order by day and sequence. Quantities are in limbs, cents in doubles, whole and below 2⁵³.
 */
export class TradeLots {
  readonly account: string;
  readonly assetClass: AssetClass;
  readonly ledger: Ledger;
  /** The number of the purchase in the ledger. */
  purchases: number[] = [];
  highs: number[] = [];
  lows: number[] = [];
  basis: number[] = [];
  basisTaken: number[] = [];
  #sequences: number[] = [];
  /** Since the last `keep`: from which lots, and what stood there. */
  readonly #takenFrom: number[] = [];
  readonly #highsBefore: number[] = [];
  readonly #lowsBefore: number[] = [];
  readonly #basisBefore: number[] = [];
  #taken = 0;
  #size = 0;
  /** All before it have run empty. */
  #head = 0;
  /** So have all from it on. */
  #end = 0;
  #byPrice: { readonly method: LotMethod; readonly heap: Heap<number> } | null = null;

  constructor(account: string, assetClass: AssetClass, ledger: Ledger) {
    this.account = account;
    this.assetClass = assetClass;
    this.ledger = ledger;
  }

  get size(): number {
    return this.#size;
  }

  add(purchase: number, basis: number, sequence: number): void {
    if (this.#head > 4096 && this.#head * 2 > this.purchases.length) this.#forgetGone();
    const at = this.purchases.push(purchase) - 1;
    this.highs.push(this.ledger.quantityHighs[purchase] as number);
    this.lows.push(this.ledger.quantityLows[purchase] as number);
    this.basis.push(basis);
    this.basisTaken.push(0);
    this.#sequences.push(sequence);
    this.#size++;
    this.#end = at + 1;
    this.#byPrice?.heap.add(at, this.#rank(this.#byPrice.method, purchase));
  }

  /** The number of the lot that leaves next; -1 where none is left. */
  first(method: LotMethod): number {
    switch (method) {
      case 'LIFO':
        while (this.#end > this.#head && this.#isGone(this.#end - 1)) this.#end--;
        return this.#end > this.#head ? this.#end - 1 : -1;
      case 'HIFO':
      case 'LOFO':
        return this.#firstByPrice(method);
      default:
        while (this.#head < this.#end && this.#isGone(this.#head)) this.#head++;
        return this.#head < this.#end ? this.#head : -1;
    }
  }

  /** What is left of a lot after some of it has left, and what all sales together have taken of its basis. */
  take(at: number, high: number, low: number, basisTaken: number): void {
    const taken = this.#taken++;
    this.#takenFrom[taken] = at;
    this.#highsBefore[taken] = this.highs[at] as number;
    this.#lowsBefore[taken] = this.lows[at] as number;
    this.#basisBefore[taken] = this.basisTaken[at] as number;
    this.highs[at] = high;
    this.lows[at] = low;
    this.basisTaken[at] = basisTaken;
    if (high === 0 && low === 0) this.#size--;
  }

  /** What was taken stays taken. */
  keep(): void {
    this.#taken = 0;
  }

  /** What was taken since the last `keep` is back, for others to take it. */
  giveBack(): void {
    while (this.#taken > 0) {
      const last = --this.#taken;
      const at = this.#takenFrom[last] as number;
      if (this.#isGone(at)) this.#size++;
      this.highs[at] = this.#highsBefore[last] as number;
      this.lows[at] = this.#lowsBefore[last] as number;
      this.basisTaken[at] = this.#basisBefore[last] as number;
      this.#head = Math.min(this.#head, at);
      this.#end = Math.max(this.#end, at + 1);
    }
    this.#byPrice = null;
  }

  /** The lots that are left, each as an object of its own from now on. */
  toOpenLots(): OpenLot[] {
    const lots: OpenLot[] = [];
    for (let at = this.#head; at < this.#end; at++) if (!this.#isGone(at)) lots.push(this.#openLot(at));
    return lots;
  }

  #isGone(at: number): boolean {
    return this.highs[at] === 0 && this.lows[at] === 0;
  }

  #openLot(at: number): OpenLot {
    const purchase = this.purchases[at] as number;
    const lot = openLot(openerOf(this.ledger, purchase), {
      account: this.account,
      basis: BigInt(this.basis[at] as number),
      lossBasis: null,
      sequence: this.#sequences[at] as number,
    });
    lot.quantity = joined(this.highs[at] as number, this.lows[at] as number);
    lot.basisTaken = BigInt(this.basisTaken[at] as number);
    return lot;
  }

  #firstByPrice(method: 'HIFO' | 'LOFO'): number {
    if (this.#byPrice?.method !== method) this.#byPrice = { method, heap: this.#lineUp(method) };
    const { heap } = this.#byPrice;
    for (;;) {
      const at = heap.first;
      if (at === undefined) return -1;
      if (!this.#isGone(at)) return at;
      heap.removeFirst();
    }
  }

  #lineUp(method: 'HIFO' | 'LOFO'): Heap<number> {
    const { purchases } = this;
    const sign = method === 'HIFO' ? -1 : 1;
    const heap = new Heap<number>(
      (a, b) => sign * this.#comparePrices(purchases[a] as number, purchases[b] as number) || a - b,
    );
    for (let at = this.#head; at < this.#end; at++) {
      if (!this.#isGone(at)) heap.add(at, this.#rank(method, purchases[at] as number));
    }
    return heap;
  }

  /** Near the unit price, as `lotRanks`. */
  #rank(method: LotMethod, purchase: number): number {
    const { quantityHighs, quantityLows } = this.ledger;
    const price =
      this.#cost(purchase) / ((quantityHighs[purchase] as number) * limb + (quantityLows[purchase] as number));
    return method === 'HIFO' ? -price : price;
  }

  #comparePrices(a: number, b: number): number {
    const left = BigInt(this.#cost(a)) * this.#quantity(b);
    const right = BigInt(this.#cost(b)) * this.#quantity(a);
    return left < right ? -1 : left > right ? 1 : 0;
  }

  #cost(purchase: number): number {
    return costOf(this.ledger, purchase);
  }

  #quantity(purchase: number): Quantity {
    return quantityOf(this.ledger, purchase);
  }

  #forgetGone(): void {
    const from = this.#head;
    this.purchases = this.purchases.slice(from);
    this.highs = this.highs.slice(from);
    this.lows = this.lows.slice(from);
    this.basis = this.basis.slice(from);
    this.basisTaken = this.basisTaken.slice(from);
    this.#sequences = this.#sequences.slice(from);
    this.#end -= from;
    this.#head = 0;
    this.#byPrice = null;
  }
}

/** What a purchase of a ledger tells the lot that it opens. */
export function openerOf(ledger: Ledger, purchase: number): Opener {
  const { ids, externalIds, ons, placeOf, places } = ledger;
  const { key, asset, assetClass } = places[placeOf[purchase] as number] as Place;
  const on = ons[purchase] as Day;
  return {
    tx: { id: ids[purchase] as string, externalId: externalIds[purchase] as string },
    ordinal: 0,
    on,
    key,
    asset,
    assetClass,
    quantity: quantityOf(ledger, purchase),
    cost: BigInt(costOf(ledger, purchase)) as Money,
    acquired: on,
    heldSince: on,
    inherited: false,
    purchasedOn: on,
    used: zeroQuantity,
    coveredFrom: daysCoveredFrom[assetClass],
    shares: null,
    underlyingKey: null,
    right: null,
  };
}

function costOf(ledger: Ledger, purchase: number): number {
  return (ledger.amounts[purchase] as number) + (ledger.fees[purchase] as number);
}

function quantityOf(ledger: Ledger, purchase: number): Quantity {
  return joined(ledger.quantityHighs[purchase] as number, ledger.quantityLows[purchase] as number);
}
