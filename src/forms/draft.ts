import { assumedFormTexts } from './assumed-forms.ts';
import { mailingInstructions } from './mailing.ts';
import { missingBasisText } from './missing-basis.ts';
import type { ReportBooks, ReportFormat } from './report.ts';
import { spouseWarnings } from './spouse.ts';

/**
 * While a year has open issues, every file of it shows that it is a draft, and the number of open issues. Each format
 * shows it in a place that allows free text. The count is that of the summary, because a format may not read the list
 * of issues.
 */
export function isDraft({ summary }: ReportBooks): boolean {
  return summary.issues > 0;
}

/** `DRAFT: 2 open issues`. Empty if no issue is open. */
export function draftMark({ summary }: ReportBooks): string {
  return summary.issues === 0 ? '' : `DRAFT: ${countText(summary.issues)}`;
}

/** `-draft-2-open-issues`, between the year and the extension of a file name. Empty if no issue is open. */
export function draftSuffix({ summary }: ReportBooks): string {
  return summary.issues === 0 ? '' : `-draft-${countText(summary.issues).replaceAll(' ', '-')}`;
}

/**
 * The warnings for the user of a file: that it is a draft, which forms are assumed, whose lines are counted, and then
 * those of its format.
 */
export function listWarnings(format: Pick<ReportFormat, 'warnings' | 'takes'>, books: ReportBooks): readonly string[] {
  const draft = isDraft(books)
    ? [`DRAFT: ${countText(books.summary.issues)} for ${books.year}. Resolve before filing.`]
    : [];
  const missing = missingBasisText(books.summary);
  return [
    ...draft,
    ...(missing === null ? [] : [missing]),
    ...assumedFormTexts(books),
    ...spouseWarnings(books),
    ...(format.takes.includes('exception2') ? mailingInstructions(books) : []),
    ...(format.warnings?.(books) ?? []),
  ];
}

function countText(issues: number): string {
  return `${issues} open ${issues === 1 ? 'issue' : 'issues'}`;
}
