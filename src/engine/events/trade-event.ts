import { type Money, type Quantity, zeroQuantity } from '../../base/decimal.ts';
import type { Transaction } from '../model.ts';
import { type AcquireEvent, type DisposeEvent, daysCoveredFrom, orders } from './event.ts';
import { toAssetKey } from './keys.ts';

/** The event of a plain trade (`ledger.ts`): like `buildEvents`, without the checks that a plain trade has passed. */
export function tradeEvent(tx: Transaction): AcquireEvent | DisposeEvent {
  const { on, at, asset, assetClass, account } = tx;
  const quantity = tx.quantity as Quantity;
  const amount = tx.amount as Money;
  const key = toAssetKey(asset, assetClass);
  // Copied member by member: spreading a head takes longer than everything else here.
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
