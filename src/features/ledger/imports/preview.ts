import { defaultTimeZone } from '../../../base/day.ts';
import { formatCents, roundToCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import { withoutNestedLoops } from '../../../db/integrity.ts';
import type { yearChanges } from '../books/summaries.ts';
import type { StageScope } from '../transactions/rows.queries.ts';
import { parseMoneyColumn } from '../transactions/rows.ts';
import { viewRows } from '../transactions/view.ts';
import {
  countFuture,
  countNearNewYear,
  selectFirstRows,
  selectPreviewIssues,
  selectRejects,
} from './imports.queries.ts';
import type { Staged } from './reading/reading.ts';

const rowsShown = 20;
const issuesShown = 50;
const rejectsShown = 20;
const warningsShown = 10;

export interface PreviewOptions {
  readonly staged: Staged;
  /** The tax years that the import changes. */
  readonly years: ReturnType<typeof yearChanges>;
  readonly today: string;
  readonly timeZone: string;
  readonly possibleDuplicates: number;
  /** The reason why the plan would refuse the import, or null if it would not. */
  readonly passed: string | null;
}

export async function readPreview(sql: Sql, scope: StageScope, options: PreviewOptions) {
  return withoutNestedLoops(sql, () => preview(sql, scope, options));
}

async function preview(sql: Sql, scope: StageScope, options: PreviewOptions) {
  const { years, today } = options;
  const rows = await selectFirstRows(sql, scope, rowsShown);
  const views = await viewRows(sql, scope.taxpayerId, rows, today);
  const rejects = await selectRejects(sql, scope, { line: 0, number: 0 }, rejectsShown);
  return {
    transactions: views.map((view, at) => ({
      ...view,
      source: { ...view.source, importId: null, line: rows[at]?.file_line ?? null },
    })),
    rejects: rejects.map(({ line, column_name, reason }) => ({ line, column: column_name, reason })),
    issues: (await selectPreviewIssues(sql, scope, issuesShown)).map((issue) => ({
      ...issue,
      dollars: issue.dollars === null ? null : formatCents(roundToCents(parseMoneyColumn(issue.dollars))),
    })),
    years,
    planLimit: options.passed,
    warnings: await readWarnings(sql, scope, options),
  };
}

export type Preview = Awaited<ReturnType<typeof readPreview>>;

async function readWarnings(sql: Sql, scope: StageScope, options: PreviewOptions): Promise<string[]> {
  const { staged, today, timeZone, possibleDuplicates } = options;
  const future = await countFuture(sql, scope, today);
  const nearNewYear = await countNearNewYear(sql, scope);
  const lines = (count: number): string => `${count} ${count === 1 ? 'row is' : 'rows are'}`;
  return [
    ...(staged.drafts === 0 ? ['This file contains no transactions to import.'] : []),
    ...(staged.rejected > 0
      ? [`We couldn't read ${staged.rejected} of ${staged.end.rows} rows. They will not be imported.`]
      : []),
    ...staged.warnings.lines.slice(0, warningsShown).map(({ detail }) => detail),
    ...(staged.warnings.count > warningsShown
      ? [`${staged.warnings.count - warningsShown} more rows have amounts that don't add up.`]
      : []),
    ...(possibleDuplicates > 0
      ? [`${lines(possibleDuplicates)} possibly already in your records, from another kind of file or a manual entry.`]
      : []),
    ...(future > 0 ? [`${lines(future)} dated in the future.`] : []),
    ...(nearNewYear > 0 && timeZone === defaultTimeZone
      ? [
          `${lines(nearNewYear)} within hours of New Year's, so the time zone determines the tax year. We used UTC. Choose your time zone.`,
        ]
      : []),
  ];
}
