import { type Money, type Quantity, zeroQuantity } from '../base/decimal.ts';
import { isContract1256 } from './classes.ts';
import { type Acquire, type Dispose, daysCoveredFrom, orders } from './event.ts';
import { assetKeyOf, cashKey } from './keys.ts';
import type { Transaction } from './model.ts';

/** Purchases and sales for dollars are nearly all of a history. They are one event each, and have an order of their own. */

/** A purchase or sale of something for dollars: nothing but the one event, and nothing in it left to ask. */
export function isPlainTrade(tx: Transaction): boolean {
  const { type, quantity, amount, assetClass } = tx;
  if (type !== 'buy' && type !== 'sell') return false;
  if (quantity === null || quantity <= 0n || amount === null || amount < 0n) return false;
  if (tx.feeAsset !== '' || tx.receivedAsset !== '' || tx.feeOwn !== null) return false;
  if ((tx.currency !== 'USD' && tx.currency !== '') || tx.lots.length > 0) return false;
  if (assetClass === 'option' || isContract1256(assetClass)) return false;
  return assetKeyOf(tx.asset, assetClass) !== cashKey;
}

/** What `eventsOf` says of a plain trade, without asking what it can not be. */
export function tradeEvent(tx: Transaction): Acquire | Dispose {
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

/** As `compareEvents`: purchases without a time begin the day, such sales end it. */
export function compareTrades(a: Transaction, b: Transaction): number {
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
