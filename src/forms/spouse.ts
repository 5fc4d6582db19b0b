import type { Rules } from '../engine/model.ts';
import type { ReportBooks } from './report.ts';

/** The accounts of the spouse, by name. */
export function spouseAccounts({ accounts }: Pick<Rules, 'accounts'>): string[] {
  return Object.keys(accounts)
    .filter((name) => accounts[name]?.type === 'spouse')
    .sort();
}

/** Whether the spouse files a return of its own for the year. */
export function isSeparate({ separateReturns }: Pick<Rules, 'separateReturns'>, year: number): boolean {
  return separateReturns?.byYear[year] ?? separateReturns?.otherwise ?? false;
}

/** What is assumed of the spouse's accounts: whose return they are on. */
export function spouseWarnings(books: Pick<ReportBooks, 'rules' | 'filingStatus'>): readonly string[] {
  const { rules, filingStatus } = books;
  const names = spouseAccounts(rules).join(', ');
  if (names === '' || filingStatus === 'mfj' || filingStatus === 'mfs') return [];
  return [
    `${names}: lines of the spouse are counted here. The filing status says of no joint return. State mfj or mfs.`,
  ];
}
