import type { Day } from '../../../../src/base/day.ts';
import type { OracleEvent } from '../../events/events.ts';
import { dollars, Exact, isLongTerm, most, nothing, sum, units, yearOfDay } from '../../numbers.ts';
import {
  isRetirement,
  isSame,
  type OracleCoveredCall,
  type OracleLine,
  type OracleLot,
  type OracleShort,
  raise,
  remaining,
  type State,
} from '../../state.ts';
import { type ListedOption, listedOption } from '../questions/positions.ts';
import { isQualifiedCall } from '../questions/straddles.ts';

/**
 * Records covered calls. IRC 1092(f): "If a taxpayer holds any stock and grants a qualified covered call option to
 * purchase such stock with a strike price less than the applicable stock price", the holding period "shall not include
 * any period during which the taxpayer is the grantor of such option", and a loss on the option is long-term if gain on
 * the stock would be. The stock's price on the day of the grant is known only from trades on that day. Without such a
 * trade, the taxpayer is asked.
 */
export function noteCoveredCalls(state: State, today: Day): void {
  const calls = state.shorts.flatMap((short) => {
    const option = short.written && !isRetirement(state, short.account) ? listedOption(short.asset) : undefined;
    return option?.isCall === true && short.assetClass === 'option' ? [{ short, option }] : [];
  });
  for (const { short, option } of calls.filter((one) => one.short.opened === today)) {
    const held = sum(
      state.lots
        .filter((lot) => isSame(lot, option.stock, 'stock') && !isRetirement(state, lot.account))
        .map(remaining),
    );
    if (held.lte(0)) continue;
    const owed = sum(
      calls
        .filter((one) => one.option.stock === option.stock)
        .map((one) => remaining(one.short).times(one.short.shares).toDecimalPlaces(18, Exact.ROUND_DOWN)),
    );
    const prices = pricesOf(state, option.stock, today);
    state.coveredCalls.push({
      origin: short.origin,
      row: short.origin.slice(0, short.origin.lastIndexOf('/')),
      stock: option.stock,
      on: today,
      position: state.position,
      ended: null,
      inTheMoney: inTheMoney(option, prices),
      qualified: isQualified(short, option, prices),
      onAll: owed.gte(held),
      lost: nothing,
    });
  }
}

function pricesOf(state: State, stock: string, today: Day): Exact[] {
  const rows = new Set(state.events.map((event) => event.transaction));
  return [...rows].flatMap((row) => {
    const { type, asset, assetClass, on, amount, quantity } = row;
    if (on !== today || !['buy', 'sell', 'short_sell', 'cover'].includes(type)) return [];
    if (!isSame({ asset, assetClass }, stock, 'stock') || (amount ?? 0n) <= 0n || (quantity ?? 0n) <= 0n) return [];
    return [dollars(amount).div(units(quantity)).toDecimalPlaces(8, Exact.ROUND_DOWN)];
  });
}

function inTheMoney({ strike }: ListedOption, prices: readonly Exact[]): boolean | null {
  if (prices.length === 0) return null;
  const below = prices.filter((price) => strike.lt(price)).length;
  return below === prices.length ? true : below === 0 ? false : null;
}

/**
 * Returns true if a call has more than 30 days and at most 12 months to run, and a strike not below the lowest
 * benchmark (1092(c)(4)(B)-(D)).
 */
function isQualified(short: OracleShort, option: ListedOption, prices: readonly Exact[]): boolean {
  if (prices.length === 0)
    return isQualifiedCall(short.asset, short.opened, short.proceeds, short.whole.times(short.shares));
  const days = option.expires - short.opened;
  if (days <= 30 || isLongTerm(short.opened, option.expires)) return false;
  return prices.every((price) => {
    const apart = price.lte(25) ? new Exact('2.5') : new Exact(price.lte(200) ? 5 : 10);
    const below = price.div(apart).ceil().minus(1).times(apart);
    const listed = days > 90 && option.strike.gt(50) ? below.minus(apart) : below;
    const cheap = price.times('0.85').toDecimalPlaces(8, Exact.ROUND_DOWN);
    const bound = price.lte(25) ? cheap : price.lte(150) ? price.minus(10) : nothing;
    return option.strike.gte(most(listed, bound));
  });
}

export function endCoveredCall(state: State, short: OracleShort, on: Day): void {
  if (remaining(short).gt(0)) return;
  for (const call of state.coveredCalls) if (call.origin === short.origin) call.ended = on;
}

const isCertain = (call: OracleCoveredCall): boolean => call.inTheMoney === true && call.qualified && call.onAll;

function callsOn(state: State, lot: OracleLot, sold: Day): OracleCoveredCall[] {
  if (lot.inherited) return [];
  return state.coveredCalls.filter(
    (call) => isSame(lot, call.stock, 'stock') && lot.order <= call.position && lot.cameOn <= call.on && call.on < sold,
  );
}

/** Counts the days on which at least one of the calls is open. */
function openDays(calls: readonly OracleCoveredCall[], sold: Day): number {
  const days = new Set<number>();
  for (const call of calls) for (let day: number = call.on; day < endOf(call, sold); day += 1) days.add(day);
  return days.size;
}

function endOf(call: OracleCoveredCall, sold: Day): number {
  return Math.min(call.ended ?? sold, sold);
}

/** Returns the start of a lot's holding period, without the days that are certainly excluded. */
export function heldWithoutCalls(state: State, lot: OracleLot, since: Day, sold: Day): Day {
  return (since + openDays(callsOn(state, lot, sold).filter(isCertain), sold)) as Day;
}

/** Raises an issue for a stock line whose term or year depends on a call. */
export function askAboutCalls(state: State, line: OracleLine, lot: OracleLot, since: Day): void {
  const calls = callsOn(state, lot, line.sold);
  const doubtful = calls.filter((call) => !isCertain(call) && !(call.inTheMoney === false && call.qualified));
  const left = since + openDays([...calls.filter(isCertain), ...doubtful], line.sold);
  const again = doubtful
    .filter((call) => !call.qualified && !isLongTerm(lot.heldSince, call.on))
    .map((call) => endOf(call, line.sold));
  const latest = Math.max(left, ...again) as Day;
  if (doubtful.length > 0 && line.term === 'long' && !isLongTerm(latest, line.sold))
    raise(state, line.saleId, 'covered_call');
  if (line.proceeds.lte(line.basis)) return;
  // "Gain on disposition of the stock ... is includible in gross income for a later taxable year" (1092(c)(4)(E)).
  for (const { stock, ended, lost } of state.coveredCalls) {
    if (ended === null || lost.lte(0) || !isSame(line, stock, 'stock')) continue;
    if (line.sold - ended < 30 && yearOfDay(ended) < yearOfDay(line.sold)) raise(state, line.saleId, 'covered_call');
  }
}

/** Returns long if the stock of a call that closed at a loss would be long-term (1092(f)(1)). */
export function termOfCall(state: State, event: OracleEvent, short: OracleShort, loss: Exact): 'short' | 'long' {
  const call = state.coveredCalls.find((one) => one.origin === short.origin);
  if (call === undefined || loss.lte(0)) return 'short';
  call.lost = call.lost.plus(loss);
  if (call.inTheMoney === false || !call.qualified) return 'short';
  const { on } = event;
  const stock = state.lots.filter(
    (lot) =>
      isSame(lot, call.stock, 'stock') &&
      remaining(lot).gt(0) &&
      !isRetirement(state, lot.account) &&
      lot.order <= call.position &&
      lot.cameOn <= call.on,
  );
  const long = stock.filter((lot) => lot.inherited || isLongTerm(heldWithoutCalls(state, lot, lot.heldSince, on), on));
  if (long.length === 0) return 'short';
  if (isCertain(call) && long.length === stock.length) return 'long';
  raise(state, event.transaction.id, 'covered_call');
  return 'short';
}
