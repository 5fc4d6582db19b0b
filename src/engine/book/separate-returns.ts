import { type Day, yearOf } from '../../base/day.ts';
import type { Rules } from '../model.ts';
import type { Fold } from './fold.ts';

/**
 * Returns whether gains and income of an account belong on the other spouse's return: the account is the spouse's, and
 * the year has separate returns. A purchase in the account can still disallow a loss, and a loss in it can still be
 * disallowed (Pub. 550).
 */
export function isOnOtherReturn(
  { separateReturns, accounts }: Pick<Rules, 'separateReturns' | 'accounts'>,
  account: string,
  on: Day,
): boolean {
  if (separateReturns === undefined || accounts[account]?.type !== 'spouse') return false;
  return separateReturns.byYear[yearOf(on)] ?? separateReturns.otherwise;
}

/** Drops today's facts that belong on the other return. Wash sales in such an account create no facts. */
export function dropOtherReturn(fold: Fold): void {
  if (fold.rules.separateReturns === undefined) return;
  const today = fold.facts.splice(fold.dayStart);
  for (const fact of today) {
    const isOwn = fact.kind === 'issue' || fact.kind === 'wash';
    if (isOwn || !isOnOtherReturn(fold.rules, fact.account, fact.on)) fold.facts.push(fact);
  }
}
