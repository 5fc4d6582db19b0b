import { type Day, yearOf } from '../../base/day.ts';
import type { Rules, StandingOrder } from '../elections.ts';
import { isAllowed, type LotMethod, lotMethodTable } from '../lot-methods.ts';
import type { AssetClass } from '../statement.ts';

/**
 * The method of an account's sales on a day: that of a standing order made in time, else the account's own, else the one
 * of the latest year begun, else the default.
 */
export function methodOf(
  rules: Rules,
  account: string,
  assetClass: AssetClass,
  on: Day,
  order: OrderInForce | null = null,
): LotMethod {
  if (order !== null && order.method !== null) return order.method;
  const method = rules.methodByAccount[account] ?? fromYear(rules, on);
  // Names of other versions may be stored; and a method may be for some classes only. FIFO is the law's own.
  return Object.hasOwn(lotMethodTable, method) && isAllowed(method, assetClass) ? method : 'FIFO';
}

function fromYear(rules: Rules, on: Day): LotMethod {
  if (rules.methodFrom.length === 0) return rules.method;
  const year = yearOf(on);
  let method = rules.method;
  for (const change of rules.methodFrom) if (change.year <= year) method = change.method;
  return method;
}

export interface OrderInForce {
  /** The order in force, and what it says; null where none is. */
  readonly order: StandingOrder | null;
  readonly method: LotMethod | null;
  /** What an order says that was made after the sale: it identifies nothing (26 CFR 1.1012-1(c)(8), (j)(2)). */
  readonly late: LotMethod | null;
}
