import { csvRecord } from '../../base/csv.ts';
import { formatDayUs } from '../../base/day.ts';
import { type Cents, formatCents, formatQuantity } from '../../base/decimal.ts';
import { choicesByFormat } from '../choices.ts';
import { draftMark, draftSuffix, isDraft } from '../draft.ts';
import { type Form8997Row, form8997, hasPartFive } from '../form-8997.ts';
import { previewOf8997, previewSuffix } from '../preview.ts';
import type { ReportBooks, ReportFormat } from '../report.ts';
import { safeText } from './text.ts';

/** Writes the data for Form 8997, one record per row in its parts. */
export const form8997Csv: ReportFormat = {
  id: 'form-8997-csv',
  name: 'Opportunity funds, for Form 8997 (CSV)',
  mediaType: 'text/csv; charset=utf-8',
  takes: choicesByFormat['form-8997-csv'],
  reads: ['deferrals', 'fundInterests'],
  fileName: (books) => `form-8997-${books.year}${previewSuffix(previewOf8997(books.year))}${draftSuffix(books)}.csv`,
  render,
  warnings: ({ year }) => {
    const preview = previewOf8997(year);
    return preview === '' ? [] : [preview, ...(hasPartFive(year) ? [leftEmpty] : [])];
  },
};

const leftEmpty =
  'The special gain code and the event code are left empty: the instructions are not published, and your records do not include them.';

interface Form8997Column {
  readonly title: string;
  readonly cell: (row: Form8997Row) => string;
}

const cents = (amount: Cents | null): string => (amount === null ? '' : formatCents(amount));
/** Part V has no column for deferred gain. */
const formatDeferred = (row: Form8997Row, term: Form8997Row['term']): string =>
  row.term === term && row.part !== 'V' ? formatCents(row.deferred) : '';

const commonColumns: readonly Form8997Column[] = [
  { title: 'Part', cell: ({ part }) => part },
  { title: 'Fund', cell: ({ fund }) => safeText(fund) },
  { title: 'Account', cell: ({ account }) => safeText(account) },
  { title: 'Date Invested', cell: ({ invested }) => formatDayUs(invested) },
  { title: 'Date Included', cell: ({ includedOn }) => (includedOn === null ? '' : formatDayUs(includedOn)) },
  { title: 'Short-Term Gain Deferred', cell: (row) => formatDeferred(row, 'short') },
  { title: 'Long-Term Gain Deferred', cell: (row) => formatDeferred(row, 'long') },
  { title: 'Gain Included', cell: ({ included }) => cents(included) },
];

/** Columns added in the 2026 draft. */
const addedColumns: readonly Form8997Column[] = [
  { title: 'Units', cell: ({ quantity }) => formatQuantity(quantity) },
  { title: 'Special Gain Code', cell: () => '' },
  { title: 'Fair Market Value', cell: ({ value }) => cents(value) },
  { title: 'Adjustment', cell: ({ adjustment }) => cents(adjustment) },
  { title: 'Post-Deferral Basis', cell: ({ basis }) => cents(basis) },
  { title: 'Event Code', cell: () => '' },
];

function* render(books: ReportBooks): Generator<Uint8Array> {
  const columns = hasPartFive(books.year) ? [...commonColumns, ...addedColumns] : commonColumns;
  const marks = [
    ...(previewOf8997(books.year) === '' ? [] : [{ title: previewOf8997(books.year), cell: 'PREVIEW' }]),
    ...(isDraft(books) ? [{ title: draftMark(books), cell: 'DRAFT' }] : []),
  ];
  const rows = form8997(books).map((row) =>
    csvRecord([...columns.map(({ cell }) => cell(row)), ...marks.map(({ cell }) => cell)]),
  );
  const head = csvRecord([...columns.map(({ title }) => title), ...marks.map(({ title }) => title)]);
  yield new TextEncoder().encode([head, ...rows].join(''));
}
