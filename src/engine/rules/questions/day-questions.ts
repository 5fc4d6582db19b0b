import { yearOf } from '../../../base/day.ts';
import type { Fold } from '../../book/fold.ts';
import { assetOfKey, parseOption } from '../../events/keys.ts';
import { looksTaxFree } from './account-names.ts';
import { raiseDeepPuts } from './deep-puts.ts';
import { noteStraddleLosses } from './straddles.ts';
import { isTaxed, type TaxedFact, transactionOf } from './taxed-facts.ts';

/** What the days of a replay may have to be asked about, beside what their rules ask. */
export interface DayQuestions {
  /** Accounts whose names say that they are tax-free, and that nobody has said anything about. */
  readonly accounts: ReadonlySet<string>;
  readonly hasOptions: boolean;
}

/** Null for nearly every book: then no day is looked at. */
export function questionsOf(fold: Fold): DayQuestions | null {
  const accounts = new Set([...accountsOf(fold)].filter((name) => isSuspected(fold, name)));
  const hasOptions = [...keysOf(fold)].some((key) => parseOption(assetOfKey(key)) !== undefined);
  return accounts.size === 0 && !hasOptions ? null : { accounts, hasOptions };
}

/** At the end of a day. */
export function askOfDay(fold: Fold, { accounts, hasOptions }: DayQuestions): void {
  const facts = fold.facts.slice(fold.dayStart);
  for (const fact of facts) if (isTaxed(fact) && accounts.has(fact.account)) askForType(fold, fact);
  if (!hasOptions) return;
  noteStraddleLosses(fold, facts);
  raiseDeepPuts(fold);
}

function isSuspected({ rules }: Fold, account: string): boolean {
  return rules.accounts[account] === undefined && looksTaxFree(account);
}

/** Once a book, account and year: whoever answers says it of the whole account. */
function askForType(fold: Fold, fact: TaxedFact): void {
  const { account, asset, on } = fact;
  const name = `${yearOf(on)} ${account}`;
  if (fold.asked.has(name)) return;
  fold.asked.add(name);
  const transaction = transactionOf(fact);
  fold.facts.push({
    kind: 'issue',
    causedOn: fold.day,
    id: `${transaction}/0/account_type_unknown/${account}/${yearOf(on)}`,
    issue: 'account_type_unknown',
    on,
    asset,
    account,
    transactions: [transaction],
    dollars: null,
    detail:
      `${account} is taxed, and its name says that it may be an IRA, a Roth IRA, an HSA or a 401(k). Nothing in such an account ` +
      'is a line or income of the year. State its type in the settings of the account, also where it is taxable.',
  });
}

function accountsOf({ ledger, pools, shorts, written }: Fold): Set<string> {
  return new Set([
    ...(ledger?.places ?? []).map(({ account }) => account),
    ...(ledger?.others ?? []).flatMap(({ account, toAccount }) => [account, toAccount]),
    ...[...pools.values()].flatMap((accounts) => [...accounts.keys()]),
    ...[...shorts.values(), ...written.values()].flat().map(({ account }) => account),
  ]);
}

function keysOf({ ledger, pools, written }: Fold): Set<string> {
  const rows = (ledger?.others ?? []).map(({ asset }) => `:${asset}`);
  return new Set([...rows, ...pools.keys(), ...written.keys()]);
}
