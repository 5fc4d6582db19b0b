import { csvRecord } from '../../base/csv.ts';
import { formatCents } from '../../base/decimal.ts';
import { choicesByFormat } from '../choices.ts';
import { draftMark, isDraft } from '../draft.ts';
import type { FormRow } from '../lines.ts';
import { markRow, unknownDate } from '../missing-basis.ts';
import { paperBox } from '../pages.ts';
import type { ReportBooks } from '../report.ts';
import { tabularReport } from './tabular.ts';
import { countLines, safeText } from './text.ts';

/**
 * Column names in TaxAct's 1099-B import (taxact.com/support/882). The last four are optional in TaxAct, as is
 * `Additional Description`, which only a draft contains.
 */
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
/** TaxAct's limit (taxact.com/support/21707). More rows are split into several files. */
const recordsMax = 2000;

export const taxactReport = tabularReport({
  id: 'taxact',
  name: 'TaxAct 1099-B CSV',
  mediaType: 'text/csv; charset=utf-8',
  takes: choicesByFormat.taxact,
  reads: ['lines'],
  stem: 'taxact',
  extension: 'csv',
  linesMax: recordsMax,
  head: (books) => csvRecord([...header, ...(isDraft(books) ? ['Additional Description'] : [])]),
  recordOf: createRecordFormatter,
  warnings,
});

function createRecordFormatter(books: ReportBooks): (row: FormRow) => string {
  const mark = draftMark(books);
  return (row) => {
    const isTotal = row.sold === '';
    return csvRecord([
      safeText(row.description),
      isTotal || row.acquired === unknownDate ? 'VARIOUS' : row.acquired,
      isTotal ? `12/31/${books.year}` : row.sold,
      formatCents(row.proceeds),
      formatCents(row.basis),
      row.code,
      row.code === '' ? '' : formatCents(row.adjustment),
      paperBox(row.box),
      row.term === 'long' ? 'Long' : 'Short',
      ...(mark === '' ? [] : [markRow(row, mark)]),
    ]);
  };
}

function warnings(books: ReportBooks): readonly string[] {
  const digital = books.lines.filter((line) => paperBox(line.disposal.box) !== line.disposal.box).length;
  return [
    ...(digital > 0
      ? [
          `TaxAct's import does not accept boxes G–L: ${countLines(digital, 'is', 'are')} written as box C or F. Change the box manually.`,
        ]
      : []),
    ...(books.choices?.exception2 === true
      ? [
          `Rows of totals (code M) use 12/31/${books.year} as the date sold, because TaxAct does not accept VARIOUS there. Attach the statement from the Form 8949 PDF.`,
        ]
      : []),
    ...((books.choices?.linesMax ?? 0) > recordsMax ? [`TaxAct accepts at most ${recordsMax} lines in a file.`] : []),
  ];
}
