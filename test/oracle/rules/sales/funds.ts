import type { Day } from '../../../../src/base/day.ts';
import type { OracleEvent } from '../../events/events.ts';
import type { Slice, State } from '../../model.ts';
import { cents, dollars, Exact, isLongTerm, least, nothing, portion, sum } from '../../numbers.ts';
import { isSame, remaining } from '../../state.ts';
import { divide } from '../lots/holding-periods.ts';

/** Records capital gains that a fund distributed on the shares that an account had before that day. */
export function rememberDistribution(state: State, event: OracleEvent): void {
  const { type, amount, asset, assetClass, account } = event.transaction;
  if (type !== 'capital_gain_distribution' || !['fund', 'stock'].includes(assetClass) || amount === null) return;
  const held = state.lots.filter(
    (lot) => isSame(lot, asset, assetClass) && lot.account === account && lot.acquired < event.on,
  );
  const shares = sum(held.map(remaining));
  const paid = cents(dollars(amount));
  if (shares.gt(0) && paid.gt(0)) state.distributions.push({ asset, account, on: event.on, shares, paid });
}

/**
 * Returns the long-term part of a loss on shares of a fund or a REIT held six months or less: "to the extent of" the
 * capital gain dividends on them (IRC 852(b)(4)(A), 857(b)(8)(A)), for the number of shares that corresponds to that
 * part of the loss.
 */
export function longLosses(
  state: State,
  on: Day,
  slices: readonly Slice[],
  proceeds: Exact,
  whole: Exact,
): { all: Slice[]; long: Set<Slice> } {
  const long = new Set<Slice>();
  const all = slices.flatMap((slice) => {
    const loss = slice.basis.minus(portion(proceeds, nothing, slice.quantity, whole));
    const paid = paidOn(state, slice, on);
    if (loss.lte(0) || paid.lte(0)) return [slice];
    const shares = slice.quantity.times(least(paid, loss)).div(loss).toDecimalPlaces(18, Exact.ROUND_DOWN);
    const [first, ...others] = divide(slice, shares);
    if (first === undefined) return [];
    if (shares.gt(0)) long.add(first);
    return [first, ...others];
  });
  return { all, long };
}

function paidOn(state: State, { lot, quantity, lossBasis }: Slice, on: Day): Exact {
  if (lot === null || !['fund', 'stock'].includes(lot.assetClass) || lossBasis !== null) return nothing;
  if (lot.inherited || isLongTerm(lot.heldSince, on) || isOverSixMonths(lot.acquired, on)) return nothing;
  const own = state.distributions.filter(
    (one) => one.asset === lot.asset && one.account === lot.account && one.on > lot.acquired && one.on <= on,
  );
  return sum(own.map((one) => portion(one.paid, nothing, quantity, one.shares)));
}

/**
 * Returns true if held for more than six calendar months, from the day after the purchase through the day of the sale.
 */
function isOverSixMonths(acquired: Day, sold: Day): boolean {
  const day = 86_400_000;
  const start = new Date((acquired + 1) * day);
  const [year, month, of] = [start.getUTCFullYear(), start.getUTCMonth() + 6, start.getUTCDate()];
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const next = of > lastOfMonth ? Date.UTC(year, month + 1, 1) : Date.UTC(year, month, of);
  return sold * day >= next;
}
