import { type Day, yearOf } from '../base/day.ts';
import type { OpenLot } from './book/book.ts';
import { type AssetClass, type LotMethod, lotMethods, type Rules, type StandingOrder } from './model.ts';

/**
 * A lot method is the order in which lots leave: one comparator, total (no two lots of a pool are equal), so that the
 * choice never depends on how the lots came to lie in memory. A new method is one line here and one in `lotMethods`.
 *
 * FIFO is the rule unless lots are identified (26 CFR 1.1012-1(c)(1), (j)(3)(i)); the others are standing orders, that
 * is specific identification (1.1012-1(c)(8)). AVERAGE takes shares in the order of FIFO and their basis from the pool
 * (1.1012-1(e)(7)).
 */
export type LotOrder = (a: OpenLot, b: OpenLot) => number;

export const lotOrders: Readonly<Record<LotMethod, LotOrder>> = {
  FIFO: (a, b) => a.acquired - b.acquired || withinPurchase(a, b),
  LIFO: (a, b) => b.acquired - a.acquired || b.sequence - a.sequence || fragments(a, b),
  HIFO: (a, b) => compareUnitBasis(b, a) || a.acquired - b.acquired || withinPurchase(a, b),
  LOFO: (a, b) => compareUnitBasis(a, b) || a.acquired - b.acquired || withinPurchase(a, b),
  AVERAGE: (a, b) => a.acquired - b.acquired || withinPurchase(a, b),
};

/**
 * A number near what each order asks first, the same to 15 digits: it decides nearly every comparison, and where two are
 * too close to call the order does (`heap.ts`). The unit price of HIFO and LOFO is a fraction of integers of any length.
 */
export const lotRanks: Readonly<Record<LotMethod, (lot: OpenLot) => number>> = {
  FIFO: (lot) => lot.acquired,
  LIFO: (lot) => -lot.acquired,
  HIFO: (lot) => -priceNear(lot),
  LOFO: priceNear,
  AVERAGE: (lot) => lot.acquired,
};

/** No number where the integers are beyond what a double can be near. */
function priceNear(lot: OpenLot): number {
  const [basis, quantity] = [Number(lot.unitBasis), Number(lot.unitQuantity)];
  return Math.abs(basis) < 1e300 && quantity < 1e300 ? basis / quantity : Number.NaN;
}

/**
 * The method of an account's sales on a day: that of a standing order made in time, else the account's own, else the one
 * of the latest year begun, else the default.
 */
export function methodOf(
  rules: Rules,
  account: string,
  assetClass: AssetClass,
  on: Day,
  order: Standing | null = null,
): LotMethod {
  if (order !== null && order.method !== null) return order.method;
  const method = rules.methodByAccount[account] ?? fromYear(rules, on);
  // Average basis is for shares of funds only (IRC 1012(d); 1.1012-1(e)(1)); a standing order needs a known name.
  if (method === 'AVERAGE' && assetClass !== 'fund') return 'FIFO';
  return lotMethods.includes(method) ? method : 'FIFO';
}

function fromYear(rules: Rules, on: Day): LotMethod {
  if (rules.methodFrom.length === 0) return rules.method;
  const year = yearOf(on);
  let method = rules.method;
  for (const change of rules.methodFrom) if (change.year <= year) method = change.method;
  return method;
}

function withinPurchase(a: OpenLot, b: OpenLot): number {
  return a.sequence - b.sequence || fragments(a, b);
}

/**
 * Of one purchase the fragments that wash sales adjusted leave first, in the order in which they were cut off, then
 * other fragments, then the rest; or, where it was elected, the adjusted ones last (DOMAIN.md section 9, P6).
 */
function fragments(a: OpenLot, b: OpenLot): number {
  if (a.leavesLast !== b.leavesLast) return a.leavesLast ? 1 : -1;
  if (a.adjusted !== b.adjusted) return a.adjusted ? -1 : 1;
  if (a.id.length !== b.id.length && a.id.startsWith(b.id)) return -1;
  if (a.id.length !== b.id.length && b.id.startsWith(a.id)) return 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** By fractions: a cent-rounded quotient would flip ties. */
function compareUnitBasis(a: OpenLot, b: OpenLot): number {
  const left = a.unitBasis * b.unitQuantity;
  const right = b.unitBasis * a.unitQuantity;
  return left < right ? -1 : left > right ? 1 : 0;
}

export interface Standing {
  /** The order in force, and what it says; null where none is. */
  readonly order: StandingOrder | null;
  readonly method: LotMethod | null;
  /** What an order says that was made after the sale: it identifies nothing (26 CFR 1.1012-1(c)(8), (j)(2)). */
  readonly late: LotMethod | null;
}
