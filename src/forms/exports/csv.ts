import { csvRecord } from '../../base/csv.ts';
import { formatCents } from '../../base/decimal.ts';
import { choicesByFormat } from '../choices.ts';
import { draftMark } from '../draft.ts';
import type { FormRow } from '../lines.ts';
import { missingBasisMark } from '../missing-basis.ts';
import type { ReportBooks } from '../report.ts';
import { tabularReport } from './tabular.ts';
import { safeText } from './text.ts';

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

/**
 * Writes one row per Form 8949 line, with plain numbers that a spreadsheet can add up. A draft has an additional
 * column.
 */
export const csvReport = tabularReport({
  id: 'csv',
  name: 'Form 8949 lines (CSV)',
  mediaType: 'text/csv; charset=utf-8',
  takes: choicesByFormat.csv,
  reads: ['lines'],
  stem: 'form-8949',
  extension: 'csv',
  head: (books) => csvRecord([...header, ...draftCell(draftMark(books))]),
  recordOf: createRecordFormatter,
});

function createRecordFormatter(books: ReportBooks): (row: FormRow) => string {
  const draft = draftCell(draftMark(books) === '' ? '' : 'DRAFT');
  return (row) => {
    return csvRecord([
      row.box,
      safeText(row.description),
      row.acquired,
      row.sold,
      formatCents(row.proceeds),
      formatCents(row.basis),
      row.code,
      formatCents(row.adjustment),
      formatCents(row.gain),
      row.lines.some(({ disposal }) => disposal.purchaseUnknown) ? 'unknown' : row.term,
      ...(draft.length > 0 && row.basisUnknown ? [`DRAFT: ${missingBasisMark}`] : draft),
    ]);
  };
}

function draftCell(text: string): readonly string[] {
  return text === '' ? [] : [text];
}
