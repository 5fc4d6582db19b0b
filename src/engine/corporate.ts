import type { Money } from '../base/decimal.ts';
import { dealer } from './amounts.ts';
import { type Act, dollars, tradeFee } from './event.ts';
import { type Fold, leaveTrail, type Pool, poolOf } from './fold.ts';
import { addLot, reorder, transitPrefix } from './lots.ts';
import type { Ratio } from './model.ts';
import {
  followUnderlying,
  inOrder,
  isFirstToday,
  poolsOf,
  quantityOf,
  raiseIncomplete,
  retire,
  scale,
} from './reach.ts';
import { dispose } from './sale.ts';

/**
 * A split or stock dividend multiplies each lot; basis and dates stay with it (IRC 305(a), 307, 1223(4)). The money for
 * a fraction is the sale of that fraction (Pub. 550, "Fractional shares").
 */
export function split(fold: Fold, event: Act): void {
  const { ratio, quantity } = event.tx;
  if (ratio === null) {
    raiseIncomplete(fold, event, 'the ratio');
    return;
  }
  const pools = poolsOf(fold, event);
  for (const pool of pools.filter((candidate) => isFirstToday(fold, event, candidate)))
    splitPool(fold, pool, ratio, event);
  splitShorts(fold, event, ratio);
  splitLosses(fold, event, ratio);
  const account = event.account === '' ? pools[0]?.account : event.account;
  if (quantity === null || quantity <= 0n || event.tx.amount === null || account === undefined) return;
  const proceeds = dollars(event.tx, event.tx.amount);
  dispose(fold, {
    ...event,
    kind: 'dispose',
    ordinal: 1,
    account,
    quantity,
    proceeds: proceeds === null ? null : ((proceeds - tradeFee(event.tx)) as Money),
    purpose: 'sale',
    fromReceived: false,
  });
}

/** A new name for the same thing: everything about it stays. */
export function rename(fold: Fold, event: Act, receivedKey: string): void {
  const { receivedAsset } = event.tx;
  for (const pool of poolsOf(fold, event)) {
    const successor = poolOf(fold, receivedKey, pool.account);
    leaveTrail(successor, event.tx.id);
    for (const lot of retire(pool)) addLot(fold, successor, { ...lot, key: receivedKey, asset: receivedAsset });
  }
  const shorts = fold.shorts.get(event.key) ?? [];
  for (const short of shorts) Object.assign(short, { key: receivedKey, asset: receivedAsset });
  if (shorts.length > 0) {
    fold.shorts.set(receivedKey, [...(fold.shorts.get(receivedKey) ?? []), ...shorts]);
    fold.shorts.delete(event.key);
  }
  const losses = fold.losses.get(event.key);
  if (losses !== undefined) {
    const moved = losses.members.slice(losses.head).map((loss) => ({ ...loss, key: receivedKey }));
    const there = fold.losses.get(receivedKey);
    const members = [...(there?.members.slice(there.head) ?? []), ...moved].sort((a, b) => a.on - b.on);
    fold.losses.set(receivedKey, { members, head: 0 });
    fold.losses.delete(event.key);
  }
  fold.transits = fold.transits.map((transit) =>
    transit.key === event.key ? { ...transit, key: receivedKey, asset: receivedAsset } : transit,
  );
  followUnderlying(fold, event.key, receivedKey);
}

function splitPool(fold: Fold, pool: Pool, ratio: Ratio, event: Act): void {
  leaveTrail(pool, event.tx.id);
  const deal = dealer(scale(quantityOf([pool]), ratio), quantityOf([pool]));
  for (const lot of inOrder(pool)) {
    const quantity = deal(lot.quantity);
    lot.used = lot.used === lot.quantity ? quantity : scale(lot.used, ratio);
    lot.quantity = quantity;
    lot.wholeQuantity = quantity;
    lot.unitBasis *= ratio.denominator;
    lot.unitQuantity *= ratio.numerator;
    // Less than the smallest unit there is: nothing is left of it.
    if (quantity === 0n) pool.lots.delete(lot.id);
  }
  reorder(pool);
  for (const transit of fold.transits) {
    if (transitPrefix + transit.transactionId !== pool.account) continue;
    Object.assign(transit, { quantity: scale(transit.quantity, ratio), lessFee: scale(transit.lessFee, ratio) });
  }
}

function splitShorts(fold: Fold, event: Act, ratio: Ratio): void {
  for (const short of fold.shorts.get(event.key) ?? []) {
    if (event.account !== '' && event.account !== short.account) continue;
    const action = `split ${event.key} ${ratio.numerator}:${ratio.denominator} short ${short.id}`;
    if (fold.actionsToday.has(action)) continue;
    fold.actionsToday.add(action);
    for (const field of ['quantity', 'wholeQuantity', 'heldLong', 'heldShort', 'used'] as const) {
      short[field] = scale(short[field], ratio);
    }
  }
  const left = (fold.shorts.get(event.key) ?? []).filter((short) => short.quantity > 0n);
  if (left.length > 0) fold.shorts.set(event.key, left);
  else fold.shorts.delete(event.key);
}

/** Share counts are compared after the split (26 CFR 1.1091-1(c), by share). */
function splitLosses(fold: Fold, event: Act, ratio: Ratio): void {
  const told = `${ratio.numerator}:${ratio.denominator}`;
  for (const loss of [...(fold.losses.get(event.key)?.members ?? []), ...(fold.shortLosses.get(event.key) ?? [])]) {
    if (loss.splits.includes(told)) continue;
    loss.splits.push(told);
    loss.quantity = scale(loss.quantity, ratio);
    loss.matched = scale(loss.matched, ratio);
  }
}
