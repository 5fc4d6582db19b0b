import { type Day, formatDay, type Instant } from '../../src/base/day.ts';
import type { LotMethod, Rules, StandingOrder } from '../../src/engine/model.ts';

/**
 * The standing order for a sale (1.1012-1(c)(8), (j)(3)(ii)): the one that names most, the account more than the asset, of
 * those the one made last; and whether a better one was made for that day, but after the sale.
 */
export function orderFor(
  rules: Rules,
  sale: { readonly account: string; readonly asset: string },
  on: Day,
  at: Instant | null,
): { readonly inTime: LotMethod | null; readonly late: boolean } {
  const meant = (rules.standingOrders ?? []).filter(
    (order) =>
      (order.account ?? sale.account) === sale.account &&
      (order.asset ?? sale.asset) === sale.asset &&
      (order.from ?? '') <= formatDay(on),
  );
  const made = meant.filter((order) => isMadeBy(order, on, at));
  const late = meant.filter((order) => order.from !== undefined && !made.includes(order));
  const best = [...made, ...late].sort(byRank).at(-1);
  return { inTime: made.sort(byRank).at(-1)?.method ?? null, late: best !== undefined && late.includes(best) };
}

/** Where one of the two has no hour, an order of that day counts. */
function isMadeBy({ madeAt }: StandingOrder, on: Day, at: Instant | null): boolean {
  if (at === null || madeAt.length === 10) return madeAt.slice(0, 10) <= formatDay(on);
  return Date.parse(madeAt) * 1000 <= at;
}

function byRank(a: StandingOrder, b: StandingOrder): number {
  const named = (order: StandingOrder): number =>
    (order.account === undefined ? 0 : 2) + (order.asset === undefined ? 0 : 1);
  const dayOf = (order: StandingOrder): string => order.madeAt.slice(0, 10);
  const hourOf = (order: StandingOrder): number => (order.madeAt.length === 10 ? 0 : Date.parse(order.madeAt));
  return named(a) - named(b) || dayOf(a).localeCompare(dayOf(b)) || hourOf(a) - hourOf(b);
}
