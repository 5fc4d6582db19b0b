import type { Day } from '../../src/base/day.ts';
import { costOf, openLot } from './acquire.ts';
import { lossOf, settleLosses } from './dispose.ts';
import type { OracleEvent } from './events.ts';
import { sorted } from './lots.ts';
import { cents, type Exact, isLongTerm, least, nothing, portion, spread, sum, units } from './numbers.ts';
import { closeWritten } from './shorts.ts';
import {
  dropEmpty,
  isRetirement,
  isSame,
  type Loss,
  lotOf,
  type OracleLine,
  type OracleLot,
  type OracleShort,
  raise,
  remaining,
  type State,
  takeFrom,
} from './state.ts';

/** Property handed over to close a short: owned lots that the row names, or what was bought for it. */
interface Delivered {
  readonly lot: OracleLot | null;
  quantity: Exact;
  basis: Exact;
}

/** Gain or loss of a short sale arises when it closes (Pub. 550, Short Sales). */
export function cover(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const quantity = units(transaction.quantity);
  const { slices, left } = closeShorts(state, event, quantity);
  const delivered = deliver(state, event, quantity, quantity.minus(left));
  const losses: Loss[] = [];
  for (const slice of slices) {
    let covered = nothing;
    let handedOver = nothing;
    while (covered.lt(slice.quantity)) {
      const next = delivered.find((one) => one.quantity.gt(0));
      if (next === undefined) break;
      const part = least(next.quantity, slice.quantity.minus(covered));
      const proceeds = portion(slice.premium, covered, part, slice.quantity);
      const basis = portion(next.basis, nothing, part, next.quantity);
      next.basis = next.basis.minus(basis);
      next.quantity = next.quantity.minus(part);
      covered = covered.plus(part);
      if (next.lot !== null && isTainted(next.lot, slice.short.opened)) handedOver = handedOver.plus(part);
      losses.push(...report(state, event, { short: slice.short, lot: next.lot, quantity: part, proceeds, basis }));
    }
    if (isRetirement(state, transaction.account)) continue;
    restartHolding(state, event, slice.short, slice.quantity.minus(handedOver));
  }
  settleLosses(state, event, losses);
}

function closeShorts(state: State, event: OracleEvent, quantity: Exact): ReturnType<typeof closeWritten> {
  const before = state.issues.length;
  const closed = closeWritten(state, event, quantity);
  if (closed.left.gt(0)) {
    state.issues.splice(before);
    raise(state, event.transaction.id, 'short_exceeded');
  }
  return closed;
}

/** Named owned lots first, the rest was bought; what was bought beyond the short is a purchase like any other. */
function deliver(state: State, event: OracleEvent, quantity: Exact, closed: Exact): Delivered[] {
  const { asset, assetClass, account, lots } = event.transaction;
  const delivered: Delivered[] = [];
  let left = closed;
  for (const choice of lots) {
    let wanted = least(units(choice.quantity), left);
    const named = state.lots.filter(
      (lot) => isSame(lot, asset, assetClass) && lot.account === account && lot.label === choice.label,
    );
    for (const lot of sorted(named, 'FIFO')) {
      const part = least(wanted, remaining(lot));
      if (part.lte(0)) continue;
      const slice = takeFrom(lot, part);
      delivered.push({ lot: slice.lot, quantity: part, basis: slice.basis });
      wanted = wanted.minus(part);
      left = left.minus(part);
    }
  }
  dropEmpty(state);
  const bought = quantity.minus(sum(delivered.map((one) => one.quantity)));
  const excess = quantity.minus(closed);
  const [toCover = nothing, kept = nothing] = spread(cents(costOf(event)), [bought.minus(excess), excess], bought);
  if (left.gt(0)) delivered.push({ lot: null, quantity: left, basis: toCover });
  if (excess.gt(0)) openLot(state, event, { quantity: excess, basis: kept });
  return delivered;
}

interface Closing {
  readonly short: OracleShort;
  readonly lot: OracleLot | null;
  readonly quantity: Exact;
  readonly proceeds: Exact;
  readonly basis: Exact;
}

/** The line, split where only part of a quantity falls under IRC 1233(b) or (d). */
function report(state: State, event: OracleEvent, closing: Closing): Loss[] {
  const { transaction, on } = event;
  if (isRetirement(state, transaction.account)) return [];
  const { lot } = closing;
  const byDefault = lot !== null && (lot.inherited || isLongTerm(lot.heldSince, on)) ? 'long' : 'short';
  const gain = closing.proceeds.gte(closing.basis);
  const special = gain ? shortTermGain(state, closing) : longTermLoss(state, closing);
  const specialTerm = gain ? 'short' : 'long';
  const losses: Loss[] = [];
  const parts = byDefault === specialTerm ? [closing.quantity] : [special, closing.quantity.minus(special)];
  const proceeds = spread(closing.proceeds, parts, closing.quantity);
  const basis = spread(closing.basis, parts, closing.quantity);
  parts.forEach((quantity, index) => {
    if (quantity.lte(0)) return;
    const line: OracleLine = {
      saleId: transaction.id,
      asset: transaction.asset,
      assetClass: lot?.assetClass ?? transaction.assetClass,
      account: transaction.account,
      quantity,
      acquired: lot?.acquired ?? on,
      heldSince: lot?.heldSince ?? on,
      inherited: lot?.inherited ?? false,
      sold: on,
      on,
      proceeds: proceeds[index] ?? nothing,
      basis: basis[index] ?? nothing,
      adjustment: nothing,
      permanent: nothing,
      term: index === 0 && parts.length === 2 ? specialTerm : byDefault,
      shortSale: true,
      expired: null,
      basisUnknown: lot?.basisUnknown ?? false,
    };
    state.lines.push(line);
    losses.push(...closingLoss(state, line, closing));
  });
  return losses;
}

/**
 * What was owned on the day of the short sale and is delivered counts as sold that day (1.1091-1(g)); the window then
 * lies around it. Otherwise the loss arises on the closing.
 */
function closingLoss(state: State, line: OracleLine, closing: Closing): Loss[] {
  const { lot, short } = closing;
  if (lot === null || lot.acquired > short.opened) return [];
  return lossOf(state, line, lot, short.opened);
}

/** IRC 1233(d): long-term as far as identical property had been held for more than a year at the short sale. */
function longTermLoss(state: State, closing: Closing): Exact {
  const open = state.shorts.find((short) => short.origin === closing.short.origin);
  const longHeld = open?.longHeld ?? closing.short.longHeld;
  const part = least(longHeld, closing.quantity);
  if (open !== undefined) open.longHeld = open.longHeld.minus(part);
  return part;
}

/** IRC 1233(b)(1): short-term as far as identical property was held for a year or less, or bought while it was open. */
function shortTermGain(state: State, closing: Closing): Exact {
  const { lot, short } = closing;
  if (lot !== null && isTainted(lot, short.opened)) return closing.quantity;
  return least(closing.quantity, sum(taintedLots(state, short).map(remaining)));
}

function isTainted(lot: OracleLot, opened: Day): boolean {
  return !lot.inherited && !isLongTerm(lot.heldSince, opened);
}

function taintedLots(state: State, short: OracleShort): OracleLot[] {
  return state.lots
    .filter((lot) => isSame(lot, short.asset, short.assetClass) && !isRetirement(state, lot.account))
    .filter((lot) => isTainted(lot, short.opened))
    .sort((a, b) => a.acquired - b.acquired || a.order - b.order);
}

/**
 * IRC 1233(b)(2): the holding period of that property starts anew with the closing, in the order of acquisition and for
 * no more than was sold short; what was delivered counts towards that.
 */
function restartHolding(state: State, event: OracleEvent, short: OracleShort, quantity: Exact): void {
  let left = quantity;
  for (const lot of taintedLots(state, short)) {
    const part = least(left, remaining(lot));
    if (part.lte(0)) return;
    left = left.minus(part);
    const restarted = lotOf(takeFrom(lot, part), lot, { heldSince: event.on });
    state.lots.splice(state.lots.indexOf(lot), 0, restarted);
    if (remaining(lot).lte(0)) state.lots.splice(state.lots.indexOf(lot), 1);
  }
}
