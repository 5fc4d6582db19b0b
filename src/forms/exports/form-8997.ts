import { csvRecord } from '../../base/csv.ts';
import { formatDayUs } from '../../base/day.ts';
import { formatCents } from '../../base/decimal.ts';
import { choicesByFormat } from '../choices.ts';
import { draftMark, draftSuffix, isDraft } from '../draft.ts';
import { type Form8997Row, form8997 } from '../form-8997.ts';
import type { ReportBooks, ReportFormat } from '../report.ts';
import { safeText } from './text.ts';

/** What Form 8997 asks, one record a row of its parts. */
export const form8997Csv: ReportFormat = {
  id: 'form-8997-csv',
  name: 'Opportunity funds, for Form 8997 (CSV)',
  mediaType: 'text/csv; charset=utf-8',
  takes: choicesByFormat['form-8997-csv'],
  reads: ['deferrals'],
  fileName: (books) => `form-8997-${books.year}${draftSuffix(books)}.csv`,
  render,
};

const header = [
  'Part',
  'Fund',
  'Account',
  'Date Invested',
  'Date Included',
  'Short-Term Gain Deferred',
  'Long-Term Gain Deferred',
  'Gain Included',
] as const;

function* render(books: ReportBooks): Generator<Uint8Array> {
  const draft = isDraft(books);
  const rows = form8997(books.year, books.deferrals).map((row) =>
    csvRecord([...cellsOf(row), ...(draft ? ['DRAFT'] : [])]),
  );
  yield new TextEncoder().encode([csvRecord(draft ? [...header, draftMark(books)] : header), ...rows].join(''));
}

function cellsOf({ part, fund, account, invested, includedOn, term, deferred, included }: Form8997Row): string[] {
  const amount = formatCents(deferred);
  return [
    part,
    safeText(fund),
    safeText(account),
    formatDayUs(invested),
    includedOn === null ? '' : formatDayUs(includedOn),
    term === 'short' ? amount : '',
    term === 'long' ? amount : '',
    included === null ? '' : formatCents(included),
  ];
}
