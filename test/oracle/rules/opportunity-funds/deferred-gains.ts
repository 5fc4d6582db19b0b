import { type Day, formatDay } from '../../../../src/base/day.ts';
import type { Transaction } from '../../../../src/engine/model.ts';
import type { OracleEvent } from '../../events/events.ts';
import type { OracleDeferral, OracleLine, OracleLot, Slice } from '../../model.ts';
import { cents, dollars, Exact, least, most, nothing, portion, spread, sum, units } from '../../numbers.ts';
import {
  basisLeft,
  isRetirement,
  isSame,
  lineOfEvent,
  placeOf,
  raise,
  remaining,
  type State,
  settle,
} from '../../state.ts';
import { makeWhole } from '../corporate-actions/affected-lots.ts';
import { sorted } from '../lots/lots.ts';
import { ofThisReturn } from '../year/separate-returns.ts';

/** "December 31, 2026" (IRC 1400Z-2(b)(1)(B)). */
const lastDay = (Date.UTC(2026, 11, 31) / 86_400_000) as Day;

/**
 * Returns the end of the deferral. Before 2027: "December 31, 2026". As amended by Pub. L. 119-21, section 70421(c),
 * for amounts invested after that day: "the date which is 5 years after the date the investment in the qualified
 * opportunity fund was made".
 */
function endOf({ on }: Pick<Transaction, 'on'>): Day {
  return on <= lastDay ? lastDay : (yearsAfter(on, 5) as Day);
}

/** Defers a gain: "Gross income for the taxable year shall not include so much of such gain" (IRC 1400Z-2(a)(1)(A)). */
export function deferGain(state: State, event: OracleEvent): void {
  const { transaction: row, on } = event;
  if (isRetirement(state, row.account)) return;
  if (row.amount === null || row.amount <= 0n || row.acquired === null || row.term === null) {
    raise(state, row.id, 'value_missing');
    return;
  }
  const deferral: OracleDeferral = {
    row,
    term: row.term,
    gain: cents(dollars(row.amount)),
    units: units(row.quantity),
    gone: nothing,
  };
  state.lines.push({
    ...rowOf(event, deferral),
    on: row.acquired,
    quantity: deferral.units,
    code: 'Z',
    adjustment: deferral.gain.neg(),
  });
  // "During the 180-day period beginning on the date of such sale". Notice 2026-40: an amount included on December 31,
  // 2026 is not an eligible gain, but a gain from a sale on that day may be.
  const isInTime = on >= row.acquired && on <= row.acquired + 179;
  if (!isInTime || row.acquired === lastDay) raise(state, row.id, 'deferral_in_doubt');
  state.deferrals.push(deferral);
}

/**
 * Includes the gain of units sold: "The date on which such investment is sold or exchanged" (IRC 1400Z-2(b)(1)(A)). A
 * gift also ends the deferral.
 */
export function includeSold(state: State, event: OracleEvent, slices: readonly Slice[], value: Exact | null): Slice[] {
  const worths = spread(
    value ?? nothing,
    slices.map((slice) => slice.quantity),
    sum(slices.map((slice) => slice.quantity)),
  );
  const later = (at: number, row: string): Exact =>
    sum(slices.slice(at).flatMap(({ lot, quantity }) => (lot?.transactionId === row ? [quantity] : [])));
  let asks = false;
  const all = slices.map((slice, at) => {
    const deferral = state.deferrals.find(
      ({ row, gone, units: whole }) => row.id === slice.lot?.transactionId && gone.lt(whole),
    );
    if (deferral === undefined) return slice;
    const held = sum(
      state.lots
        .filter(
          (lot) =>
            lot.transactionId === deferral.row.id && isSame(lot, event.transaction.asset, event.transaction.assetClass),
        )
        .map(remaining),
    );
    asks ||= value === null;
    const { ended, gain } = end(deferral, slice.quantity, held.plus(later(at, deferral.row.id)));
    const worth = value === null ? null : (worths[at] ?? nothing);
    const { included, basis } = inclusion(state, deferral, gain, worth, event.on);
    const { account } = event.transaction;
    const cells = { account, quantity: ended, adjustment: included, ...(worth === null ? {} : { fundValue: worth }) };
    state.lines.push({ ...rowOf(event, deferral), code: 'Y', ...cells });
    askForRural(state, deferral, event.transaction.id, event.on);
    return { ...slice, basis: slice.basis.plus(basis) };
  });
  if (asks) raise(state, event.transaction.id, 'value_missing');
  return all;
}

export function isDeferredIn(state: State, event: OracleEvent): boolean {
  return state.deferrals.some((deferral) => isOpenIn(state, event, deferral));
}

function isOpenIn(state: State, event: OracleEvent, deferral: OracleDeferral): boolean {
  return deferral.gone.lt(deferral.units) && lotsIn(state, event, deferral).length > 0;
}

/**
 * Includes the gain at the stated value of the interest "as of the date on which it is included" (IRC
 * 1400Z-2(b)(2)(A)(i)).
 */
export function includeAtValue(state: State, event: OracleEvent): void {
  const { transaction: row, on } = event;
  const due = state.deferrals.filter((deferral) => endOf(deferral.row) === on && isOpenIn(state, event, deferral));
  if (row.fmv === null || due.length === 0) {
    raise(state, row.id, 'unreconciled');
    return;
  }
  const value = settle(state, 'mark', row, dollars(row.fmv));
  const place = placeOf(state, row.account, row.assetClass, on);
  const scope = state.lots.filter(
    (lot) => isSame(lot, row.asset, row.assetClass) && (row.account === '' || lot.account === place),
  );
  const all = sum(scope.map(remaining));
  for (const deferral of due) {
    const lots = lotsIn(state, event, deferral);
    const own = sum(lots.map(remaining));
    const open = sum(state.lots.filter((lot) => lot.transactionId === deferral.row.id).map(remaining));
    const { ended, gain } = end(deferral, own, open);
    const fundValue = portion(value, nothing, own, all);
    const { included, basis } = inclusion(state, deferral, gain, fundValue, on);
    const account = accountsOf(lots)[0] ?? row.account;
    const cells = { account, quantity: ended, adjustment: included, fundValue };
    state.lines.push({ ...rowOf(event, deferral), code: 'Y', ...cells });
    askForRural(state, deferral, row.id, on);
    raiseBasis(state, lots, basis);
  }
}

/**
 * Ends deferrals. A gain without a known value is included in full, because the taxpayer would have to show a smaller
 * value. If `isOver` is true, no further row can state a value.
 */
export function endDeferrals(state: State, known: Day, isOver: boolean): void {
  for (const deferral of state.deferrals) {
    const { row, gain, units: whole, gone } = deferral;
    const end = endOf(row);
    if (gone.gte(whole) || (!isOver && known <= end)) continue;
    const rest = portion(gain, gone, whole.minus(gone), whole);
    const { included, basis } = inclusion(state, deferral, rest, null, end);
    const event = { transaction: row, on: end, ordinal: 1, role: 'defer', timed: false } as const;
    state.lines.push({ ...rowOf(event, deferral), quantity: whole.minus(gone), code: 'Y', adjustment: included });
    const [ours] = ofThisReturn(state.rules, [{ account: row.account, on: end }]);
    if (ours !== undefined) {
      raise(state, row.id, 'value_missing');
      askForRural(state, deferral, row.id, end);
    }
    if (known > end) {
      raiseBasis(
        state,
        state.lots.filter((lot) => lot.transactionId === row.id),
        basis,
      );
      deferral.gone = whole;
    }
  }
}

/** Ends the deferral for the units that leave, and returns these invested units and their gain. */
function end(deferral: OracleDeferral, leaving: Exact, held: Exact): { readonly ended: Exact; readonly gain: Exact } {
  const left = deferral.units.minus(deferral.gone);
  const ended = leaving.gte(held) ? left : left.times(leaving).div(held).toDecimalPlaces(18, Exact.ROUND_DOWN);
  const gain = portion(deferral.gain, deferral.gone, ended, deferral.units);
  deferral.gone = deferral.gone.plus(ended);
  return { ended, gain };
}

/**
 * Returns the included amount: "The excess of the lesser of the amount of gain excluded or the fair market value over
 * the taxpayer's basis" (IRC 1400Z-2(b)(2)(A)). The basis is 10 percent of the gain after 5 years and 5 percent more
 * after 7 years ((B)(iii), (iv)). As amended: 10 percent after 5 years, "30 percent" in a qualified rural opportunity
 * fund.
 */
function inclusion(
  { rules }: State,
  { row }: OracleDeferral,
  gain: Exact,
  value: Exact | null,
  on: Day,
): { included: Exact; basis: Exact } {
  const amended = row.on > lastDay;
  const afterFive = amended && rules.assets?.[row.asset]?.ruralFund === true ? '0.3' : '0.1';
  const rate = !amended && on >= yearsAfter(row.on, 7) ? '0.15' : on >= yearsAfter(row.on, 5) ? afterFive : '0';
  const held = cents(gain.times(rate));
  const included = most(nothing, least(gain, value ?? gain).minus(held));
  return { included, basis: held.plus(included) };
}

/** Asks whether the fund is rural, because the basis rises by 10 or 30 percent. */
function askForRural(state: State, { row }: OracleDeferral, asked: string, on: Day): void {
  const isStated = state.rules.assets?.[row.asset]?.ruralFund !== undefined;
  if (row.on > lastDay && !isStated && on >= yearsAfter(row.on, 5)) raise(state, asked, 'deferral_in_doubt');
}

function yearsAfter(day: Day, years: number): number {
  const date = new Date(day * 86_400_000);
  return Date.UTC(date.getUTCFullYear() + years, date.getUTCMonth(), date.getUTCDate()) / 86_400_000;
}

/**
 * Returns the row for a deferral: "Enter only the EIN" in (a), "the date you invested" in (b). (d) and (e) stay empty
 * (i8949).
 */
function rowOf(event: OracleEvent, { row, term }: OracleDeferral): OracleLine {
  const dates = { acquired: row.on, heldSince: row.on, brokerSince: row.on };
  const digital = row.box === 'I' || row.box === 'L';
  const { asset, assetClass, account } = row;
  const of = { asset, assetClass, account, term, stated: digital ? 'I' : 'C' } as const;
  return { ...lineOfEvent(event), ...dates, ...of };
}

function lotsIn(state: State, event: OracleEvent, { row }: OracleDeferral): OracleLot[] {
  const { account, asset, assetClass } = event.transaction;
  const place = placeOf(state, account, assetClass, event.on);
  const inScope = (lot: OracleLot): boolean => account === '' || lot.account === place;
  return state.lots.filter((lot) => lot.transactionId === row.id && isSame(lot, asset, assetClass) && inScope(lot));
}

function accountsOf(lots: readonly OracleLot[]): string[] {
  return [...new Set(lots.map((lot) => lot.account))].sort();
}

function raiseBasis(state: State, lots: readonly OracleLot[], amount: Exact): void {
  const inOrder = accountsOf(lots).flatMap((account) =>
    sorted(
      lots.filter((lot) => lot.account === account),
      'FIFO',
    ),
  );
  makeWhole(state, inOrder);
  const shares = spread(amount, inOrder.map(remaining), sum(inOrder.map(remaining)));
  inOrder.forEach((lot, at) => {
    lot.basis = basisLeft(lot).plus(shares[at] ?? nothing);
    lot.unit = { basis: lot.basis, quantity: lot.whole };
  });
}

/**
 * Applies the election after ten years: "In the case of any investment held by the taxpayer for at least 10 years and
 * with respect to which the taxpayer makes an election under this clause, the basis of such property shall be equal to
 * the fair market value of such investment on the date that the investment is sold" (IRC 1400Z-2(c)). A taxpayer does
 * not elect it without a benefit.
 */
export function atTenYears(state: State, event: OracleEvent, slice: Slice, proceeds: Exact): Slice {
  const [opener = ''] = slice.lot?.origin.split('/') ?? [];
  const row = state.events.find(({ transaction }) => transaction.id === opener)?.transaction;
  const growth = proceeds.minus(slice.basis);
  if (row?.type !== 'defer_gain' || slice.lot?.origin !== `${opener}/0` || growth.lte(0)) return slice;
  const since = formatDay(row.on);
  const after = `${Number(since.slice(0, 4)) + 10}${since.slice(4)}`;
  if (formatDay(event.on) < after || isRetirement(state, row.account)) return slice;
  const elected = state.rules.assets?.[event.transaction.asset]?.basisAtSale;
  // As amended: "the fair market value of such investment on the date which is 30 years after" the investment, if it is
  // sold later.
  if (row.on > lastDay && formatDay(event.on) >= `${Number(since.slice(0, 4)) + 30}${since.slice(4)}`) {
    raise(state, event.transaction.id, 'deferral_in_doubt');
    return slice;
  }
  if (elected === undefined) raise(state, event.transaction.id, 'deferral_in_doubt');
  return elected === true ? { ...slice, basis: proceeds } : slice;
}
