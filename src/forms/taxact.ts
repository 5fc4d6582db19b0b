import { csvRecord } from '../base/csv.ts';
import { formatCents } from '../base/decimal.ts';
import { eachRow } from './lines.ts';
import { paperBox } from './pages.ts';
import type { ReportBooks, ReportFormat } from './report.ts';
import { encodeChunks, safeText } from './text.ts';

/** Column names of TaxAct's 1099-B import (taxact.com/support/882); the last four are optional there. */
const header = [
  'Description',
  'Date Acquired',
  'Date Sold',
  'Sales Proceeds',
  'Cost or Other Basis',
  'Adjustment Code',
  'Adjustment Amount',
  'Reporting Category',
  'Long/Short',
] as const;
/** taxact.com/support/21707. */
const recordsMax = 2000;

export const taxactReport: ReportFormat = {
  id: 'taxact',
  name: 'TaxAct 1099-B CSV',
  mediaType: 'text/csv; charset=utf-8',
  fileName: (books) => `taxact-${books.year}.csv`,
  render: (books) => encodeChunks(records(books)),
  warnings,
};

function* records(books: ReportBooks): Generator<string> {
  yield csvRecord(header);
  for (const row of eachRow(books.lines, { wholeDollars: books.wholeDollars })) {
    yield csvRecord([
      safeText(row.description),
      row.acquired,
      row.sold,
      formatCents(row.proceeds),
      formatCents(row.basis),
      row.code,
      row.code === '' ? '' : formatCents(row.adjustment),
      paperBox(row.box),
      row.term === 'long' ? 'Long' : 'Short',
    ]);
  }
}

function warnings(books: ReportBooks): readonly string[] {
  const digital = books.lines.filter((line) => paperBox(line.disposal.box) !== line.disposal.box).length;
  return [
    ...(digital > 0
      ? [
          `${digital} lines belong in boxes G–L, which TaxAct's import does not know: they are written as C or F, switch the box by hand.`,
        ]
      : []),
    ...(books.lines.length > recordsMax
      ? [`${books.lines.length} lines: TaxAct takes at most ${recordsMax} in a file.`]
      : []),
  ];
}
