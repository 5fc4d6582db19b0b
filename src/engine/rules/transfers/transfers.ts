import { addDays, type Day, formatDay } from '../../../base/day.ts';
import { formatQuantity, type Quantity } from '../../../base/decimal.ts';
import { createAllocator } from '../../book/amounts.ts';
import type { OpenLot, Transit } from '../../book/book.ts';
import { type Fold, getOrCreatePool, noteTransaction, raise } from '../../book/fold.ts';
import { addLot, lotOfSlice, type Slice, takeByMethod } from '../../book/lots.ts';
import { transitPrefix } from '../../book/own-accounts.ts';
import { isDigital } from '../../events/classes.ts';
import type { TransactionEvent } from '../../events/event.ts';
import { isCurrencyKey } from '../../events/keys.ts';
import { raiseNotHeld } from '../lots/sale-issues.ts';
import { feeJoinsBasis, resolveLotAccount, type TakenLots, take } from '../lots/take.ts';
import { isAllocation, takeAllocated } from './allocation.ts';
import { askAboutContribution } from './contribution.ts';
import { distribute, isDistribution } from './distribution.ts';

/** The number of days after a withdrawal in which its deposit may arrive. */
export const pairingDays = 7;

/**
 * Moves units between the taxpayer's accounts. Date, basis and holding period stay the same (26 CFR 1.1012-1(j)(5)).
 */
export function move(fold: Fold, event: TransactionEvent): void {
  const quantity = event.tx.quantity;
  if (quantity === null || quantity <= 0n) {
    raiseUnreadable(fold, event);
    return;
  }
  const to = resolveLotAccount(fold.rules, event.assetClass, event.tx.toAccount, event.on);
  if (to === resolveLotAccount(fold.rules, event.assetClass, event.account, event.on)) return;
  if (isAllocation(event)) arrive(fold, event, takeAllocated(fold, event, quantity), to, 0n);
  else send(fold, event, quantity, to);
}

/**
 * Moves units, and takes the units that pay for the transfer if their basis is added to the units moved. If units are
 * missing, they arrive with an unknown basis.
 */
function send(fold: Fold, event: TransactionEvent, quantity: bigint, to: string): void {
  const taken = take(fold, event, event.account, quantity, true);
  if (isCurrencyKey(event.key)) {
    // Units without a known cost are treated as cash, so nothing is missing. Currency paid out by an IRA has no basis.
    if (!isDistribution(fold, event.account, to)) arrive(fold, event, taken.slices, to, 0n);
    return;
  }
  const paid = payFromBasis(fold, event);
  // The holdings of the retirement account do not matter, so no issue is raised about them.
  if (isDistribution(fold, event.account, to)) {
    distribute(fold, event, to, quantity, taken.slices);
    return;
  }
  askAboutContribution(fold, event, event.account, to, { quantity, basis: sumBasis(taken.slices) });
  arrive(fold, event, taken.slices, to, sumBasis(paid.slices));
  const missing = taken.missing + paid.missing;
  if (missing > 0n) raiseNotHeld(fold, event, missing);
  if (taken.missing > 0n) openUnknown(fold, event, to, taken.missing);
}

/** Applies a withdrawal, which is one side of a transfer. Its lots are in transit until the deposit arrives. */
export function withdraw(fold: Fold, event: TransactionEvent): void {
  const { tx } = event;
  if (tx.quantity === null || tx.quantity <= 0n) {
    raiseUnreadable(fold, event);
    return;
  }
  const account = transitPrefix + tx.id;
  const to = resolveLotAccount(fold.rules, event.assetClass, account, tx.on);
  if (to === account) send(fold, event, tx.quantity, to);
  const inKind = tx.feeAsset === tx.asset ? (tx.feeQuantity ?? 0n) : 0n;
  const transit: Transit = {
    transactionId: tx.id,
    key: event.key,
    asset: event.asset,
    account: event.account,
    quantity: tx.quantity,
    lessFee: tx.quantity - inKind,
    on: tx.on,
    at: tx.at,
    sequence: fold.sequence++,
    ...(tx.alone === true ? { alone: true as const } : {}),
  };
  if (!meetArrival(fold, event, transit)) fold.transits.push(transit);
}

/** Applies a deposit, which is the other side of a transfer, or units whose origin no file states. */
export function deposit(fold: Fold, event: TransactionEvent): void {
  const { tx } = event;
  if (tx.quantity === null || tx.quantity <= 0n) {
    raiseUnreadable(fold, event);
    return;
  }
  const to = resolveLotAccount(fold.rules, event.assetClass, event.account, tx.on);
  const transit = findTransit(fold, event, tx.quantity);
  if (transit === undefined) {
    fold.arrivals.push({ event, lot: openUnknown(fold, event, to, tx.quantity) });
    return;
  }
  fold.transits = fold.transits.filter((other) => other !== transit);
  complete(fold, event, transit, to, tx.quantity);
}

/** Raises issues about today's deposits that are still unexplained. Runs at the end of a day. */
export function raiseUnexplainedArrivals(fold: Fold): void {
  for (const { event } of fold.arrivals) {
    const units = event.tx.quantity ?? (0n as Quantity);
    const detail =
      `${formatQuantity(units)} ${event.asset} arrived in ${event.account} on ${formatDay(event.on)}, and no row shows where they came from. ` +
      'Their acquisition date and basis are unknown.';
    raise(fold, event, 'transfer_unpaired', detail, { units });
  }
  fold.arrivals = [];
}

/** Raises issues about withdrawals without a deposit, from the first day after the pairing window. */
export function raiseExpiredTransits(fold: Fold): void {
  if (fold.transits.length === 0) return;
  for (const transit of fold.transits) if (expiryOf(transit) <= fold.day) raiseUnpaired(fold, transit);
  fold.transits = fold.transits.filter((transit) => expiryOf(transit) > fold.day);
}

/**
 * Raises issues about withdrawals that are still within the pairing window at the end of the history. Their `causedOn`
 * is the first day after the window, so that a replay resumed before that day drops them and decides again.
 */
export function raisePendingTransits(fold: Fold): void {
  for (const transit of fold.transits) raiseUnpaired(fold, transit);
}

function raiseUnpaired(fold: Fold, transit: Transit): void {
  fold.facts.push({
    kind: 'issue',
    causedOn: expiryOf(transit),
    id: `${transit.transactionId}/0/transfer_unpaired/${transit.account}`,
    issue: 'transfer_unpaired',
    on: transit.on,
    asset: transit.asset,
    account: transit.account,
    transactions: [transit.transactionId],
    dollars: null,
    units: transit.quantity as Quantity,
    detail:
      `${formatQuantity(transit.quantity as Quantity)} ${transit.asset} left ${transit.account} on ${formatDay(transit.on)} and did not arrive in any known account. ` +
      'They still count as held. If they were sold, spent or given away, add that transaction.',
  });
}

function expiryOf(transit: Transit): Day {
  return addDays(transit.on, pairingDays + 1);
}

function findTransit(fold: Fold, event: TransactionEvent, quantity: bigint): Transit | undefined {
  const { on, at, alone } = event.tx;
  if (alone === true) return undefined;
  const open = fold.transits.filter(
    (transit) =>
      transit.key === event.key &&
      transit.alone !== true &&
      on - transit.on <= pairingDays &&
      (transit.at === null || at === null || transit.at <= at),
  );
  return open.find((transit) => transit.quantity === quantity) ?? open.find((transit) => transit.lessFee === quantity);
}

/** Pairs a withdrawal with an earlier deposit on the same day, so that the units withdrawn are those that arrived. */
function meetArrival(fold: Fold, event: TransactionEvent, transit: Transit): boolean {
  if (transit.alone === true) return false;
  const met = fold.arrivals.find(
    ({ event: other, lot }) =>
      other.key === event.key &&
      other.tx.alone !== true &&
      lot.quantity === other.tx.quantity &&
      (lot.quantity === transit.quantity || lot.quantity === transit.lessFee),
  );
  if (met === undefined) return false;
  fold.arrivals = fold.arrivals.filter((arrival) => arrival !== met);
  const { lot } = met;
  getOrCreatePool(fold, lot.key, lot.account).lots.remove(lot);
  const quantity = lot.quantity;
  lot.quantity = 0n;
  complete(fold, event, transit, lot.account, quantity);
  return true;
}

function complete(fold: Fold, event: TransactionEvent, transit: Transit, to: string, quantity: bigint): void {
  const transitPool = getOrCreatePool(fold, event.key, transitPrefix + transit.transactionId);
  if (transitPool.lots.size === 0) return;
  if (isDistribution(fold, transit.account, to)) {
    distribute(fold, event, to, quantity, takeByMethod(transitPool, quantity, 'FIFO'));
  } else {
    const landed = land(fold, transitPool.account, event, to, quantity);
    askAboutContribution(fold, event, transit.account, to, { quantity, basis: sumBasis(landed) });
  }
  // The fee was part of the quantity and has been paid. The remaining units never left.
  const back = resolveLotAccount(fold.rules, event.assetClass, transit.account, event.on);
  if (transitPool.lots.size > 0) land(fold, transitPool.account, event, back, null);
}

/** Returns the units that paid for a transfer, if their basis is added to the units moved (P8). Otherwise none. */
function payFromBasis(fold: Fold, event: TransactionEvent): TakenLots {
  if (!feeJoinsBasis(fold.rules, event.tx)) return { slices: [], missing: 0n };
  // Issues about the fee have a separate ordinal.
  return take(fold, { ...event, ordinal: 2 }, event.account, event.tx.feeQuantity ?? 0n, false);
}

function arrive(fold: Fold, event: TransactionEvent, slices: readonly Slice[], to: string, joining: bigint): void {
  const pool = getOrCreatePool(fold, event.key, to);
  noteTransaction(pool, event.tx.id);
  const deal = createAllocator(joining, sum(slices.map((slice) => slice.quantity)));
  for (const slice of slices) {
    const lot = lotOfSlice(slice, { account: to, covered: staysCovered(slice) });
    const share = deal(slice.quantity);
    if (share !== 0n) raiseBasis(lot, share);
    addLot(fold, pool, lot);
  }
}

/**
 * Returns whether a lot stays covered. A broker that transfers stock reports its basis to the next broker (IRC 6045A),
 * so covered stock does. There is no such report for digital assets.
 */
function staysCovered({ lot }: Slice): boolean {
  return lot.covered && !isDigital(lot.assetClass);
}

function raiseBasis(lot: OpenLot, cents: bigint): void {
  lot.wholeBasis += cents;
  if (lot.lossBasis !== null) lot.lossBasis += cents;
  lot.unitBasis = lot.unitBasis * lot.quantity + cents * 1_000_000n * lot.unitQuantity;
  lot.unitQuantity *= lot.quantity;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** Moves units out of transit and returns the units that arrived. If `quantity` is null, it moves everything. */
function land(
  fold: Fold,
  from: string,
  event: TransactionEvent,
  to: string,
  quantity: bigint | null,
): readonly Slice[] {
  const transitPool = getOrCreatePool(fold, event.key, from);
  const pool = getOrCreatePool(fold, event.key, to);
  noteTransaction(pool, event.tx.id);
  const all = [...transitPool.lots.values()].reduce((sum, lot) => sum + lot.quantity, 0n);
  const slices = takeByMethod(transitPool, quantity ?? all, 'FIFO');
  for (const slice of slices) addLot(fold, pool, lotOfSlice(slice, { account: to, covered: staysCovered(slice) }));
  return slices;
}

function sumBasis(slices: readonly Slice[]): bigint {
  return sum(slices.map((slice) => slice.basis));
}

/** Opens a lot for units of unknown origin. Its basis is zero, and its sale raises an issue. */
function openUnknown(fold: Fold, event: TransactionEvent, account: string, quantity: bigint): OpenLot {
  const id = `${event.tx.id}/${event.ordinal}:unknown`;
  const pool = getOrCreatePool(fold, event.key, account);
  noteTransaction(pool, event.tx.id);
  const lot: OpenLot = {
    id,
    origin: id,
    openedBy: event.tx.id,
    label: event.tx.externalId,
    key: event.key,
    asset: event.asset,
    assetClass: event.assetClass,
    account,
    quantity,
    used: 0n,
    wholeQuantity: quantity,
    wholeBasis: 0n,
    basisTaken: 0n,
    unitBasis: 0n,
    unitQuantity: quantity,
    lossBasis: null,
    lossTaken: 0n,
    givenOn: null,
    acquired: event.on,
    heldSince: event.on,
    inherited: false,
    restartedOn: null,
    purchasedOn: null,
    sequence: fold.sequence++,
    children: 0,
    adjusted: false,
    basisUnknown: true,
    purchaseUnknown: true,
    covered: false,
    shares: null,
    underlyingKey: null,
    right: null,
  };
  addLot(fold, pool, lot);
  return lot;
}

function raiseUnreadable(fold: Fold, event: TransactionEvent): void {
  raise(
    fold,
    event,
    'value_missing',
    `The quantity of this ${event.tx.type} of ${event.asset} is not stated, so the row has no effect.`,
  );
}
