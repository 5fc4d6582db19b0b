import type { Day } from '../../../../src/base/day.ts';
import type { OracleEvent } from '../../events/events.ts';
import { type Exact, isLongTerm, least, most, nothing, portion, spread, sum, units, yearOfDay } from '../../numbers.ts';
import {
  dropEmpty,
  isContract,
  isRetirement,
  isSame,
  type Loss,
  lineOfEvent,
  type OracleLine,
  type OracleLot,
  type OracleShort,
  placeOf,
  raise,
  remaining,
  type State,
  settle,
} from '../../state.ts';
import { isCovered } from '../lines/box.ts';
import { identicalHeld, isUnder1233, restartHolding } from '../lots/holding-periods.ts';
import { heldLots, isLate, methodFor, sorted, takerOf } from '../lots/lots.ts';
import { isUnknownToBroker, orderFor } from '../lots/orders.ts';
import { settlementOf } from '../lots/settlement.ts';
import { costOf, openLot } from '../sales/acquire.ts';
import { chooseGiftBasis, lossOf, settleLosses } from '../sales/dispose.ts';
import { type OraclePlan, partOfPlan, restOfPlan, withCompensation } from '../sales/plans.ts';
import { denyShortLoss } from '../wash-sales/short-losses.ts';
import { capitalized, rememberClosing } from './in-lieu.ts';
import { type Closing as ChosenShort, chooseShorts, takeShort } from './shorts.ts';

/** Property delivered to close a short: owned lots, or units bought for it. */
interface Delivered {
  readonly lot: OracleLot | null;
  quantity: Exact;
  basis: Exact;
  hidden: Exact;
  /** The basis for a loss, if the delivered lot is a gift with two bases. */
  lossBasis: Exact | null;
  readonly basisUnknown: boolean;
  plan?: OraclePlan | undefined;
}

/** Closes a short sale, which realizes its gain or loss (Pub. 550, Short Sales). */
export function cover(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const quantity = units(transaction.quantity);
  const labels = new Set(
    state.shorts
      .filter((short) => isSame(short, transaction.asset, transaction.assetClass))
      .map((short) => short.label),
  );
  const { closings, left } = chooseShorts(state, event, quantity);
  if (left.gt(0)) raise(state, transaction.id, 'short_exceeded');
  const { delivered, kept } = deliver(state, event, quantity, left, labels);
  close(state, event, closings, delivered);
  // Without a payment nothing was bought, so units that were not short were not delivered either.
  if (left.lte(0) || transaction.amount === 0n) return;
  state.impliedThisPass.set(`${transaction.id}/${event.ordinal}`, left);
  openLot(state, event, { quantity: left, basis: kept, basisUnknown: transaction.amount === null });
}

/** Delivers the stock from an option to an account that owes it, at once and at its cost. */
export function deliverStock(
  state: State,
  event: OracleEvent,
  closings: readonly ChosenShort[],
  bought: Pick<Delivered, 'quantity' | 'basis' | 'hidden' | 'basisUnknown'>,
): void {
  close(state, event, closings, [{ ...bought, lot: null, lossBasis: null }]);
}

function close(
  state: State,
  event: OracleEvent,
  closings: readonly ChosenShort[],
  delivered: readonly Delivered[],
): void {
  rememberClosing(state, event, closings);
  const losses: Loss[] = [];
  const handedOver: Delivered[] = [];
  const closingLosses: ClosingLoss[] = [];
  for (const { short, quantity: closed } of closings) {
    let covered = nothing;
    while (covered.lt(closed)) {
      const next = delivered.find((one) => one.quantity.gt(0));
      if (next === undefined) break;
      const units = least(next.quantity, closed.minus(covered));
      const joins = capitalized(short, units, dayOfClosing(event, next, short));
      const proceeds = takeShort(short, units);
      const basis = portion(next.basis, nothing, units, next.quantity);
      const lossBasis = next.lossBasis === null ? null : portion(next.lossBasis, nothing, units, next.quantity);
      const hidden = portion(next.hidden, nothing, units, next.quantity);
      const plan = partOfPlan(next.plan, nothing, units, next.quantity);
      next.plan = restOfPlan(next.plan, plan);
      next.basis = next.basis.minus(basis);
      next.hidden = next.hidden.minus(hidden);
      if (lossBasis !== null) next.lossBasis = (next.lossBasis ?? nothing).minus(lossBasis);
      next.quantity = next.quantity.minus(units);
      covered = covered.plus(units);
      const { lot, basisUnknown } = next;
      handedOver.push({ lot, quantity: units, basis, hidden, lossBasis, basisUnknown });
      const closing = {
        short,
        lot,
        quantity: units,
        proceeds,
        basis: basis.plus(joins),
        hidden: hidden.plus(joins),
        lossBasis: lossBasis?.plus(joins) ?? null,
        basisUnknown,
      };
      const paid = isRetirement(state, event.transaction.account)
        ? closing
        : withCompensation(state, event, { ...closing, plan }, event.on, proceeds);
      losses.push(...report(state, event, paid, closingLosses));
    }
  }
  const open = new Map(closings.map(({ short, quantity: closed }) => [short, remaining(short).plus(closed)]));
  for (const { short, quantity: closed } of closings) {
    restartHolding(state, event, { short, quantity: closed, of: open.get(short) ?? closed }, handedOver);
    open.set(short, (open.get(short) ?? closed).minus(closed));
  }
  dropEmpty(state);
  settleLosses(state, event, losses);
  // Only units that are still short after the cover can bear the loss on the closed units.
  for (const { line, short, closed } of closingLosses) denyShortLoss(state, line, short, closed);
}

/** A loss with "the date of such closing" (IRC 1091(e)), which is the date of delivery. */
interface ClosingLoss {
  readonly line: OracleLine;
  readonly short: OracleShort;
  readonly closed: Day;
}

/**
 * Returns the day of the delivery, which closes a short (26 CFR 1.1233-1(a)(1)). Units bought for it are delivered at
 * settlement.
 */
function dayOfClosing(event: OracleEvent, { lot }: Pick<Delivered, 'lot'>, { assetClass }: OracleShort): Day {
  const { type } = event.transaction;
  const isBought = lot === null && type !== 'merger' && type !== 'worthless' && isUnder1233(assetClass);
  return isBought ? settlementOf(event.on) : event.on;
}

/** Delivers named owned lots first. The rest was bought, if there was a payment. An excess is an ordinary purchase. */
function deliver(
  state: State,
  event: OracleEvent,
  quantity: Exact,
  excess: Exact,
  shorts: Set<string>,
): { delivered: Delivered[]; kept: Exact } {
  const { transaction } = event;
  const { asset, assetClass, account, lots } = transaction;
  const delivered: Delivered[] = [];
  let left = quantity.minus(excess);
  const held = (): OracleLot[] => heldLots(state, placeOf(state, account, assetClass, event.on), asset, assetClass);
  // The delivered units are identified as for a sale: by name, a standing order or the method, and in time
  // (1.1012-1(c)(8)).
  const order = orderFor(state.rules, { account, asset }, event.on, event.timed ? transaction.at : null);
  const elected = order.inTime ?? methodFor(state, account, assetClass, event.on);
  const unknown = isUnknownToBroker(state.rules, transaction, event.on, order.toldBroker);
  const method = unknown ? 'FIFO' : elected;
  const names = lots.filter((one) => !shorts.has(one.label));
  // Averaged shares are delivered in the order of acquisition, even if other lots are named (1.1012-1(e)(7)(ii)).
  const averaged = method === 'AVERAGE';
  const late = names.length > 0 && !averaged && (unknown || isLate(state.rules, event, assetClass));
  if (late) raise(state, transaction.id, 'identified_late');
  const count = !averaged && !unknown && (!late || state.rules.lateIdentification === 'accepted');
  const deliversAll = transaction.amount === 0n;
  if (left.gt(0) && (names.length > 0 || deliversAll)) {
    const taker = takerOf(state, transaction, event.on, method);
    const hand = (from: readonly OracleLot[], most: Exact): void => {
      for (const { lot, quantity: part, basis, hidden, lossBasis, plan } of taker.take(from, least(most, left))) {
        const basisUnknown = lot?.basisUnknown ?? false;
        delivered.push({ lot, quantity: part, basis, hidden, lossBasis, plan, basisUnknown });
        left = left.minus(part);
      }
    };
    for (const choice of count ? names : []) {
      const asked = least(units(choice.quantity), left);
      const named = held().filter((lot) => lot.label === choice.label);
      if (sum(named.map(remaining)).lt(asked)) raise(state, transaction.id, 'lot_not_found');
      hand(sorted(named, 'FIFO'), asked);
    }
    const owned = deliversAll ? left : count ? nothing : least(left, sum(names.map((one) => units(one.quantity))));
    const isIgnored = unknown && names.length === 0 && elected !== 'FIFO';
    if (owned.gt(0) && (isIgnored || (order.late && !unknown))) raise(state, transaction.id, 'identified_late');
    hand(sorted(held(), method), owned);
    taker.dealt();
  }
  const isBought = transaction.amount !== 0n;
  const bought = isBought ? left.plus(excess) : left;
  if (bought.lte(0)) return { delivered, kept: nothing };
  if (transaction.amount === null) raise(state, transaction.id, 'value_missing');
  // The units are delivered without a payment and were not held, so the cost is unknown.
  const basisUnknown = transaction.amount === null || !isBought;
  const cost = settle(state, 'basis', transaction, costOf(event));
  const kept = isBought ? portion(cost, nothing, excess, bought) : nothing;
  const toCover = cost.minus(kept);
  if (left.gt(0))
    delivered.push({ lot: null, quantity: left, basis: toCover, hidden: nothing, lossBasis: null, basisUnknown });
  return { delivered, kept };
}

interface Closing {
  readonly short: OracleShort;
  readonly lot: OracleLot | null;
  readonly quantity: Exact;
  readonly proceeds: Exact;
  readonly basis: Exact;
  readonly hidden: Exact;
  readonly lossBasis: Exact | null;
  readonly basisUnknown: boolean;
}

/** Adds the line, split if IRC 1233(b) or (d) applies to only part of its quantity. */
function report(state: State, event: OracleEvent, closing: Closing, closingLosses: ClosingLoss[]): Loss[] {
  const { lot, short } = closing;
  if (isContract(short.assetClass)) {
    const gain = closing.proceeds.minus(closing.basis);
    const { id: transactionId, account } = event.transaction;
    if (!isRetirement(state, account)) state.contracts.push({ transactionId, on: event.on, account, gain });
    return [];
  }
  const { asset, assetClass } = short;
  const chosen = { ...lineOfEvent(event), asset, assetClass, proceeds: closing.proceeds, basis: closing.basis };
  if (lot !== null)
    Object.assign(chosen, {
      acquired: lot.acquired,
      heldSince: lot.heldSince,
      brokerSince: lot.brokerSince,
      inherited: lot.inherited,
    });
  if (lot?.gift != null && closing.lossBasis !== null) chooseGiftBasis(chosen, closing.lossBasis, lot.gift.on);
  const byDefault = lot !== null && (lot.inherited || isLongTerm(chosen.heldSince, event.on)) ? 'long' : 'short';
  const gain = chosen.proceeds.gte(chosen.basis);
  const turned = turnedQuantity(state, closing, byDefault, gain);
  if (isRetirement(state, event.transaction.account)) return [];
  const parts = [turned, closing.quantity.minus(turned)];
  const terms = byDefault === 'short' ? (['long', 'short'] as const) : (['short', 'long'] as const);
  const proceeds = spread(closing.proceeds, parts, closing.quantity);
  const basis = spread(chosen.basis, parts, closing.quantity);
  const hidden = spread(closing.hidden, parts, closing.quantity);
  const losses: Loss[] = [];
  parts.forEach((quantity, index) => {
    if (quantity.lte(0)) return;
    const line: OracleLine = {
      ...chosen,
      quantity,
      proceeds: proceeds[index] ?? nothing,
      basis: basis[index] ?? nothing,
      hidden: hidden[index] ?? nothing,
      term: terms[index] ?? byDefault,
      shortSale: true,
      basisUnknown: closing.basisUnknown,
      covered: lot?.covered ?? isCovered('cover', short.assetClass, event.on),
    };
    // A loss is not realized before delivery, which is at settlement (Rev. Rul. 2002-44).
    const closed = dayOfClosing(event, closing, short);
    if (line.basis.gt(line.proceeds) && yearOfDay(closed) > yearOfDay(event.on))
      Object.assign(line, { sold: closed, on: closed });
    state.lines.push(line);
    if (closing.basisUnknown) raise(state, event.transaction.id, 'basis_missing');
    // Units owned on the day of the short sale that are delivered count as sold that day (1.1091-1(g)).
    if (lot !== null && lot.cameOn <= short.opened)
      losses.push(...lossOf(state, line, lot, short.opened).map((loss) => ({ ...loss, short: short.origin })));
    else closingLosses.push({ line, short, closed });
  });
  return losses;
}

/**
 * Returns the quantity whose term changes. A gain is short-term to the extent that identical property was held for a
 * year or less on the day of the short sale, or was acquired later, including the units delivered (IRC 1233(b)(1)). A
 * loss is long-term to the extent that identical property was held longer (1233(d)). "Such property" counts only once,
 * for its own quantity (1233(e)(1)).
 */
function turnedQuantity(state: State, closing: Closing, byDefault: 'short' | 'long', gain: boolean): Exact {
  const { lot, quantity, short } = closing;
  if (!isUnder1233(short.assetClass)) return nothing;
  if (gain && byDefault === 'long') {
    if (lot !== null && lot.cameOn > short.opened) return quantity;
    const since = identicalHeld(state, short).filter((one) => one.cameOn > short.opened);
    const property = short.shortHeld.plus(sum(since.map(remaining)));
    const part = most(nothing, least(quantity, property.minus(short.answered)));
    short.answered = short.answered.plus(part);
    return part;
  }
  if (gain || byDefault === 'long') return nothing;
  const part = least(short.longHeld, quantity);
  short.longHeld = short.longHeld.minus(part);
  return part;
}
