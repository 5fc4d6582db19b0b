import { type Day, parseDay } from '../../base/day.ts';
import type { Rules, StandingOrder } from '../elections.ts';
import { isDigital } from '../events/classes.ts';
import type { AssetClass } from '../statement-values.ts';

/** Until the day before, lots of digital assets at a broker may be named in the taxpayer's own books (Notice 2026-20). */
const brokerMustKnowFrom = 20819 as Day; // 2027-01-01

/**
 * Whether lots of a sale cannot be identified because the broker has no notice of them (26 CFR 1.1012-1(j)(3)(i)). The
 * standing order in force gives notice, or the taxpayer gives it for every sale from a day on.
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

/** An account with Form 1099-B or 1099-DA is at a broker, whether that is stated or follows from its rows. */
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
