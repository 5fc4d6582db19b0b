import type { Rules } from '../../model.ts';

/**
 * Whether what one account does denies the losses of another, as far as the taxpayer elects it (DOMAIN.md section 9, P2).
 * Whoever sells and buys alone is not asked; an IRA (Rev. Rul. 2008-5) and a spouse (Pub. 550) count unless the taxpayer
 * leaves them out.
 */
export function isReplacedBy(rules: Rules, lossAccount: string, otherAccount: string): boolean {
  const { washAccounts } = rules;
  if (washAccounts === undefined || lossAccount === otherAccount) return true;
  const seller = rules.accounts[lossAccount]?.type ?? 'taxable';
  const other = rules.accounts[otherAccount]?.type ?? 'taxable';
  if (seller === other) return true;
  return [seller, other].every((type) => type === 'taxable' || washAccounts.includes(type));
}
