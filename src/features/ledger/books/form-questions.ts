import { yearOf } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Issue, Rules } from '../../../engine/model.ts';
import { formIssues } from '../../../forms/reconciliation/form-issues.ts';
import { openIssues } from '../transactions/resolutions/accepted.ts';
import { selectYearsOfForms } from './books.queries.ts';
import { readLines, readReported } from './books.ts';
import type { BookChanges } from './summaries/summaries.ts';
import { type StoredIssues, storeUnbooked } from './unbooked-issues.ts';

interface FormQuestionsRequest {
  readonly rules: Rules;
  /** Returns whether rows or lines of a year may have changed. Issues for other years stay unchanged. */
  readonly mayHaveChanged: (year: number) => boolean;
}

/** Compares the Forms 1099 for changed years with the stored lines again and raises issues for differences. */
export async function recheckForms(
  sql: Sql,
  taxpayerId: string,
  { rules, mayHaveChanged }: FormQuestionsRequest,
  { beside: { forms: before } }: StoredIssues,
): Promise<BookChanges> {
  const issues: Issue[] = [];
  for (const year of await selectYearsOfForms(sql, taxpayerId)) {
    if (!mayHaveChanged(year)) continue;
    const reported = await readReported(sql, taxpayerId, year, rules);
    issues.push(...formIssues({ year, rules, reported, lines: await readLines(sql, taxpayerId, year) }));
  }
  const open = await openIssues(sql, taxpayerId, issues);
  const kept = before.filter(({ on }) => !mayHaveChanged(yearOf(on)));
  return storeUnbooked(sql, { taxpayerId, book: 'forms' }, before, [...kept, ...open]);
}
