import type { Rules } from '../../model.ts';

/**
 * Returns whether purchases in one account disallow losses in another, under the taxpayer's election (DECISIONS.md,
 * P2). Without an election, accounts of every type count, such as IRAs (Rev. Rul. 2008-5) and a spouse's accounts (Pub.
 * 550). Accounts of the same type always count.
 */
export function isReplacedBy(rules: Rules, lossAccount: string, otherAccount: string): boolean {
  const { washAccounts } = rules;
  if (washAccounts === undefined || lossAccount === otherAccount) return true;
  const seller = rules.accounts[lossAccount]?.type ?? 'taxable';
  const other = rules.accounts[otherAccount]?.type ?? 'taxable';
  if (seller === other) return true;
  return [seller, other].every((type) => type === 'taxable' || washAccounts.includes(type));
}
