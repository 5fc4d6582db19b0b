import { type Day, formatDay } from '../../../../src/base/day.ts';
import type { AssetClass, LotMethod, Rules } from '../../../../src/engine/model.ts';
import type { OracleEvent } from '../../events/events.ts';
import { type Exact, least, nothing, portion, sum, yearOfDay } from '../../numbers.ts';
import {
  type Average,
  basisLeft,
  hiddenLeft,
  isDigital,
  isSame,
  type OracleLot,
  placeOf,
  rebase,
  remaining,
  type Slice,
  type State,
  takeFrom,
} from '../../state.ts';
import { localDate } from './orders.ts';
import { settlementOf } from './settlement.ts';

export function heldLots(state: State, place: string, asset: string, assetClass: AssetClass): OracleLot[] {
  return state.lots.filter((lot) => isSame(lot, asset, assetClass) && lot.account === place && remaining(lot).gt(0));
}

export function sorted(lots: readonly OracleLot[], method: LotMethod): OracleLot[] {
  const byDate = (a: OracleLot, b: OracleLot): number => a.acquired - b.acquired || a.order - b.order;
  const byId = (a: OracleLot, b: OracleLot): number => {
    // A part that was split off is sold before the rest of its lot.
    if (a.id !== b.id && a.id.startsWith(b.id)) return -1;
    if (a.id !== b.id && b.id.startsWith(a.id)) return 1;
    return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
  };
  const byUnit = (a: OracleLot, b: OracleLot): number =>
    a.unit.basis.times(b.unit.quantity).comparedTo(b.unit.basis.times(a.unit.quantity));
  return [...lots].sort((a, b) => {
    const washed = Number(b.washed) - Number(a.washed);
    const washedFirst = (a.leavesLast || b.leavesLast ? -washed : washed) || byId(a, b);
    const orders: Readonly<Record<LotMethod, () => number>> = {
      FIFO: () => byDate(a, b),
      LIFO: () => byDate(b, a),
      HIFO: () => byUnit(b, a) || byDate(a, b),
      LOFO: () => byUnit(a, b) || byDate(a, b),
      AVERAGE: () => byDate(a, b),
    };
    return orders[method]() || washedFirst;
  });
}

/**
 * Returns the account's own method, or else the latest method in effect for the year of the sale. Only funds can be
 * averaged.
 */
export function methodFor(state: State, account: string, assetClass: AssetClass, on: Day): LotMethod {
  const { rules } = state;
  const year = yearOfDay(on);
  const changed = rules.methodFrom.filter((change) => change.year <= year).sort((a, b) => a.year - b.year);
  const method = rules.methodByAccount[account] ?? changed.at(-1)?.method ?? rules.method;
  return method === 'AVERAGE' && assetClass !== 'fund' ? 'FIFO' : method;
}

/**
 * Returns the aggregate basis divided by the aggregate number of shares, with gifts with two bases kept separate
 * (1.1012-1(e)(7)(i), (e)(8)). Portions are computed from the same whole until shares are added, or until one of its
 * shares replaces a loss, even one of zero cents.
 */
function averageOf(
  state: State,
  account: string,
  asset: string,
  covered: boolean,
  lots: readonly OracleLot[],
): Average {
  const pool = coveredOf(lots, covered).filter((lot) => lot.gift === null);
  const key = averageName(account, asset, covered);
  const known = state.averages.get(key);
  const whole = sum(pool.map(remaining));
  const basis = sum(pool.map(basisLeft));
  if (known?.whole.minus(known.taken).equals(whole) && averageLeft(known).equals(basis)) return known;
  const fresh = { whole, basis, hidden: sum(pool.map(hiddenLeft)), taken: nothing };
  state.averages.set(key, fresh);
  return fresh;
}

/** Restarts the portions with the remaining shares. */
export function averageAnew(state: State, { account, asset, assetClass, covered }: OracleLot): void {
  if (!state.averages.delete(averageName(account, asset, covered))) return;
  averageOf(state, account, asset, covered, heldLots(state, account, asset, assetClass));
}

function averageName(account: string, asset: string, covered: boolean): string {
  return JSON.stringify([account, asset, covered]);
}

/**
 * Returns the covered or the noncovered shares, which are treated as held in separate accounts (1.1012-1(e)(10)(iii)).
 */
function coveredOf(lots: readonly OracleLot[], covered: boolean): OracleLot[] {
  return lots.filter((lot) => lot.covered === covered);
}

function averageLeft(average: Average): Exact {
  return portion(average.basis, average.taken, average.whole.minus(average.taken), average.whole);
}

function takeAverage(average: Average, lot: OracleLot, quantity: Exact): Slice {
  const basis = portion(average.basis, average.taken, quantity, average.whole);
  const hidden = portion(average.hidden, average.taken, quantity, average.whole);
  average.taken = average.taken.plus(quantity);
  lot.unit = { basis: average.basis, quantity: average.whole };
  return { ...takeFrom(lot, quantity), basis, hidden };
}

/** Allocates the remaining averaged basis to the lots in the order in which they would be sold. */
function dealOut(lots: readonly OracleLot[], average: Average): void {
  const pool = sorted(lots, 'FIFO').filter((lot) => lot.gift === null);
  const total = averageLeft(average);
  const hidden = portion(average.hidden, average.taken, average.whole.minus(average.taken), average.whole);
  const whole = sum(pool.map(remaining));
  let before = nothing;
  for (const lot of pool) {
    const quantity = remaining(lot);
    rebase(lot);
    lot.basis = portion(total, before, quantity, whole);
    lot.hidden = portion(hidden, before, quantity, whole);
    lot.unit = { basis: lot.basis, quantity };
    before = before.plus(quantity);
  }
}

/** Averages the shares added since the last call, and ends the averaging if `stays` returns false for the fund. */
export function settleAverages(state: State, stays: (account: string, asset: string) => boolean): void {
  for (const key of [...state.averages.keys()]) {
    const [account, asset, covered]: [string, string, boolean] = JSON.parse(key);
    const lots = coveredOf(heldLots(state, account, asset, 'fund'), covered);
    dealOut(lots, averageOf(state, account, asset, covered, lots));
    if (!stays(account, asset)) state.averages.delete(key);
  }
}

/**
 * Takes units from an account's lots in the given order. If the basis is averaged, each unit leaves with the average,
 * and `dealt` allocates the rest.
 */
export function takerOf(
  state: State,
  { account, asset, assetClass }: { account: string; asset: string; assetClass: AssetClass },
  on: Day,
  method: LotMethod,
): { take: (lots: readonly OracleLot[], most: Exact) => Slice[]; dealt: () => void } {
  const held = (): OracleLot[] => heldLots(state, placeOf(state, account, assetClass, on), asset, assetClass);
  const averaged = method === 'AVERAGE';
  // A standing order for another method ends the averaging of the shares added so far.
  if (!averaged) settleAverages(state, (at, name) => at !== account || name !== asset);
  const averages = averaged ? [true, false].map((covered) => averageOf(state, account, asset, covered, held())) : [];
  const take = (lots: readonly OracleLot[], most: Exact): Slice[] => {
    let open = most;
    return lots.flatMap((lot) => {
      const quantity = least(open, remaining(lot));
      if (quantity.lte(0)) return [];
      open = open.minus(quantity);
      const average = averages[lot.covered ? 0 : 1];
      return [
        average === undefined || lot.gift !== null ? takeFrom(lot, quantity) : takeAverage(average, lot, quantity),
      ];
    });
  };
  const dealt = (): void => averages.forEach((average, at) => void dealOut(coveredOf(held(), at === 0), average));
  return { take, dealt };
}

/**
 * Returns true if an identification is late. Securities must be identified by the settlement day (1.1012-1(c)(3), (8)),
 * and digital assets by the time of the sale (1.1012-1(j)(2), (3)(ii)).
 */
export function isLate(rules: Rules, event: OracleEvent, assetClass: AssetClass): boolean {
  const { identifiedAt, at } = event.transaction;
  if (identifiedAt === null) return false;
  if (isDigital(assetClass) && at !== null) return identifiedAt > at;
  const last = isDigital(assetClass) ? event.on : settlementOf(event.on);
  return localDate(new Date(identifiedAt / 1000), rules) > formatDay(last);
}
