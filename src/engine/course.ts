import type { Day } from '../base/day.ts';
import { type Money, type Quantity, zeroQuantity } from '../base/decimal.ts';
import { isContract1256 } from './classes.ts';
import { type Acquire, type Dispose, daysCoveredFrom, type Event, orders } from './event.ts';
import { eventsOf } from './events.ts';
import { assetKeyOf, cashKey } from './keys.ts';
import type { Transaction } from './model.ts';
import { compareEvents } from './order.ts';

/**
 * The events of transactions in their canonical order. Purchases and sales for dollars, nearly all of a history, become
 * events only when their turn comes: a million of them kept would cost more than what they do (`scripts/bench`, engine).
 */
export class Course {
  readonly #trades: readonly Transaction[];
  readonly #others: readonly Event[];
  #tradesDone = 0;
  #othersDone = 0;

  /** Of the events those on assets of `keys`. */
  constructor(transactions: readonly Transaction[], keys: ReadonlySet<string>) {
    const trades: Transaction[] = [];
    const others: Event[] = [];
    for (const transaction of transactions) {
      if (isPlainTrade(transaction)) {
        if (keys.has(assetKeyOf(transaction.asset, transaction.assetClass))) trades.push(transaction);
      } else {
        for (const event of eventsOf(transaction)) if (keys.has(event.key)) others.push(event);
      }
    }
    this.#trades = isInOrder(trades) ? trades : trades.sort(compareTrades);
    this.#others = others.sort(compareEvents);
  }

  /** The day of the next event; null after the last. */
  get day(): Day | null {
    const trade = this.#trades[this.#tradesDone];
    const other = this.#others[this.#othersDone];
    if (trade === undefined || other === undefined) return trade?.on ?? other?.on ?? null;
    return Math.min(trade.on, other.on) as Day;
  }

  /** The next event, if it is one of that day. */
  nextOn(day: Day): Event | null {
    const trade = this.#trades[this.#tradesDone];
    const other = this.#others[this.#othersDone];
    const isOther = other !== undefined && other.on === day;
    if (trade === undefined || trade.on !== day) {
      if (!isOther) return null;
      this.#othersDone++;
      return other;
    }
    const event = eventOf(trade);
    if (isOther && compareEvents(other, event) < 0) {
      this.#othersDone++;
      return other;
    }
    this.#tradesDone++;
    return event;
  }
}

/** A purchase or sale of something for dollars: nothing but the one event, and nothing in it left to ask. */
function isPlainTrade(tx: Transaction): boolean {
  const { type, quantity, amount, assetClass } = tx;
  if (type !== 'buy' && type !== 'sell') return false;
  if (quantity === null || quantity <= 0n || amount === null || amount < 0n) return false;
  if (tx.feeAsset !== '' || tx.receivedAsset !== '' || tx.feeOwn !== null) return false;
  if (tx.currency !== 'USD' && tx.currency !== '') return false;
  if (assetClass === 'option' || isContract1256(assetClass)) return false;
  return assetKeyOf(tx.asset, assetClass) !== cashKey;
}

/** What `eventsOf` says of a plain trade, without asking what it can not be. */
function eventOf(tx: Transaction): Acquire | Dispose {
  const { on, at, asset, assetClass, account } = tx;
  const quantity = tx.quantity as Quantity;
  const amount = tx.amount as Money;
  const key = assetKeyOf(asset, assetClass);
  // Field by field: spreading a head would cost more than all the rest.
  if (tx.type === 'sell') {
    return {
      tx,
      ordinal: 0,
      order: orders.dispose,
      on,
      at,
      key,
      asset,
      assetClass,
      account,
      kind: 'dispose',
      quantity,
      proceeds: (tx.fee === null ? amount : amount - tx.fee) as Money,
      purpose: 'sale',
      fromReceived: false,
    };
  }
  return {
    tx,
    ordinal: 0,
    order: orders.acquire,
    on,
    at,
    key,
    asset,
    assetClass,
    account,
    kind: 'acquire',
    quantity,
    cost: (tx.fee === null ? amount : amount + tx.fee) as Money,
    missing: 'value_missing',
    acquired: on,
    heldSince: on,
    inherited: false,
    purchasedOn: on,
    lossCost: null,
    used: zeroQuantity,
    coveredFrom: daysCoveredFrom[assetClass],
    shares: null,
    underlyingKey: null,
    right: null,
  };
}

function isInOrder(trades: readonly Transaction[]): boolean {
  for (let at = 1; at < trades.length; at++) {
    if (compareTrades(trades[at - 1] as Transaction, trades[at] as Transaction) > 0) return false;
  }
  return true;
}

/** As `compareEvents`: purchases without a time begin the day, such sales end it. */
function compareTrades(a: Transaction, b: Transaction): number {
  return (
    a.on - b.on ||
    partOfDay(a) - partOfDay(b) ||
    (a.at ?? 0) - (b.at ?? 0) ||
    (a.type === b.type ? 0 : a.type === 'buy' ? -1 : 1) ||
    a.line - b.line ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}

function partOfDay(trade: Transaction): -1 | 0 | 1 {
  if (trade.at !== null) return 0;
  return trade.type === 'buy' ? -1 : 1;
}
