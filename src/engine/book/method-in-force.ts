import { type Day, yearOf } from '../../base/day.ts';
import type { Rules, StandingOrder } from '../elections.ts';
import { isAllowed, type LotMethod, lotMethodTable } from '../lot-methods.ts';
import type { AssetClass } from '../statement-values.ts';
import { lacksBrokerNotice } from './broker-notice.ts';

/**
 * Returns the lot method for an account's sales on a day. In order of precedence: a standing order made in time, the
 * account's method, the method of the latest applicable year, the default. Returns FIFO if the broker had to be
 * notified of another method and was not.
 */
export function resolveLotMethod(
  rules: Rules,
  account: string,
  assetClass: AssetClass,
  on: Day,
  order: OrderInForce | null = null,
): LotMethod {
  if (lacksBrokerNotice(rules, { account, assetClass, on }, order?.order ?? null)) return 'FIFO';
  return methodWanted(rules, account, assetClass, on, order);
}

/** Returns the method that the elections state, even if the broker was not notified. */
export function methodWanted(
  rules: Rules,
  account: string,
  assetClass: AssetClass,
  on: Day,
  order: OrderInForce | null = null,
): LotMethod {
  if (order !== null && order.method !== null) return order.method;
  const method = rules.methodByAccount[account] ?? fromYear(rules, on);
  // Stored rules may contain methods from other versions, and some methods apply only to some classes. The default
  // under the law is FIFO.
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
  /** The order in force and its method. Null if there is none. */
  readonly order: StandingOrder | null;
  readonly method: LotMethod | null;
  /**
   * The method of an order made after the sale. Such an order does not identify any lots (26 CFR 1.1012-1(c)(8),
   * (j)(2)).
   */
  readonly late: LotMethod | null;
}
