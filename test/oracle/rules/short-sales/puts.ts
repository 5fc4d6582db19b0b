import type { OracleEvent } from '../../events/events.ts';
import type { OracleLot, OraclePut, Slice, State } from '../../model.ts';
import { Exact, isLongTerm, least, most, nothing, portion, sum, wholeUnits } from '../../numbers.ts';
import { isRetirement, isSame, lotOf, rebase, remaining, takeFrom } from '../../state.ts';
import { divide, restartHolding, type taintedLots } from '../lots/holding-periods.ts';
import { settleAverages } from '../lots/lots.ts';

const stockOf = (state: State, asset: string): OracleLot[] =>
  state.lots.filter((lot) => isSame(lot, asset, 'stock') && !isRetirement(state, lot.account) && remaining(lot).gt(0));

/**
 * Opens short sales for the shares of puts bought today, except shares bought the same day and identified with them
 * (IRC 1233(c)). Each share is used for one put.
 */
export function openPuts(state: State): void {
  for (const lot of state.putsToday) {
    if (isRetirement(state, lot.account)) continue;
    const held = state.lots.filter((one) => one.origin === lot.origin && !isRetirement(state, one.account));
    const shares = sharesOf(sum(held.map(remaining)), lot.putShares);
    const stock = stockOf(state, lot.underlying);
    const free = stock.filter((one) => one.cameOn === lot.cameOn && one.marriedTo === null);
    const married = least(shares, sum(free.map(remaining)));
    const whole = shares.minus(married);
    if (shares.lte(0)) continue;
    identify(state, lot, free, married);
    const before = stock.filter(
      (one) => one.cameOn < lot.cameOn && !one.inherited && !isLongTerm(one.heldSince, lot.cameOn),
    );
    state.puts.push({
      origin: lot.origin,
      asset: lot.underlying,
      opened: lot.cameOn,
      whole,
      taken: nothing,
      married,
      perContract: lot.putShares,
      shortHeld: least(sum(before.map(remaining)), whole),
      claimed: nothing,
      answered: nothing,
    });
  }
  state.putsToday = [];
}

/**
 * Identifies shares with a put: "The property identified as intended to be used in exercising such option". Shares in
 * the same account as the put come first.
 */
function identify(state: State, put: OracleLot, free: readonly OracleLot[], shares: Exact): void {
  let left = shares;
  for (const lot of nearestFirst(free, put.account)) {
    const part = least(left, remaining(lot));
    left = left.minus(part);
    if (part.lte(0)) continue;
    // The other shares become a separate part, so they are sold first.
    if (part.lt(remaining(lot))) apart(state, lot, remaining(lot).minus(part));
    lot.marriedTo = put.origin;
  }
}

function nearestFirst(lots: readonly OracleLot[], account: string): OracleLot[] {
  const far = (lot: OracleLot): number => (lot.account === account ? 0 : 1);
  return [...lots].sort((a, b) => far(a) - far(b) || a.order - b.order || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

/** Splits units off a lot into a separate lot. */
function apart(state: State, lot: OracleLot, part: Exact): OracleLot {
  if (part.equals(remaining(lot))) return lot;
  const split = lotOf(takeFrom(lot, part), lot);
  state.lots.push(split);
  return split;
}

/**
 * Adds the cost of lapsed puts to the basis of their shares. "If the option is not exercised, the cost of the option
 * shall be added to the basis of the property with which the option is identified" (IRC 1233(c)). Shares sold before
 * could not be sold through the option, so their part of the cost is lost when the option lapses (1234(a)(2)). Returns
 * the contracts that lapse in this way.
 */
export function joinBasis(state: State, account: string, slices: readonly Slice[]): Slice[] {
  return slices.flatMap((slice) => {
    const put = slice.lot === null ? undefined : putOf(state, slice.lot);
    if (put === undefined || isRetirement(state, account)) return [slice];
    const stock = stockOf(state, put.asset).filter((lot) => lot.marriedTo === put.origin);
    const beyondOthers = most(nothing, sharesOf(slice.quantity, put.perContract).minus(remaining(put)));
    const joined = least(beyondOthers, put.married, sum(stock.map(remaining)));
    const contracts = least(slice.quantity, joined.div(put.perContract).toDecimalPlaces(18, Exact.ROUND_DOWN));
    if (contracts.lte(0)) return [slice];
    const [first, ...others] = divide(slice, contracts);
    put.married = put.married.minus(joined);
    addCost(state, nearestFirst(stock, account), joined, first?.basis ?? nothing);
    return others;
  });
}

function addCost(state: State, stock: readonly OracleLot[], shares: Exact, cost: Exact): void {
  let before = nothing;
  for (const lot of stock) {
    const part = least(shares.minus(before), remaining(lot));
    if (part.lte(0)) return;
    settleAverages(state, (account, asset) => lot.account !== account || lot.asset !== asset);
    const own = apart(state, lot, part);
    rebase(own);
    const share = portion(cost, before, part, shares);
    before = before.plus(part);
    own.basis = own.basis.plus(share);
    own.hidden = own.hidden.plus(share);
    if (own.gift !== null) own.gift = { ...own.gift, lossBasis: own.gift.lossBasis.plus(share) };
    const { unit } = own;
    own.unit = { basis: unit.basis.times(part).plus(share.times(unit.quantity)), quantity: unit.quantity.times(part) };
    own.marriedTo = null;
  }
}

/**
 * Separates contracts held over a year that cover stock held for a year or less: their gain is short-term
 * (IRC 1233(b)(1)).
 */
export function turnedPuts(
  state: State,
  event: OracleEvent,
  slices: readonly Slice[],
): { all: Slice[]; turned: Set<Slice> } {
  const turned = new Set<Slice>();
  const all = slices.flatMap((slice) => {
    const { lot } = slice;
    const put = lot === null ? undefined : putOf(state, lot);
    if (lot === null || put === undefined || !(lot.inherited || isLongTerm(lot.heldSince, event.on))) return [slice];
    const shares = least(sharesOf(slice.quantity, put.perContract), remaining(put));
    const later = stockOf(state, put.asset).filter((one) => one.cameOn > put.opened && one.cameOn <= event.on);
    const property = put.shortHeld.plus(sum(later.map(remaining)));
    const part = most(nothing, least(shares, property.minus(put.answered)));
    put.answered = put.answered.plus(part);
    const contracts = part.div(put.perContract).toDecimalPlaces(18, Exact.ROUND_DOWN);
    const [first, ...others] = divide(slice, contracts);
    if (first === undefined) return [];
    if (contracts.gt(0)) turned.add(first);
    return [first, ...others];
  });
  return { all, turned };
}

/** Closes a put at its sale, exercise, expiration or gift, and restarts the holding period of its stock. */
export function closePuts(state: State, event: OracleEvent, slices: readonly Slice[]): void {
  for (const { lot, quantity } of slices) {
    const put = lot === null ? undefined : putOf(state, lot);
    if (lot === null || put === undefined) continue;
    const shares = sharesOf(quantity, put.perContract);
    const closed = least(shares, remaining(put));
    put.married = most(nothing, put.married.minus(shares.minus(closed)));
    restartHolding(state, event, { short: asShort(put), quantity: closed, of: remaining(put) }, []);
    put.taken = put.taken.plus(closed);
    state.puts = state.puts.filter((one) => remaining(one).plus(one.married).gt(0));
  }
}

/** Adjusts the shares of the puts in the accounts that a split affects, once a day if it states the ratio. */
export function splitPuts(
  state: State,
  event: OracleEvent,
  accounts: (account: string) => boolean,
  times: (value: Exact) => Exact,
): void {
  const { asset, assetClass, ratio } = event.transaction;
  for (const put of state.puts.filter((one) => isSame({ asset: one.asset, assetClass: 'stock' }, asset, assetClass))) {
    const lots = state.lots.filter((lot) => lot.origin === put.origin && remaining(lot).gt(0));
    const key = JSON.stringify(['split put', put.origin, `${ratio?.numerator}:${ratio?.denominator}`]);
    if (!lots.some((lot) => accounts(lot.account)) || (ratio !== null && state.actionsToday.has(key))) continue;
    state.actionsToday.add(key);
    put.whole = wholeUnits(times(remaining(put)));
    put.taken = nothing;
    for (const of of ['perContract', 'married', 'shortHeld', 'claimed', 'answered'] as const)
      put[of] = wholeUnits(times(put[of]));
  }
  state.puts = state.puts.filter((put) => remaining(put).plus(put.married).gt(0) && put.perContract.gt(0));
}

function asShort(put: OraclePut): Parameters<typeof taintedLots>[1] {
  return Object.assign(put, { assetClass: 'stock' as const });
}

function putOf(state: State, lot: OracleLot): OraclePut | undefined {
  return lot.putShares.gt(0) ? state.puts.find((put) => put.origin === lot.origin) : undefined;
}

/** Returns the shares that contracts can sell, rounded to the smallest unit. */
function sharesOf(contracts: Exact, perContract: Exact): Exact {
  return contracts.times(perContract).toDecimalPlaces(18, Exact.ROUND_DOWN);
}
