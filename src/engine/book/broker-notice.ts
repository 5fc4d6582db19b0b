import { type Day, parseDay } from '../../base/day.ts';
import type { Rules, StandingOrder } from '../elections.ts';
import { isDigital } from '../events/classes.ts';
import type { AssetClass } from '../statement-values.ts';

/**
 * From this day on, lots of digital assets held at a broker must be identified to the broker. Before that, the taxpayer
 * may identify them in their own records (Notice 2026-20).
 */
const brokerMustKnowFrom = 20819 as Day; // 2027-01-01

/**
 * Returns whether lots of a sale cannot be identified because the broker was not notified of them (26 CFR
 * 1.1012-1(j)(3)(i)). The standing order in force may record the notice, or the taxpayer may state one for all sales
 * from a given day.
 */
export function lacksBrokerNotice(
  rules: Pick<Rules, 'accounts' | 'evidence'>,
  sale: { readonly account: string; readonly assetClass: AssetClass; readonly on: Day },
  order: StandingOrder | null,
): boolean {
  if (sale.on < brokerMustKnowFrom || !isDigital(sale.assetClass)) return false;
  if (!isAtBroker(rules, sale.account)) return false;
  return ![rules.accounts[sale.account]?.toldBroker, order?.toldBroker].some((noticeOn) => isBy(noticeOn, sale.on));
}

/** Returns whether the account receives Form 1099-B or 1099-DA, either as stated or as inferred from its rows. */
function isAtBroker({ accounts, evidence }: Pick<Rules, 'accounts' | 'evidence'>, account: string): boolean {
  const stated = accounts[account]?.form;
  if (stated !== undefined) return stated !== 'none';
  const { lines, source } = evidence?.[account] ?? {};
  return (lines ?? source) !== undefined;
}

/** Returns whether notice was given by the day of the sale. */
function isBy(noticeOn: string | undefined, on: Day): boolean {
  const day = noticeOn === undefined ? undefined : parseDay(noticeOn);
  return day !== undefined && day <= on;
}
