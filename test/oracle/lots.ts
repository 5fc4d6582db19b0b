import type { Day } from '../../src/base/day.ts';
import type { AssetClass, LotMethod, Transaction } from '../../src/engine/model.ts';
import type { OracleEvent } from './events.ts';
import { cents, type Exact, least, nothing, portion, sum, units as unitsOf, yearOfDay } from './numbers.ts';
import {
  basisLeft,
  isDigital,
  isSame,
  type OracleLot,
  placeOf,
  raise,
  remaining,
  type Slice,
  type State,
  takeFrom,
  universal,
} from './state.ts';

export interface Wanted {
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly account: string;
  readonly quantity: Exact;
  /** Rows may name lots only where they dispose of their own asset, not of a fee's. */
  readonly named: Transaction['lots'];
}

/** Takes what is wanted from the named lots, then by the method; the last slice has no lot where too little was held. */
export function takeLots(state: State, event: OracleEvent, wanted: Wanted): Slice[] {
  const { on, transaction } = event;
  const method = methodFor(state, wanted.account, wanted.assetClass, on);
  const held = (): OracleLot[] => heldLots(state, wanted.account, wanted.asset, wanted.assetClass, on);
  if (method === 'AVERAGE') average(held());
  const slices: Slice[] = [];
  let left = wanted.quantity;
  const take = (lots: readonly OracleLot[], most: Exact): Exact => {
    let open = most;
    for (const lot of lots) {
      const quantity = least(open, remaining(lot));
      if (quantity.lte(0)) continue;
      slices.push(takeFrom(lot, quantity));
      open = open.minus(quantity);
    }
    return most.minus(open);
  };
  if (wanted.named.length > 0 && isLate(event, wanted.assetClass)) {
    raise(state, transaction.id, 'identified_late');
  } else if (method !== 'AVERAGE') {
    for (const choice of wanted.named) {
      const lots = sorted(held(), 'FIFO').filter((lot) => lot.label === choice.label);
      const asked = least(unitsOf(choice.quantity), left);
      const taken = take(lots, asked);
      if (taken.lt(asked)) raise(state, transaction.id, 'lot_not_found');
      left = left.minus(taken);
    }
  }
  left = left.minus(take(sorted(held(), method), left));
  if (left.gt(0)) slices.push({ lot: null, quantity: left, basis: nothing, lossBasis: null });
  return slices;
}

/** Every open lot of the asset in the account, and in the pool that was never allocated to wallets. */
export function heldLots(state: State, account: string, asset: string, assetClass: AssetClass, on: Day): OracleLot[] {
  const place = placeOf(state, account, assetClass, on);
  return state.lots.filter(
    (lot) =>
      isSame(lot, asset, assetClass) &&
      remaining(lot).gt(0) &&
      (lot.account === place || (lot.account === universal && isDigital(assetClass))),
  );
}

export function sorted(lots: readonly OracleLot[], method: LotMethod): OracleLot[] {
  const byDate = (a: OracleLot, b: OracleLot): number => a.acquired - b.acquired || a.order - b.order;
  const byUnit = (a: OracleLot, b: OracleLot): number =>
    a.unit.basis.times(b.unit.quantity).comparedTo(b.unit.basis.times(a.unit.quantity));
  return [...lots].sort((a, b) => {
    const washedFirst = a.fragment === b.fragment ? 0 : a.fragment - b.fragment;
    if (method === 'LIFO') return byDate(b, a) || washedFirst;
    if (method === 'HIFO') return byUnit(b, a) || byDate(a, b) || washedFirst;
    if (method === 'LOFO') return byUnit(a, b) || byDate(a, b) || washedFirst;
    return byDate(a, b) || washedFirst;
  });
}

/** The account's own method, else the latest that stands by the year of the sale. Only funds can be averaged. */
export function methodFor(state: State, account: string, assetClass: AssetClass, on: Day): LotMethod {
  const { rules } = state;
  const year = yearOfDay(on);
  const changed = rules.methodFrom.filter((change) => change.year <= year).sort((a, b) => a.year - b.year);
  const method = rules.methodByAccount[account] ?? changed.at(-1)?.method ?? rules.method;
  return method === 'AVERAGE' && assetClass !== 'fund' ? 'FIFO' : method;
}

/** The aggregate basis over the aggregate number, gifts with two bases apart (1.1012-1(e)(7)(i), (e)(8)). */
export function average(lots: readonly OracleLot[]): void {
  const pool = sorted(lots, 'FIFO').filter((lot) => lot.gift === null);
  const whole = sum(pool.map(remaining));
  const total = sum(pool.map(basisLeft));
  let before = nothing;
  for (const lot of pool) {
    const quantity = remaining(lot);
    lot.basis = portion(total, before, quantity, whole);
    lot.whole = quantity;
    lot.taken = nothing;
    lot.unit = { basis: total, quantity: whole };
    before = before.plus(quantity);
  }
}

/** Whole cents for a new lot; the sub-cent rest waits for the next lot of the book. */
export function centsWithRest(state: State, asset: string, assetClass: AssetClass, exact: Exact): Exact {
  const book = state.bookOf(asset, assetClass);
  const wanted = exact.plus(state.rests.get(book) ?? nothing);
  const basis = cents(wanted);
  state.rests.set(book, wanted.minus(basis));
  return basis;
}

/**
 * Securities: told by the settlement day at the latest (1.1012-1(c)(3), (8)); digital assets: by the time of the sale
 * (1.1012-1(j)(2), (3)(ii)).
 */
function isLate(event: OracleEvent, assetClass: AssetClass): boolean {
  const { identifiedAt, at } = event.transaction;
  if (identifiedAt === null) return false;
  const microsecondsPerDay = 86_400_000_000;
  if (isDigital(assetClass)) {
    return at === null ? identifiedAt >= (event.on + 1) * microsecondsPerDay : identifiedAt > at;
  }
  return identifiedAt >= (settlementOf(event.on) + 1) * microsecondsPerDay;
}

const tPlusOne = Date.UTC(2024, 4, 28) / 86_400_000;
const tPlusTwo = Date.UTC(2017, 8, 5) / 86_400_000;

function settlementOf(on: Day): number {
  let left = on >= tPlusOne ? 1 : on >= tPlusTwo ? 2 : 3;
  let day: number = on;
  while (left > 0) {
    day += 1;
    const weekday = (((day + 4) % 7) + 7) % 7;
    if (weekday !== 0 && weekday !== 6) left -= 1;
  }
  return day;
}
