import type { Day } from '../../../../src/base/day.ts';
import type { OracleEvent } from '../../events/events.ts';
import type { OracleLine, OracleLot, Slice } from '../../model.ts';
import { cents, dollars, type Exact, least, most, nothing, portion, spread, sum, units } from '../../numbers.ts';
import { interestPaidLeft, isRetirement, isSame, raise, rebase, remaining, type State, settle } from '../../state.ts';
import { affectedLots, lowerBasis, makeWhole } from '../corporate-actions/affected-lots.ts';

/**
 * Returns the accrued interest paid with the price of a bond, which is a return of capital once interest is received
 * ("Bonds Sold Between Interest Dates", Pub. 550).
 */
export function interestPaid(state: State, event: OracleEvent): Exact {
  const { type, accruedInterest, account } = event.transaction;
  if (type !== 'buy' || accruedInterest === null || isRetirement(state, account)) return nothing;
  return settle(state, 'accrued', event.transaction, dollars(accruedInterest));
}

/**
 * Reduces the first interest by the accrued interest paid for the bonds held before that day, earliest purchase first.
 */
export function netOfPaid(state: State, event: OracleEvent): void {
  const { type, amount, account, asset, assetClass } = event.transaction;
  if (type !== 'interest' || amount === null || amount <= 0n || asset === '') return;
  let left = cents(dollars(amount));
  const lots = state.lots
    .filter((lot) => lot.account === account && isSame(lot, asset, assetClass) && lot.acquired < event.on)
    .sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
  let back = nothing;
  for (const lot of lots) {
    const due = least(left, most(nothing, interestPaidLeft(lot)));
    if (due.lte(0)) continue;
    rebase(lot);
    lot.interestPaid = lot.interestPaid.minus(due);
    left = left.minus(due);
    back = back.plus(due);
  }
  if (back.gt(0)) earnInterest(state, event, back.negated());
}

/** Returns the interest included in the price of a sale, less the interest paid when the same bonds were bought. */
export function interestOfSale(state: State, event: OracleEvent, account: string, sold: readonly Slice[]): void {
  if (isRetirement(state, account)) return;
  const { type, accruedInterest } = event.transaction;
  const received =
    type === 'sell' && accruedInterest !== null && event.role === 'dispose'
      ? settle(state, 'accrued', event.transaction, dollars(accruedInterest))
      : nothing;
  const net = received.minus(sum(sold.map((slice) => slice.interestPaid ?? nothing)));
  if (!net.isZero()) earnInterest(state, event, net, account);
}

/**
 * Returns the accrued amount stated for a sale, either by its own row or by the form rows on that day for the same
 * account.
 */
export function statedDiscount(state: State, event: OracleEvent): Exact | null {
  const { type, marketDiscount, account, asset, assetClass, quantity } = event.transaction;
  if (marketDiscount !== null) return cents(dollars(marketDiscount));
  if (type !== 'sell' || quantity === null || !isDebt(assetClass)) return null;
  const forms = state.events.filter(
    ({ on, transaction }) =>
      on === event.on &&
      transaction.type === 'reported_sale' &&
      transaction.account === account &&
      transaction.marketDiscount !== null &&
      isSame(transaction, asset, assetClass),
  );
  const onForms = sum(forms.map(({ transaction }) => units(transaction.quantity)));
  if (forms.length === 0 || onForms.lte(0)) return null;
  const stated = sum(forms.map(({ transaction }) => cents(dollars(transaction.marketDiscount))));
  return units(quantity).gte(onForms) ? stated : portion(stated, nothing, units(quantity), onForms);
}

interface Terms {
  readonly due: Day | null;
  readonly stated: Exact | null;
  /** The debt has original issue discount that was included in income earlier. */
  readonly accretes?: boolean;
}

/**
 * Moves the part of a debt's gain that accrued as discount to interest. For a short-term government obligation it
 * accrues by days (IRC 1271(a)(3)). For another bond it is the market discount (1276(a)(1), (b)(1)), unless it is de
 * minimis (1278(a)(2)(C)).
 */
export function takeOutInterest(
  state: State,
  event: OracleEvent,
  line: OracleLine,
  { due, stated, accretes }: Terms,
): void {
  if ((!isDebt(line.assetClass) && due === null && stated === null) || line.basisUnknown || line.quantity.lte(0))
    return;
  const gain = line.proceeds.minus(line.basis);
  const face = faceOf(line, due);
  // "In the case of any bond" the premium is amortized (IRC 171(a)). The amounts on a form already include this.
  const isAbovePar = line.assetClass === 'bond' && face !== null && line.basis.gt(face);
  if (isAbovePar && accretes !== true && event.transaction.type !== 'reported_sale')
    raise(state, event.transaction.id, 'premium_unknown');
  if (gain.lt(0)) return;
  const bill = line.assetClass === 'treasury_bill';
  const redeemed = bill && (due === null ? face !== null && line.proceeds.gte(face) : line.sold >= due);
  if (redeemed) {
    state.redeemed.add(line);
    take(state, event, line, gain);
    return;
  }
  if (gain.isZero()) return;
  if (stated !== null) {
    take(state, event, line, least(gain, stated));
    return;
  }
  const discount = face === null ? gain : face.minus(line.basis);
  if (discount.lte(0) || accretes === true) return;
  const surelyHeld = yearsBetween(line.acquired, due ?? line.sold);
  const isTrifling = face !== null && discount.lt(face.times('0.0025').times(surelyHeld));
  if (!bill && isTrifling) return;
  if (face === null || due === null) {
    raise(state, event.transaction.id, 'discount_unknown');
    return;
  }
  const [held, all] = [line.sold - line.acquired, due - line.acquired];
  const accrued = all <= 0 || line.sold >= due ? discount : cents(discount.times(held).div(all));
  // A bond bought below par may have been issued below par (1273(a)(1)), and then its basis rises each year
  // (1272(d)(2)).
  if (!bill) raise(state, event.transaction.id, 'discount_unknown');
  take(state, event, line, least(gain, accrued));
}

/**
 * Adds accrued discount to income, because "there shall be included in the gross income of the holder" that discount,
 * and to the basis (IRC 1272(a)(1), (d)(2)).
 */
export function accreteDiscount(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const { id, type, account, amount } = transaction;
  if (amount === null) {
    raise(state, id, 'value_missing');
    return;
  }
  if (!isRetirement(state, account))
    state.incomes.push({ type, transactionId: id, on: event.on, account, amount: dollars(amount) });
  const lots = affectedLots(state, event);
  if (lots.length === 0) raise(state, id, 'unreconciled');
  makeWhole(state, lots);
  const discount = settle(state, 'discount', transaction, dollars(amount));
  const held = lots.map(remaining);
  const shares = spread(discount, held, sum(held));
  lots.forEach((lot, index) => {
    lowerBasis(lot, (shares[index] ?? nothing).negated());
    lot.accretes = true;
  });
}

/** Bills that are paid at maturity have no buyer: the gain is interest, and there is no line unless a form has one. */
export function forgetRedeemed(state: State): void {
  for (const line of state.redeemed) {
    if (!state.reported.has(line)) state.lines.splice(state.lines.indexOf(line), 1);
  }
  state.redeemed.clear();
}

export function isDebt(assetClass: OracleLot['assetClass']): boolean {
  return assetClass === 'bond' || assetClass === 'treasury_bill';
}

function take(state: State, event: OracleEvent, line: OracleLine, interest: Exact): void {
  if (interest.isZero()) return;
  line.code = 'D';
  line.adjustment = line.adjustment.minus(interest);
  earnInterest(state, event, interest, line.account);
}

function earnInterest(state: State, event: OracleEvent, amount: Exact, account = event.transaction.account): void {
  state.incomes.push({ type: 'interest', transactionId: event.transaction.id, on: event.on, account, amount });
}

/**
 * Returns the face value. A unit is one dollar of face, a hundred dollars, or a bond of a thousand: the cost must be
 * 50% to 150% of the face value.
 */
function faceOf(line: OracleLine, due: Day | null): Exact | null {
  for (const each of [1, 100, 1000]) {
    const face = cents(line.quantity.times(each));
    if (line.basis.gte(face.div(2)) && line.basis.lte(face.times('1.5'))) return face;
  }
  return due !== null && line.sold >= due ? line.proceeds : null;
}

/** Counts the anniversaries of the first day up to the second day. */
function yearsBetween(from: Day, to: Day): number {
  const [start, end] = [from, to].map((day) => new Date(day * 86_400_000)) as [Date, Date];
  const years = end.getUTCFullYear() - start.getUTCFullYear();
  const [startOfYear, endOfYear] = [start, end].map((date) => date.getUTCMonth() * 100 + date.getUTCDate());
  return Math.max(0, (endOfYear ?? 0) < (startOfYear ?? 0) ? years - 1 : years);
}
