import type { Day, Instant } from '../../base/day.ts';
import type { Money, Quantity } from '../../base/decimal.ts';
import type { AssetClass, Statement, Transaction } from '../model.ts';
import { unstatedMembers } from '../unstated-members.ts';
import { isContract1256, isDebt } from './classes.ts';
import { dividesFee } from './event.ts';
import { cashKey, toAssetKey } from './keys.ts';
import { fitsLimbs, highOf, joinLimbs, lowOf } from './limbs.ts';

/**
 * The transactions of a replay. Nearly all transactions are purchases and sales for dollars with few fields. They are
 * stored as columns, so a million of them are read from memory once and in order (`scripts/bench`, engine). Other
 * transactions are stored as objects.
 */
export class Ledger {
  readonly others: Transaction[] = [];
  readonly ids: string[] = [];
  readonly externalIds: string[] = [];
  readonly lines: number[] = [];
  readonly ons: Day[] = [];
  /** Times in microseconds. NaN if only the day is known. */
  readonly ats: number[] = [];
  readonly isSale: boolean[] = [];
  /** The indexes of asset and account in `places`. */
  readonly placeOf: number[] = [];
  readonly quantityHighs: number[] = [];
  readonly quantityLows: number[] = [];
  /** Amounts in 10⁻⁸ dollars. They are whole numbers, small enough that amount plus fee is exact. */
  readonly amounts: number[] = [];
  readonly fees: number[] = [];
  readonly places: AccountAsset[] = [];
  /** The first fill of the order of each purchase (`fills.ts`). Null until a rule needs it. */
  firstFills: ReadonlyMap<string, string> | null = null;
  readonly #placesByName = new Map<string, Map<string, number>>();
  #lastPlace = -1;

  static of(transactions: Iterable<Transaction>): Ledger {
    const ledger = new Ledger();
    for (const transaction of transactions) ledger.add(transaction);
    return ledger;
  }

  get trades(): number {
    return this.ids.length;
  }

  get size(): number {
    return this.trades + this.others.length;
  }

  /** Returns all transactions as objects. */
  transactions(): Transaction[] {
    const all = [...this.others];
    for (let trade = 0; trade < this.trades; trade++) all.push(this.trade(trade));
    return all;
  }

  add(tx: Transaction): void {
    if (tx.zoned === true || !this.addStated(tx, tx)) this.others.push(tx);
  }

  /**
   * Adds a plain trade from a statement. Returns false and changes nothing if it is not a plain trade or is too large
   * for the columns.
   */
  addStated(stated: Statement, { id, line, assetClass }: Pick<Transaction, 'id' | 'line' | 'assetClass'>): boolean {
    const { type, on, at, account, asset, externalId, quantity, amount, fee } = stated;
    if (quantity === null || amount === null || !fitsLimbs(quantity) || !isPlainTrade(stated, assetClass)) return false;
    return this.addTrade({
      id,
      externalId,
      line,
      on,
      at,
      isSale: type === 'sell',
      account,
      asset,
      assetClass,
      high: highOf(quantity),
      low: lowOf(quantity),
      amount: Number(amount),
      fee: fee === null ? 0 : Number(fee),
    });
  }

  /** Adds a plain trade from numbers. Returns false and changes nothing if it is too large for the columns. */
  addTrade(trade: PlainTrade): boolean {
    if (trade.amount > amountMax || Math.abs(trade.fee) > amountMax) return false;
    this.ids.push(trade.id);
    this.externalIds.push(trade.externalId);
    this.lines.push(trade.line);
    this.ons.push(trade.on);
    this.ats.push(trade.at ?? Number.NaN);
    this.isSale.push(trade.isSale);
    this.placeOf.push(this.#place(trade.account, trade.asset, trade.assetClass));
    this.quantityHighs.push(trade.high);
    this.quantityLows.push(trade.low);
    this.amounts.push(trade.amount);
    this.fees.push(trade.fee);
    return true;
  }

  /** Returns the trade with this number in the form in which it was added. */
  plainTrade(at: number): PlainTrade {
    const { account, asset, assetClass } = this.places[this.placeOf[at] as number] as AccountAsset;
    return {
      id: this.ids[at] as string,
      externalId: this.externalIds[at] as string,
      line: this.lines[at] as number,
      on: this.ons[at] as Day,
      at: this.instant(at),
      isSale: this.isSale[at] as boolean,
      account,
      asset,
      assetClass,
      high: this.quantityHighs[at] as number,
      low: this.quantityLows[at] as number,
      amount: this.amounts[at] as number,
      fee: this.fees[at] as number,
    };
  }

  /** Returns the trade with this number as a transaction. */
  trade(at: number): Transaction {
    const { account, asset, assetClass } = this.places[this.placeOf[at] as number] as AccountAsset;
    return {
      ...unstatedMembers,
      id: this.ids[at] as string,
      line: this.lines[at] as number,
      type: this.isSale[at] ? 'sell' : 'buy',
      on: this.ons[at] as Day,
      at: this.instant(at),
      account,
      asset,
      assetClass,
      quantity: this.quantity(at),
      amount: BigInt(this.amounts[at] as number) as Money,
      fee: BigInt(this.fees[at] as number) as Money,
      externalId: this.externalIds[at] as string,
    };
  }

  quantity(at: number): Quantity {
    return joinLimbs(this.quantityHighs[at] as number, this.quantityLows[at] as number);
  }

  /** Returns the time of a trade, or null if only the day is known. */
  instant(at: number): Instant | null {
    const instant = this.ats[at] as number;
    return Number.isNaN(instant) ? null : (instant as Instant);
  }

  /** Returns the numbers of the trades in canonical order, or null if they are already stored in that order. */
  order(): Int32Array | null {
    let at = 1;
    while (at < this.trades && this.compare(at - 1, at) <= 0) at++;
    if (at >= this.trades) return null;
    return Int32Array.from(this.ids.keys()).sort((a, b) => this.compare(a, b));
  }

  /**
   * Compares in the same order as `compareEvents`: purchases without a time come first in the day, sales without a time
   * last.
   */
  compare(a: number, b: number): number {
    const { ons, ats, isSale, lines, ids } = this;
    const days = (ons[a] as Day) - (ons[b] as Day);
    if (days !== 0) return days;
    const atA = ats[a] as number;
    const atB = ats[b] as number;
    const parts = partOfDay(atA, isSale[a] as boolean) - partOfDay(atB, isSale[b] as boolean);
    if (parts !== 0) return parts;
    if (atA !== atB && !Number.isNaN(atA)) return atA - atB;
    if (isSale[a] !== isSale[b]) return isSale[a] ? 1 : -1;
    return (lines[a] as number) - (lines[b] as number) || ((ids[a] as string) < (ids[b] as string) ? -1 : 1);
  }

  #place(account: string, asset: string, assetClass: AssetClass): number {
    const last = this.places[this.#lastPlace];
    if (last?.account === account && last.asset === asset && last.assetClass === assetClass) return this.#lastPlace;
    this.#lastPlace = this.#placeNamed(account, asset, assetClass);
    return this.#lastPlace;
  }

  #placeNamed(account: string, asset: string, assetClass: AssetClass): number {
    const places = this.#placesOf(account);
    const known = places.get(asset);
    if (known !== undefined && this.places[known]?.assetClass === assetClass) return known;
    // The account has a coin and a stock with the same name.
    const name = known === undefined ? asset : `${assetClass} ${asset}`;
    const made =
      places.get(name) ?? this.places.push({ account, asset, assetClass, key: toAssetKey(asset, assetClass) }) - 1;
    places.set(name, made);
    return made;
  }

  #placesOf(account: string): Map<string, number> {
    const known = this.#placesByName.get(account);
    if (known !== undefined) return known;
    const places = new Map<string, number>();
    this.#placesByName.set(account, places);
    return places;
  }
}

/** A purchase or sale for dollars (`isPlainTrade`). The quantity is positive. The amount is zero or more. */
export interface PlainTrade {
  readonly id: string;
  readonly externalId: string;
  readonly line: number;
  readonly on: Day;
  readonly at: Instant | null;
  readonly isSale: boolean;
  readonly account: string;
  readonly asset: string;
  readonly assetClass: AssetClass;
  /** The quantity in two limbs (`limbs.ts`). */
  readonly high: number;
  readonly low: number;
  /** Amount in 10⁻⁸ dollars, as a double. A missing fee is zero. */
  readonly amount: number;
  readonly fee: number;
}

/** An asset in an account, with its asset key. */
export interface AccountAsset {
  readonly account: string;
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly key: string;
}

/** Twenty million dollars. The sum of two such amounts is exact in a double. */
const amountMax = 2e15;

/** Returns whether a transaction is a purchase or sale for dollars that becomes exactly one event. */
function isPlainTrade(stated: Statement, assetClass: AssetClass): boolean {
  const { type, currency, asset, quantity, amount, feeAsset, receivedAsset, lots } = stated;
  if (stated.maturity !== null || stated.accruedInterest !== null || stated.marketDiscount !== null) return false;
  if (!isPlainlyTraded({ type, currency, asset, assetClass })) return false;
  if (quantity === null || quantity <= 0n || amount === null || amount < 0n) return false;
  return feeAsset === '' && receivedAsset === '' && lots.length === 0 && !dividesFee(stated);
}

/** Returns whether a row with these fields may be a plain trade. */
export function isPlainlyTraded({
  type,
  currency,
  asset,
  assetClass,
}: Pick<Transaction, 'type' | 'currency' | 'asset' | 'assetClass'>): boolean {
  if ((type !== 'buy' && type !== 'sell') || (currency !== 'USD' && currency !== '')) return false;
  if (assetClass === 'option' || assetClass === 'currency' || isContract1256(assetClass) || isDebt(assetClass))
    return false;
  return toAssetKey(asset, assetClass) !== cashKey;
}

function partOfDay(at: number, isSale: boolean): -1 | 0 | 1 {
  if (!Number.isNaN(at)) return 0;
  return isSale ? 1 : -1;
}
