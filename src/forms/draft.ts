import { keptItemTexts } from './answers.ts';
import { assumedFormTexts } from './assumed-forms.ts';
import { missingBasisText } from './missing-basis.ts';
import type { ReportBooks, ReportFormat } from './report.ts';
import { mailingInstructions } from './rows.ts';
import { spouseWarnings } from './spouse.ts';

/**
 * Returns whether the year has open issues. If so, every file shows that it is a draft and the number of open issues,
 * wherever its format allows free text. The number comes from the summary, because not every format reads the list of
 * issues.
 */
export function isDraft({ summary }: ReportBooks): boolean {
  return summary.issues > 0;
}

/** Returns `DRAFT: 2 open issues`, or '' if there are none. */
export function draftMark({ summary }: ReportBooks): string {
  return summary.issues === 0 ? '' : `DRAFT: ${countText(summary.issues)}`;
}

/**
 * Returns `-draft-2-open-issues`, which file names contain between the year and the extension, or '' if there are none.
 */
export function draftSuffix({ summary }: ReportBooks): string {
  return summary.issues === 0 ? '' : `-draft-${countText(summary.issues).replaceAll(' ', '-')}`;
}

/** Returns the warnings that answers in Lotbook remove: open issues and assumed forms. */
export function listAnswerable(books: ReportBooks): readonly string[] {
  return [...draftTexts(books), ...assumedFormTexts(books)];
}

function draftTexts(books: ReportBooks): readonly string[] {
  return isDraft(books) ? [`DRAFT: ${countText(books.summary.issues)} for ${books.year}. Resolve before filing.`] : [];
}

/**
 * Returns the warnings for a file: that it is a draft, which items were kept as they are, which forms are assumed, which
 * spouse's lines it includes, and the format's own warnings.
 */
export function listWarnings(format: Pick<ReportFormat, 'warnings' | 'takes'>, books: ReportBooks): readonly string[] {
  const missing = missingBasisText(books.summary);
  return [
    ...draftTexts(books),
    ...(missing === null ? [] : [missing]),
    ...keptItemTexts(books),
    ...assumedFormTexts(books),
    ...spouseWarnings(books),
    ...(format.takes.includes('exception2') ? mailingInstructions(books) : []),
    ...(format.warnings?.(books) ?? []),
  ];
}

function countText(issues: number): string {
  return `${issues} open ${issues === 1 ? 'issue' : 'issues'}`;
}
