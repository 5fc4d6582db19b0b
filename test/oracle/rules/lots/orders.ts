import { type Day, formatDay, type Instant } from '../../../../src/base/day.ts';
import type { AssetClass, LotMethod, Rules, StandingOrder } from '../../../../src/engine/model.ts';
import { isDigital } from '../../state.ts';

/**
 * Returns the standing order for a sale (1.1012-1(c)(8), (j)(3)(ii)): the most specific one, where an account outweighs
 * an asset, and the latest one among equals. Also returns whether a more specific or later order was made that day, but
 * after the sale.
 */
export function orderFor(
  rules: Rules,
  sale: { readonly account: string; readonly asset: string },
  on: Day,
  at: Instant | null,
): { readonly inTime: LotMethod | null; readonly toldBroker: string | undefined; readonly late: boolean } {
  const meant = (rules.standingOrders ?? []).filter(
    (order) =>
      (order.account ?? sale.account) === sale.account &&
      (order.asset ?? sale.asset) === sale.asset &&
      (order.from ?? '') <= formatDay(on),
  );
  const made = meant.filter((order) => isMadeBy(order, on, at, rules));
  const late = meant.filter((order) => order.from !== undefined && !made.includes(order));
  const byRank = rankIn(rules);
  const best = [...made, ...late].sort(byRank).at(-1);
  const inForce = made.sort(byRank).at(-1);
  const isLateBest = best !== undefined && late.includes(best);
  return { inTime: inForce?.method ?? null, toldBroker: inForce?.toldBroker, late: isLateBest };
}

/**
 * Returns true if the broker did not receive the identification. "Adequate identification" of units in the custody of a
 * broker is made to the broker, by the time of the sale (1.1012-1(j)(3)(i)). The taxpayer's own books are enough
 * through 2026 (Notice 2026-20, section 4).
 */
export function isUnknownToBroker(
  { accounts, evidence = {} }: Rules,
  { account, assetClass }: { readonly account: string; readonly assetClass: AssetClass },
  on: Day,
  orderNotice: string | undefined,
): boolean {
  const accountRules = accounts[account];
  const custodian = accountRules?.form ?? evidence[account]?.lines ?? evidence[account]?.source ?? 'none';
  if (!isDigital(assetClass) || custodian === 'none' || formatDay(on) < '2027') return false;
  return [accountRules?.toldBroker, orderNotice].every((day) => day === undefined || day > formatDay(on));
}

/**
 * Returns true if the order was made by that time. If the order or the sale has no time, an order on the same day
 * counts.
 */
function isMadeBy(order: StandingOrder, on: Day, at: Instant | null, rules: Rules): boolean {
  if (at === null || order.madeAt.length === 10) return dayMade(order, rules) <= formatDay(on);
  return Date.parse(order.madeAt) * 1000 <= at;
}

function rankIn(rules: Rules): (a: StandingOrder, b: StandingOrder) => number {
  const named = (order: StandingOrder): number =>
    (order.account === undefined ? 0 : 2) + (order.asset === undefined ? 0 : 1);
  const hourOf = (order: StandingOrder): number => (order.madeAt.length === 10 ? 0 : Date.parse(order.madeAt));
  return (a, b) => named(a) - named(b) || dayMade(a, rules).localeCompare(dayMade(b, rules)) || hourOf(a) - hourOf(b);
}

function dayMade({ madeAt }: StandingOrder, rules: Rules): string {
  return madeAt.length === 10 ? madeAt : localDate(new Date(madeAt), rules);
}

/** Returns the taxpayer's local date. */
export function localDate(moment: Date, { timeZone = 'UTC' }: Rules): string {
  const known = calendars.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  calendars.set(timeZone, known);
  return known.format(moment);
}

const calendars = new Map<string, Intl.DateTimeFormat>();
