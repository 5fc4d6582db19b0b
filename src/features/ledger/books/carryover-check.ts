import { yearOf } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Issue, TaxYearSummary } from '../../../engine/model.ts';
import type { Elections } from '../transactions/elections.ts';
import { openIssues } from '../transactions/resolutions/accepted.ts';
import { selectLastSale } from './books.queries.ts';
import { carryoverIssues, yearsOfOtherStatus } from './summaries/carryover-questions.ts';
import { summaryFromText } from './summaries/netting.ts';
import { selectYears } from './summaries/summaries.queries.ts';
import type { BookChanges } from './summaries/summaries.ts';
import { type StoredIssues, storeUnbooked } from './unbooked-issues.ts';

/** Checks the stored years again for carried losses that must be divided between spouses. */
export async function recheckCarryover(
  sql: Sql,
  taxpayerId: string,
  elections: Elections,
  { beside: { carryover: before } }: StoredIssues,
): Promise<BookChanges> {
  const issues = await readCarryoverIssues(sql, taxpayerId, elections, before);
  const open = await openIssues(sql, taxpayerId, issues);
  return storeUnbooked(sql, { taxpayerId, book: 'carryover' }, before, open);
}

async function readCarryoverIssues(
  sql: Sql,
  taxpayerId: string,
  elections: Elections,
  before: readonly Issue[],
): Promise<Issue[]> {
  const years = yearsOfOtherStatus(elections);
  if (years.length === 0) return [];
  const issueYears = before.map(({ on }) => yearOf(on));
  // Excludes years that exist only because of an earlier carryover issue. Otherwise, the issue would keep itself alive.
  const summaries = (await selectYears(sql, taxpayerId))
    .map(({ summary }) => summaryFromText(summary))
    .filter((summary) => !isEmpty(summary, issueYears.filter((year) => year === summary.year).length));
  const rows = new Map<number, string>();
  for (const year of years) {
    const row = await selectLastSale(sql, taxpayerId, `${year}-01-01`);
    if (row !== undefined) rows.set(year, row);
  }
  return carryoverIssues(summaries, elections, rows);
}

/** Returns whether a year contains nothing except this number of carryover issues. */
function isEmpty({ total, income, contracts1256, issues }: TaxYearSummary, questions: number): boolean {
  return total.count === 0 && income.length === 0 && contracts1256.count === 0 && issues === questions;
}
