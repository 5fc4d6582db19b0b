import { type Day, formatDay, yearOf } from '../../../base/day.ts';
import { type Cents, formatCents } from '../../../base/decimal.ts';
import type { Fact, Issue, Rules } from '../../model.ts';
import { looksTaxFree } from './account-names.ts';
import { computeStake, isTaxed, type TaxedFact, transactionOf } from './taxed-facts.ts';

/**
 * Returns whether an account may be tax-advantaged, because its name suggests it and it has no settings. No book
 * contains all assets of an account, so the issue is raised once per account and year, after the books. Until it is
 * resolved, the forms of each year are drafts.
 */
export function isSuspected({ accounts }: Pick<Rules, 'accounts'>, account: string): boolean {
  return accounts[account] === undefined && looksTaxFree(account);
}

/** The taxable amounts in a year of an account that may be tax-advantaged. */
export interface AccountYear {
  readonly account: string;
  /** The day of the first line or income. `asset` and `transaction` belong to it too. */
  readonly on: Day;
  readonly asset: string;
  readonly transaction: string;
  readonly id: string;
  /** The sum of all gains, losses and income of the year, each as a positive amount, in cents. */
  readonly dollars: bigint;
}

export function accountYears(facts: Iterable<Fact>, rules: Pick<Rules, 'accounts'>): AccountYear[] {
  const suspected = new Map<string, boolean>();
  const years = new Map<string, { first: TaxedFact; dollars: bigint }>();
  for (const fact of facts) {
    if (!isTaxed(fact)) continue;
    const { account } = fact;
    const known = suspected.get(account) ?? isSuspected(rules, account);
    suspected.set(account, known);
    if (!known) continue;
    const name = `${yearOf(fact.on)} ${account}`;
    const year = years.get(name) ?? { first: fact, dollars: 0n };
    years.set(name, {
      first: isBefore(fact, year.first) ? fact : year.first,
      dollars: year.dollars + computeStake(fact),
    });
  }
  return [...years.values()].map(({ first, dollars }) => {
    const { account, on, asset, id } = first;
    return { account, on, asset, id, transaction: transactionOf(first), dollars };
  });
}

/** Combines the amounts of the same account and year from several books. */
export function joinAccountYears(parts: readonly AccountYear[]): AccountYear[] {
  const years = new Map<string, AccountYear>();
  for (const part of parts) {
    const name = `${yearOf(part.on)} ${part.account}`;
    const known = years.get(name);
    const first = known === undefined || isBefore(part, known) ? part : known;
    years.set(name, { ...first, dollars: part.dollars + (known?.dollars ?? 0n) });
  }
  return [...years.values()];
}

export function accountTypeIssues(years: readonly Omit<AccountYear, 'id'>[]): Issue[] {
  return years.map(({ account, on, asset, transaction, dollars }) => ({
    kind: 'issue',
    causedOn: on,
    id: `${transaction}/0/account_type_unknown/${account}/${yearOf(on)}`,
    issue: 'account_type_unknown',
    on,
    asset,
    account,
    transactions: [transaction],
    dollars: dollars as Cents,
    detail:
      `${account} is taxable, but its name suggests an IRA, a Roth IRA, an HSA or a 401(k). Nothing in such an account ` +
      `is taxed. In ${yearOf(on)}, from ${formatDay(on)} on, it has $${formatCents(dollars as Cents)} of gains, losses and income. ` +
      'Set its type in the account settings, even if it is taxable.',
  }));
}

function isBefore(a: Pick<Fact, 'on' | 'id'>, b: Pick<Fact, 'on' | 'id'>): boolean {
  return a.on < b.on || (a.on === b.on && a.id < b.id);
}
