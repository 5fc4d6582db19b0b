import { csvRecord } from '../../base/csv.ts';
import { formatCents } from '../../base/decimal.ts';
import type { FormRow } from '../lines.ts';
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

/** One row a line of Form 8949, with plain numbers that a spreadsheet can add. */
export const csvReport = tabularReport({
  id: 'csv',
  name: 'Form 8949 lines (CSV)',
  mediaType: 'text/csv; charset=utf-8',
  takes: ['wholeDollars', 'columnB', 'merge', 'exception2'],
  reads: ['lines'],
  stem: 'form-8949',
  extension: 'csv',
  head: () => csvRecord(header),
  recordOf,
});

function recordOf(): (row: FormRow) => string {
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
      row.term,
    ]);
  };
}
