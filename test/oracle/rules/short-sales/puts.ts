import type { OracleEvent } from '../../events/events.ts';
import type { OracleLot, OraclePut, Slice, State } from '../../model.ts';
import { Exact, isLongTerm, least, most, nothing, sum, wholeUnits } from '../../numbers.ts';
import { isRetirement, isSame, remaining } from '../../state.ts';
import { divide, restartHolding, type taintedLots } from '../lots/holding-periods.ts';

const stockOf = (state: State, asset: string): OracleLot[] =>
  state.lots.filter((lot) => isSame(lot, asset, 'stock') && !isRetirement(state, lot.account) && remaining(lot).gt(0));

/**
 * The puts bought on the day that ends, as short sales of their shares; less the shares bought on their own day, which
 * they are to sell (IRC 1233(c)), each share for one put.
 */
export function openPuts(state: State): void {
  const married = new Map<string, Exact>();
  for (const lot of state.putsToday) {
    if (isRetirement(state, lot.account)) continue;
    const held = state.lots.filter((one) => one.origin === lot.origin && !isRetirement(state, one.account));
    const shares = sharesOf(sum(held.map(remaining)), lot.putShares);
    const stock = stockOf(state, lot.underlying);
    const day = `${lot.underlying} ${lot.cameOn}`;
    const withIt = married.get(day) ?? sum(stock.filter((one) => one.cameOn === lot.cameOn).map(remaining));
    married.set(day, most(nothing, withIt.minus(shares)));
    const whole = shares.minus(withIt);
    if (whole.lte(0)) continue;
    const before = stock.filter(
      (one) => one.cameOn < lot.cameOn && !one.inherited && !isLongTerm(one.heldSince, lot.cameOn),
    );
    state.puts.push({
      origin: lot.origin,
      asset: lot.underlying,
      opened: lot.cameOn,
      whole,
      taken: nothing,
      perContract: lot.putShares,
      shortHeld: least(sum(before.map(remaining)), whole),
      claimed: nothing,
      answered: nothing,
    });
  }
  state.putsToday = [];
}

/** Contracts held over a year behind which stock held no longer stood: their gain is short-term (IRC 1233(b)(1)). */
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
    const shares = sharesOf(slice.quantity, put.perContract);
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

/** Sold, exercised, expired or given away: that closes it, and begins the period of its stock anew. */
export function closePuts(state: State, event: OracleEvent, slices: readonly Slice[]): void {
  for (const { lot, quantity } of slices) {
    const put = lot === null ? undefined : putOf(state, lot);
    if (lot === null || put === undefined) continue;
    const closed = least(sharesOf(quantity, put.perContract), remaining(put));
    restartHolding(state, event, { short: asShort(put), quantity: closed, of: remaining(put) }, []);
    put.taken = put.taken.plus(closed);
    state.puts = state.puts.filter((one) => remaining(one).gt(0));
  }
}

/** Puts in the accounts that a split concerns are on as many shares as it makes of them; once a day where it says the ratio. */
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
    for (const of of ['perContract', 'shortHeld', 'claimed', 'answered'] as const) put[of] = wholeUnits(times(put[of]));
  }
  state.puts = state.puts.filter((put) => remaining(put).gt(0) && put.perContract.gt(0));
}

function asShort(put: OraclePut): Parameters<typeof taintedLots>[1] {
  return Object.assign(put, { assetClass: 'stock' as const });
}

function putOf(state: State, lot: OracleLot): OraclePut | undefined {
  return lot.putShares.gt(0) ? state.puts.find((put) => put.origin === lot.origin) : undefined;
}

/** What contracts can sell, in whole smallest units. */
function sharesOf(contracts: Exact, perContract: Exact): Exact {
  return contracts.times(perContract).toDecimalPlaces(18, Exact.ROUND_DOWN);
}
