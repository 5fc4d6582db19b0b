import { type Money, proportion } from '../../../base/decimal.ts';
import { type Fold, getOrCreatePool, roundCarrying } from '../../book/fold.ts';
import { dollars, isUnvalued, type TransactionEvent, tradeFee } from '../../events/event.ts';
import { isContractKey } from '../../events/keys.ts';
import { writeContract } from '../lines/disposal.ts';
import { raiseUnreadable } from '../lots/sale-issues.ts';
import { take } from '../lots/take.ts';
import { writeSale } from '../sales/sale.ts';
import { raiseNotOpen, takeWritten, writeClosings, zeroPremium } from './options.ts';

/**
 * Returns whether an option settles in cash and never delivers shares, because it is on a broad-based index or on a
 * future.
 */
export function settlesInCash(event: TransactionEvent): boolean {
  return isContractKey(event.key);
}

/**
 * Closes a section 1256 contract that is exercised, assigned or expired, for the cash that it pays (IRC 1256(c)(1)).
 * The holder receives the cash and the writer pays it. The row states the amount. If an expiry states no amount, the
 * contract expired worthless.
 */
export function settleInCash(fold: Fold, event: TransactionEvent): void {
  const { type, quantity, amount, fee } = event.tx;
  if (type !== 'expire' && (quantity === null || quantity <= 0n)) {
    raiseUnreadable(fold, event, 'quantity');
    return;
  }
  const cash = dollars(event.tx, amount);
  const isUnknown = isUnvalued(event.tx, amount) || isUnvalued(event.tx, fee);
  if (isUnknown || (cash === null && type !== 'expire')) raiseUnreadable(fold, event, 'settlement');
  const held = type === 'assign' ? 0n : type === 'exercise' ? (quantity ?? 0n) : sumHeldUnits(fold, event);
  const fromHeld = quantity === null || quantity > held ? held : quantity;
  if (fromHeld > 0n) closeHeld(fold, event, fromHeld, cash ?? 0n);
  if (type === 'exercise' || fromHeld === quantity) return;
  // If an account has both held and written contracts, the cash belongs to those held.
  const paid = fromHeld > 0n ? 0n : (cash ?? 0n) + tradeFee(event.tx);
  closeWritten(fold, { ...event, ordinal: 1 }, quantity === null ? null : quantity - fromHeld, paid as Money);
}

function sumHeldUnits(fold: Fold, event: TransactionEvent): bigint {
  return [...getOrCreatePool(fold, event.key, event.account).lots.values()].reduce(
    (sum, lot) => sum + lot.quantity,
    0n,
  );
}

function closeHeld(fold: Fold, event: TransactionEvent, units: bigint, cash: bigint): void {
  const proceeds = roundCarrying(fold, `proceeds ${event.key}`, (cash - tradeFee(event.tx)) as Money);
  writeSale(fold, event, take(fold, event, event.account, units, true), { proceeds, sold: event.on, expired: null });
}

/**
 * Closes the account's written contracts, or all of them if `wanted` is null. Contracts that were not open count with a
 * premium of zero.
 */
function closeWritten(fold: Fold, event: TransactionEvent, unitsWanted: bigint | null, cost: Money): void {
  const parts = takeWritten(fold, event, unitsWanted);
  const open = parts.reduce((sum, part) => sum + part.quantity, 0n);
  const units = unitsWanted ?? open;
  const paid = roundCarrying(fold, `basis ${event.key}`, cost);
  writeClosings(fold, event, parts, (upTo) => proportion(paid, upTo, units), null);
  if (open > 0n && open >= units) return;
  const rest = paid - (units === 0n ? 0n : proportion(paid, open, units));
  if (rest !== 0n) writeContract(fold, event, -rest, event.on, 'not_open');
  const then = event.tx.type === 'expire' ? 'No expiration was recorded.' : zeroPremium;
  raiseNotOpen(fold, event, units - open, null, then);
}
