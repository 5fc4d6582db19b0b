import { formatDay } from '../../../base/day.ts';
import { formatQuantity, type Money, type Quantity } from '../../../base/decimal.ts';
import { createAllocator, scale } from '../../book/amounts.ts';
import type { OpenLoss, OpenShort, RecentSale } from '../../book/book.ts';
import { type Fold, noteTransaction, type Pool, raise, reorder } from '../../book/fold.ts';
import { transitPrefix } from '../../book/own-accounts.ts';
import { dollars, type TransactionEvent, tradeFee } from '../../events/event.ts';
import type { Ratio } from '../../model.ts';
import { dispose } from '../sales/sale.ts';
import { splitPuts } from '../short-sales/puts.ts';
import {
  isFirstToday,
  isReached,
  listAffectedPools,
  listAffectedShorts,
  listRebasedLots,
  makesTooMany,
  raiseIncomplete,
  raiseNothingHeld,
  scaleShort,
  sumQuantities,
  sumUnitsShort,
} from './corporate-actions.ts';

/**
 * Applies a split or stock dividend: multiplies the units of each lot, which keeps its basis and dates (IRC 305(a),
 * 307, 1223(4)). Cash for a fraction is the sale of that fraction (Pub. 550, "Fractional shares"). A row states the
 * ratio, or, from some brokers, the number of shares added.
 */
export function split(fold: Fold, event: TransactionEvent): void {
  const { quantity, amount } = event.tx;
  const pools = listAffectedPools(fold, event);
  const fresh = pools.filter((pool) => !isStatedOtherwise(fold, event, pool.account));
  const shorts = listAffectedShorts(fold, event).filter((short) => !isStatedOtherwise(fold, event, short.account));
  const anyCounted = pools.length > fresh.length;
  const ratio = event.tx.ratio ?? ratioOfShares(fold, event, fresh, shorts, anyCounted);
  if (ratio === null || makesTooMany(fold, event, sumQuantities(fresh) + sumUnitsShort(shorts), ratio)) return;
  for (const account of new Set([...fresh, ...shorts].map((position) => position.account)))
    recordStated(fold, event, account);
  for (const pool of fresh) {
    // If several rows of one account state shares added, these are summed. If several state the same ratio, it counts
    // once.
    if (event.tx.ratio === null || isFirstToday(fold, event, pool)) splitPool(fold, pool, ratio, event);
  }
  splitShorts(fold, event, shorts, ratio);
  splitPuts(fold, event, ratio, (account) => isReached(event, account) && !isStatedOtherwise(fold, event, account));
  splitLosses(fold, event, ratio);
  const account = event.account === '' ? pools[0]?.account : event.account;
  if (quantity === null || quantity <= 0n || amount === null || account === undefined) return;
  const proceeds = dollars(event.tx, amount);
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

/**
 * Returns the ratio (held + added) / held for the accounts of the action. If nothing is held, it is computed from open
 * short positions.
 */
function ratioOfShares(
  fold: Fold,
  event: TransactionEvent,
  pools: readonly Pool[],
  shorts: readonly OpenShort[],
  counted: boolean,
): Ratio | null {
  const added = event.tx.quantity;
  if (added === null || added === 0n || event.tx.amount !== null) {
    raiseIncomplete(fold, event, 'the ratio');
    return null;
  }
  const owned = sumQuantities(pools);
  const held = owned > 0n ? owned : sumUnitsShort(shorts);
  if (held === 0n) {
    // No row states the value of the added shares.
    if (!counted) raiseNothingHeld(fold, event, null);
    return null;
  }
  if (held + added <= 0n) {
    const [gone, there] = [formatQuantity(-added as Quantity), formatQuantity(held as Quantity)];
    const detail = `The split of ${event.asset} on ${formatDay(event.on)} removes ${gone}, but only ${there} were held. Nothing was changed.`;
    raise(fold, event, 'unreconciled', detail);
    return null;
  }
  const common = commonDivisor(held + added, held);
  return { numerator: (held + added) / common, denominator: held / common };
}

/**
 * Returns whether an account already stated today's split in the other form: by ratio instead of by shares added, or
 * vice versa. The form stated first counts.
 */
function isStatedOtherwise(fold: Fold, event: TransactionEvent, account: string): boolean {
  const other = event.tx.ratio === null ? 'ratio' : 'shares';
  return fold.actionsToday.has(`split by ${other} ${event.key} ${account}`);
}

function recordStated(fold: Fold, event: TransactionEvent, account: string): void {
  const how = event.tx.ratio === null ? 'shares' : 'ratio';
  fold.actionsToday.add(`split by ${how} ${event.key} ${account}`);
}

function splitPool(fold: Fold, pool: Pool, ratio: Ratio, event: TransactionEvent): void {
  noteTransaction(pool, event.tx.id);
  const deal = createAllocator(scale(sumQuantities([pool]), ratio), sumQuantities([pool]));
  for (const lot of listRebasedLots(pool)) {
    const quantity = deal(lot.quantity);
    lot.used = lot.used === lot.quantity ? quantity : scale(lot.used, ratio);
    lot.quantity = quantity;
    lot.wholeQuantity = quantity;
    lot.unitBasis *= ratio.denominator;
    lot.unitQuantity *= ratio.numerator;
    // Less than the smallest unit is left, so the lot is empty.
    if (quantity === 0n) pool.lots.countOut();
  }
  reorder(pool);
  fold.distributions = fold.distributions.map((one) =>
    one.key === pool.key && one.account === pool.account ? { ...one, quantity: scale(one.quantity, ratio) } : one,
  );
  for (const transit of fold.transits) {
    if (transitPrefix + transit.transactionId !== pool.account) continue;
    Object.assign(transit, { quantity: scale(transit.quantity, ratio), lessFee: scale(transit.lessFee, ratio) });
  }
}

function splitShorts(fold: Fold, event: TransactionEvent, reached: readonly OpenShort[], ratio: Ratio): void {
  if (reached.length === 0) return;
  const nameOf = (short: OpenShort): string =>
    `split ${event.key} ${ratio.numerator}:${ratio.denominator} short ${short.account}`;
  // As for shares held, a ratio stated twice counts once per account. A short opened between the two rows is already in
  // new shares.
  const fresh = reached.filter((short) => event.tx.ratio === null || !fold.actionsToday.has(nameOf(short)));
  for (const short of fresh) {
    fold.actionsToday.add(nameOf(short));
    scaleShort(short, ratio);
  }
  const left = (fold.shorts.get(event.key) ?? []).filter((short) => short.quantity > 0n);
  if (left.length > 0) fold.shorts.set(event.key, left);
  else fold.shorts.delete(event.key);
}

/**
 * Converts the quantities of open losses, because share counts are compared after the split (26 CFR 1.1091-1(c), by
 * share). If several accounts state shares added, the first one counts, because cash paid for fractions makes each
 * ratio only approximate.
 */
function splitLosses(fold: Fold, event: TransactionEvent, ratio: Ratio): void {
  const byShares = event.tx.ratio === null;
  const stated = byShares ? `${shares}${event.on} ${event.account}` : `${ratio.numerator}:${ratio.denominator}`;
  const losses: (OpenLoss | RecentSale)[] = [
    ...(fold.losses.get(event.key)?.members ?? []),
    ...(fold.shortLosses.get(event.key) ?? []),
    ...(fold.sales.get(event.key) ?? []),
    ...(fold.soldPurchases.get(event.key) ?? []),
  ];
  for (const loss of losses) {
    const counted = byShares
      ? loss.splits.some((other) => other !== stated)
      : loss.splits.some((other) => other === stated || other.startsWith(shares));
    if (counted) continue;
    loss.splits.push(stated);
    loss.quantity = scale(loss.quantity, ratio);
    loss.matched = scale(loss.matched, ratio);
  }
}

const shares = 'shares ';

function commonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
