import type { Rules } from '../engine/model.ts';
import type { ReportBooks } from './report.ts';

/** Returns the spouse's accounts, sorted by name. */
export function spouseAccounts({ accounts }: Pick<Rules, 'accounts'>): string[] {
  return Object.keys(accounts)
    .filter((name) => accounts[name]?.type === 'spouse')
    .sort();
}

/** Returns whether the spouse files a separate return for the year. */
export function isSeparate({ separateReturns }: Pick<Rules, 'separateReturns'>, year: number): boolean {
  return separateReturns?.byYear[year] ?? separateReturns?.otherwise ?? false;
}

/** Warns if Lotbook has to assume which return reports the spouse's accounts. */
export function spouseWarnings(books: Pick<ReportBooks, 'rules' | 'filingStatus'>): readonly string[] {
  const { rules, filingStatus } = books;
  const names = spouseAccounts(rules).join(', ');
  if (names === '' || filingStatus === 'mfj' || filingStatus === 'mfs') return [];
  return [
    `${names}: the spouse's lines are included here, but the filing status is not a joint return. Set the filing status to mfj or mfs.`,
  ];
}
