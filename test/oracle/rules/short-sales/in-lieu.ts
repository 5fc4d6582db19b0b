import type { Day } from '../../../../src/base/day.ts';
import type { OracleEvent } from '../../events/events.ts';
import { cents, dollars, type Exact, isLongTerm, nothing, portion, spread, sum } from '../../numbers.ts';
import { isSame, type OracleShort, raise, remaining, type State } from '../../state.ts';
import { isUnder1233 } from '../lots/holding-periods.ts';
import type { Closing } from './shorts.ts';

/**
 * Records a payment in lieu of a dividend. "If a taxpayer makes any payment with respect to any stock used by such
 * taxpayer in a short sale and such payment is in lieu of a dividend payment on such stock, and the closing of such
 * short sale occurs on or before the 45th day after the date of such short sale, then no deduction shall be allowed for
 * such payment. The basis of the stock used to close the short sale shall be increased" (IRC 263(h)(1)). The limit is a
 * year for an extraordinary dividend, of 10% of the proceeds of the short sale (263(h)(2), (3), 1059(c)). The taxpayer
 * is asked about each payment. Returns true if the row is such a payment.
 */
export function paysInLieu(state: State, event: OracleEvent): boolean {
  const { id, type, account, asset, assetClass, amount, quantity } = event.transaction;
  if ((type !== 'dividend' && type !== 'other_income') || asset === '' || (quantity ?? 0n) > 0n) return false;
  const paid = cents(dollars(amount)).negated();
  const ofAsset = (one: { asset: string; assetClass: OracleShort['assetClass']; account: string }): boolean =>
    isSame(one, asset, assetClass) && one.account === account;
  const holds = state.lots.some((lot) => ofAsset(lot) && remaining(lot).gt(0));
  const shorts = state.shorts.filter((short) => !short.written && ofAsset(short) && isUnder1233(short.assetClass));
  const before = sum(shorts.flatMap((short) => short.inLieu.map((one) => one.paid)));
  const isBack = paid.lt(0) && before.gte(paid.negated()) && !holds;
  if (paid.isZero() || (paid.lt(0) && !isBack)) return false;
  if (shorts.length === 0) {
    const last = state.closedShorts.findLast(ofAsset);
    if (last === undefined || event.on - last.on > 60) return false;
    raise(state, id, 'payment_in_lieu');
    return !holds;
  }
  const inOrder = [...shorts].sort((a, b) => a.order - b.order);
  const owed = inOrder.map(remaining);
  spread(paid, owed, sum(owed)).forEach((share, index) => {
    const short = inOrder[index];
    if (short === undefined || share.isZero()) return;
    const brought = portion(short.proceeds, short.taken, remaining(short), short.whole);
    short.inLieu.push({ paid: share, extraordinary: share.abs().times(10).gte(brought) });
  });
  raise(state, id, 'payment_in_lieu');
  return true;
}

/** Returns the part of the payments that is added to the basis of the units delivered. */
export function capitalized(short: OracleShort, quantity: Exact, closed: Day): Exact {
  let joins = nothing;
  for (const payment of short.inLieu) {
    const share = portion(payment.paid, nothing, quantity, remaining(short));
    payment.paid = payment.paid.minus(share);
    const inTime = payment.extraordinary ? !isLongTerm(short.opened, closed) : closed - short.opened <= 45;
    if (inTime) joins = joins.plus(share);
  }
  return joins;
}

export function rememberClosing(state: State, event: OracleEvent, closings: readonly Closing[]): void {
  const last = closings.findLast(({ short }) => isUnder1233(short.assetClass))?.short;
  if (last === undefined) return;
  const { asset, assetClass, account } = last;
  state.closedShorts.push({ asset, assetClass, account, on: event.on });
}
