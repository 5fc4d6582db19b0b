import { type Day, parseDay } from '../../base/day.ts';
import type { Rules, StandingOrder } from '../elections.ts';
import { isDigital } from '../events/classes.ts';
import type { AssetClass } from '../statement-values.ts';

/**
 * Before this day, lots of digital assets at a broker may be identified in the taxpayer's own books (Notice 2026-20).
 */
const brokerMustKnowFrom = 20819 as Day; // 2027-01-01

/**
 * Whether lots of a sale cannot be identified because the broker has no notice of them (26 CFR 1.1012-1(j)(3)(i)).
 * Notice comes from the standing order in force, or from the taxpayer for every sale from a day on.
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

/** An account with Form 1099-B or 1099-DA is at a broker, whether the form is stated or inferred from its rows. */
function isAtBroker({ accounts, evidence }: Pick<Rules, 'accounts' | 'evidence'>, account: string): boolean {
  const stated = accounts[account]?.form;
  if (stated !== undefined) return stated !== 'none';
  const { lines, source } = evidence?.[account] ?? {};
  return (lines ?? source) !== undefined;
}

/** Notice on the day of the sale is in time. */
function isBy(noticeOn: string | undefined, on: Day): boolean {
  const day = noticeOn === undefined ? undefined : parseDay(noticeOn);
  return day !== undefined && day <= on;
}
