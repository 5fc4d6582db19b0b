import { type Day, formatDay } from '../../../base/day.ts';
import {
  type Cents,
  centsToMoney,
  formatQuantity,
  type Money,
  proportion,
  type Quantity,
} from '../../../base/decimal.ts';
import type { WrittenOption } from '../../book/book.ts';
import { awaitLapse } from '../../book/expiry.ts';
import { type Fold, getOrCreatePool, isRetirement, noteTransaction, raise, roundCarrying } from '../../book/fold.ts';
import { getOrCreateList } from '../../book/keyed.ts';
import { noteSymbol } from '../../book/option-symbols.ts';
import { isContract1256 } from '../../events/classes.ts';
import { dollars, optionPurchase, sharesPerContract, type TransactionEvent, tradeFee } from '../../events/event.ts';
import { rightOf, toAssetKey, underlyingOf } from '../../events/keys.ts';
import type { Disposal } from '../../model.ts';
import { buildLineHead, writeContract } from '../lines/disposal.ts';
import { raiseUnreadable } from '../lots/sale-issues.ts';
import { take } from '../lots/take.ts';
import { acquire } from '../sales/acquire.ts';
import { writeSale } from '../sales/sale.ts';
import { endCoveredCall, termOfCoveredCall } from '../short-sales/covered-calls.ts';
import { closePuts, joinMarriedStock } from '../short-sales/puts.ts';
import { excessHeld } from '../short-sales/shorts.ts';
import { deliverStock, receiveStock } from './option-stock.ts';

/** An option written on or after this day is a covered security (26 CFR 1.6045-1(m)). */
const writtenCoveredFrom = 16071 as Day; // 2014-01-01

/**
 * Opens a written option. Its premium is not income until the option is closed, expires or is assigned (Pub. 550,
 * "Options").
 */
export function write(fold: Fold, event: TransactionEvent): void {
  const { tx } = event;
  if (tx.quantity === null || tx.quantity <= 0n) {
    raiseUnreadable(fold, event, 'quantity');
    return;
  }
  const amount = dollars(tx, tx.amount);
  if (amount === null) raiseUnreadable(fold, event, 'premium');
  awaitLapse(fold, event);
  const underlying = isContract1256(event.assetClass) ? '' : underlyingOf(tx);
  const option: WrittenOption = {
    id: `${tx.id}/0`,
    openedBy: tx.id,
    label: tx.externalId,
    key: event.key,
    asset: event.asset,
    assetClass: event.assetClass,
    account: event.account,
    on: tx.on,
    sequence: fold.sequence++,
    quantity: tx.quantity,
    wholeQuantity: tx.quantity,
    wholePremium: roundCarrying(fold, `proceeds ${event.key}`, ((amount ?? 0n) - tradeFee(tx)) as Money),
    premiumTaken: 0n,
    shares: tx.shares ?? sharesPerContract,
    underlyingKey: underlying === '' ? null : toAssetKey(underlying, 'stock'),
  };
  getOrCreateList(fold.written, event.key).push(option);
  noteSymbol(fold, option);
}

/**
 * Closes a written option. The gain or loss is short-term regardless of the time since it was written (IRC 1234(b)).
 * Excess contracts count as a purchase.
 */
export function closeWritten(fold: Fold, event: TransactionEvent): void {
  const { tx } = event;
  if (tx.quantity === null || tx.quantity <= 0n) {
    raiseUnreadable(fold, event, 'quantity');
    return;
  }
  const amount = dollars(tx, tx.amount);
  if (amount === null) raiseUnreadable(fold, event, 'price');
  const cost = ((amount ?? 0n) + tradeFee(tx)) as Money;
  const closed = takeWritten(fold, event, tx.quantity);
  const held = closed.reduce((sum, part) => sum + part.quantity, 0n);
  const excess = tx.quantity - held;
  const excessCost = proportion(cost, excess, tx.quantity) as Money;
  const basis = roundCarrying(fold, `basis ${event.key}`, (cost - excessCost) as Money);
  writeClosings(fold, event, closed, (upTo) => proportion(basis, upTo, held), null);
  if (excess === 0n) return;
  raiseNotOpen(fold, event, excess, centsOf(excessCost), `${excessHeld}.`);
  acquire(fold, optionPurchase(event, excess as Quantity, excessCost));
}

/**
 * Expires an option. The term of the holder's loss depends on the holding period. The writer's gain is short-term (IRC
 * 1234(a)(2), (b)).
 */
export function expire(fold: Fold, event: TransactionEvent): void {
  const { tx } = event;
  const pool = getOrCreatePool(fold, event.key, event.account);
  const held = [...pool.lots.values()].reduce((sum, lot) => sum + lot.quantity, 0n);
  const units = tx.quantity ?? null;
  const fromHeld = units === null || units > held ? held : units;
  if (fromHeld > 0n) {
    const taken = joinMarriedStock(fold, event, take(fold, event, event.account, fromHeld, true));
    writeSale(fold, event, taken, { proceeds: 0n, sold: event.on, expired: 'proceeds' });
  }
  raiseCash(fold, event);
  const fromWritten = takeWritten(fold, event, units === null ? null : units - fromHeld);
  for (const [at, part] of fromWritten.entries()) writeClosing(fold, { ...event, ordinal: 1 }, part, 0n, 'basis', at);
  const missing = (units ?? 0n) - fromHeld - fromWritten.reduce((sum, part) => sum + part.quantity, 0n);
  if (missing > 0n || (units === null && fromHeld === 0n && fromWritten.length === 0)) {
    raiseNotOpen(fold, event, missing > 0n ? missing : 0n, null, 'No expiration was recorded.');
  }
}

/**
 * Raises an issue if an expiry states cash, because options on stock deliver stock. The amount must not disappear
 * silently.
 */
function raiseCash(fold: Fold, event: TransactionEvent): void {
  const { tx } = event;
  if (tx.amount === null || tx.amount === 0n) return;
  const cash: bigint | null = dollars(tx, tx.amount);
  const detail =
    `The expiration of ${event.asset} on ${formatDay(event.on)} has an amount. Options on stock expire for nothing, so the ` +
    'amount is ignored. If the option settles in cash, mark it as a section 1256 contract.';
  // An amount in another currency without a rate has no dollar value.
  const dollarsLost = cash === null ? {} : { dollars: centsOf((cash < 0n ? -cash : cash) as Money) as Cents };
  raise(fold, event, 'unreconciled', detail, dollarsLost);
}

/** Expires all contracts of an option that an account has written. */
export function closeWrittenBy(
  fold: Fold,
  event: TransactionEvent,
): { readonly units: bigint; readonly dollars: bigint } {
  let [units, dollars] = [0n, 0n];
  for (const [row, part] of takeWritten(fold, event, null).entries()) {
    writeClosing(fold, event, part, 0n, 'basis', row);
    units += part.quantity;
    dollars += part.premium;
  }
  return { units, dollars };
}

/**
 * Exercises an option. The cost of a call is added to the basis of the stock. The cost of a put reduces the proceeds of
 * the stock (Pub. 550).
 */
export function exercise(fold: Fold, event: TransactionEvent): void {
  const { tx } = event;
  if (tx.quantity === null || tx.quantity <= 0n) {
    raiseUnreadable(fold, event, 'quantity');
    return;
  }
  const taken = take(fold, event, event.account, tx.quantity, false);
  if (taken.missing > 0n) raiseNotOpen(fold, event, taken.missing, null, 'A cost of zero is used.');
  const paid = taken.slices.reduce((sum, slice) => sum + slice.basis, 0n) as Cents;
  const perContract = taken.slices[0]?.lot.shares ?? sharesPerContract;
  if (rightOf(tx) === 'put') {
    deliverStock(fold, event, perContract, -centsToMoney(paid) as Money);
    closePuts(fold, event, taken.slices);
  } else {
    receiveStock(fold, event, perContract, centsToMoney(paid), taken.slices);
  }
}

/**
 * Assigns an option. The premium of a call is added to the proceeds of the stock. The premium of a put reduces its
 * basis (Pub. 550).
 */
export function assign(fold: Fold, event: TransactionEvent): void {
  const { tx } = event;
  if (tx.quantity === null || tx.quantity <= 0n) {
    raiseUnreadable(fold, event, 'quantity');
    return;
  }
  const closed = takeWritten(fold, event, tx.quantity);
  const missing = tx.quantity - closed.reduce((sum, part) => sum + part.quantity, 0n);
  if (missing > 0n) raiseNotOpen(fold, event, missing, null, zeroPremium);
  const premium = closed.reduce((sum, part) => sum + part.premium, 0n) as Cents;
  const perContract = closed[0]?.option.shares ?? sharesPerContract;
  if (rightOf(tx) === 'call') deliverStock(fold, event, perContract, centsToMoney(premium));
  else receiveStock(fold, event, perContract, -centsToMoney(premium) as Money);
}

export const zeroPremium = 'A premium of zero is used.';

export interface ClosedPart {
  readonly option: WrittenOption;
  readonly quantity: bigint;
  readonly premium: bigint;
}

/**
 * Takes written options of the account: those that the row names first, then the oldest. If `quantity` is null, it
 * takes all.
 */
export function takeWritten(fold: Fold, event: TransactionEvent, quantity: bigint | null): ClosedPart[] {
  const open = getOrCreateList(fold.written, event.key);
  const rankByLabel = (option: WrittenOption): number =>
    event.tx.lots.some((choice) => choice.label === option.label) ? 0 : 1;
  const accountOptions = open
    .filter((option) => option.account === event.account)
    .sort((a, b) => rankByLabel(a) - rankByLabel(b) || a.sequence - b.sequence);
  const parts: ClosedPart[] = [];
  let missing = quantity;
  for (const option of accountOptions) {
    if (missing === 0n) break;
    const units: bigint = missing === null || option.quantity < missing ? option.quantity : missing;
    if (units <= 0n) break;
    option.quantity -= units;
    const upTo = proportion(option.wholePremium, option.wholeQuantity - option.quantity, option.wholeQuantity);
    parts.push({ option, quantity: units, premium: upTo - option.premiumTaken });
    option.premiumTaken = upTo;
    if (missing !== null) missing -= units;
  }
  for (const { option } of parts) if (option.quantity === 0n) endCoveredCall(fold, option, event.on);
  fold.written.set(
    event.key,
    open.filter((option) => option.quantity > 0n),
  );
  return parts;
}

/**
 * Writes a line for each part. `basisUpTo` returns the basis of this many units together, so that all parts sum to the
 * whole.
 */
export function writeClosings(
  fold: Fold,
  event: TransactionEvent,
  parts: readonly ClosedPart[],
  basisUpTo: (units: bigint) => bigint,
  expired: Disposal['expired'],
): void {
  let [units, dealt] = [0n, 0n];
  for (const [row, part] of parts.entries()) {
    units += part.quantity;
    const upTo = basisUpTo(units);
    writeClosing(fold, event, part, upTo - dealt, expired, row);
    dealt = upTo;
  }
}

/**
 * Writes the line of a written option, as for a short sale: sold when written, acquired when closed or expired (i8949,
 * column (b)).
 */
function writeClosing(
  fold: Fold,
  event: TransactionEvent,
  part: ClosedPart,
  basis: bigint,
  expired: Disposal['expired'],
  row: number,
): void {
  const { option, quantity, premium } = part;
  const on = event.on;
  if (isContract1256(option.assetClass)) {
    writeContract(fold, event, premium - basis, on, row);
    return;
  }
  if (isRetirement(fold, event.account)) return;
  fold.sharesClosed.set(option.id, option.shares);
  const term = termOfCoveredCall(fold, event, option, basis - premium, row);
  fold.facts.push({
    ...buildLineHead(fold, event, row, term, option.on >= writtenCoveredFrom, { sold: option.on, expired }, on),
    lotId: option.id,
    asset: option.asset,
    assetClass: option.assetClass,
    quantity: quantity as Quantity,
    acquired: on,
    heldSince: on,
    inherited: false,
    proceeds: premium as Cents,
    basis: basis as Cents,
    basisUnknown: false,
    identified: 'default',
  });
}

function centsOf(money: Money): bigint {
  return money / 1_000_000n;
}

/**
 * Raises an issue about contracts that were not open. `cents` is the known amount, or null if only the missing row
 * states the cost or proceeds of the option.
 */
export function raiseNotOpen(
  fold: Fold,
  event: TransactionEvent,
  missing: bigint,
  cents: bigint | null,
  then: string,
): void {
  noteTransaction(getOrCreatePool(fold, event.key, event.account), event.tx.id);
  const detail = `${formatQuantity(missing as Quantity)} ${event.asset} were not open in ${event.account} on ${formatDay(event.on)}. ${then}`;
  raise(fold, event, 'option_not_open', detail, {
    units: missing,
    ...(cents === null ? {} : { dollars: cents as Cents }),
  });
}
