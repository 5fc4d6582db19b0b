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

/** What is assumed of the spouse's accounts: whose return they are on, and whose losses are carried. */
export function spouseWarnings(
  books: Pick<ReportBooks, 'rules' | 'filingStatus' | 'year' | 'carryoverIn'>,
): readonly string[] {
  const { rules, filingStatus, year, carryoverIn } = books;
  const names = spouseAccounts(rules).join(', ');
  if (names === '') return [];
  if (filingStatus !== 'mfj' && filingStatus !== 'mfs') {
    return [
      `${names}: lines of the spouse are counted here. The filing status says of no joint return. State mfj or mfs.`,
    ];
  }
  const [before, now] = [isSeparate(rules, year - 1), isSeparate(rules, year)];
  const isCarried = carryoverIn.short + carryoverIn.long > 0n;
  if (now && !before && isCarried) {
    return [
      `The loss carried into ${year} is that of both spouses, unless the settings state it. On a separate return only your own part counts (26 CFR 1.1212-1(c)). State it as the carryover of ${year}.`,
    ];
  }
  if (before && !now) {
    return [
      `A loss that the spouse carries into ${year} from separate returns is not in these books (26 CFR 1.1212-1(c)). State the sum as the carryover of ${year}.`,
    ];
  }
  return [];
}
