import { csvRecord } from '../base/csv.ts';
import { formatCents } from '../base/decimal.ts';
import { eachRow } from './lines.ts';
import type { ReportBooks, ReportFormat } from './report.ts';
import { encodeChunks, safeText } from './text.ts';

const header = [
  'Box',
  'Description',
  'Date Acquired',
  'Date Sold',
  'Proceeds',
  'Cost Basis',
  'Code',
  'Adjustment',
  'Gain',
  'Term',
] as const;

/** One row a line of Form 8949, with plain numbers that a spreadsheet can add. */
export const csvReport: ReportFormat = {
  id: 'csv',
  name: 'Form 8949 lines (CSV)',
  mediaType: 'text/csv; charset=utf-8',
  fileName: (books) => `form-8949-${books.year}.csv`,
  render: (books) => encodeChunks(records(books)),
};

function* records(books: ReportBooks): Generator<string> {
  yield csvRecord(header);
  for (const row of eachRow(books.lines, { wholeDollars: books.wholeDollars })) {
    yield csvRecord([
      row.box,
      safeText(row.description),
      row.acquired,
      row.sold,
      formatCents(row.proceeds),
      formatCents(row.basis),
      row.code,
      formatCents(row.adjustment),
      formatCents(row.gain),
      row.term,
    ]);
  }
}
