import { csvRecord } from '../../base/csv.ts';
import { formatDayUs } from '../../base/day.ts';
import { type Cents, formatCents } from '../../base/decimal.ts';
import { choicesByFormat } from '../choices.ts';
import { draftMark } from '../draft.ts';
import type { FormRow } from '../lines.ts';
import { markedDescription, unknownDate } from '../missing-basis.ts';
import type { ReportBooks } from '../report.ts';
import { tabularReport } from './tabular.ts';
import { countLines, safeText } from './text.ts';

const header = ['Currency Name', 'Purchase Date', 'Cost Basis', 'Date Sold', 'Proceeds'] as const;
/**
 * TurboTax users report errors above roughly this number, but no limit is published. More rows are split into several
 * files.
 */
const recordsMax = 4000;

/**
 * Writes TurboTax's gain and loss CSV: five columns, dates as MM/DD/YYYY, plain numbers. There is no column for
 * adjustments, so the basis is reduced by the adjustment. TurboTax then computes the gain in column (h). TurboTax reads
 * only these columns, so the draft mark is next to the asset's name.
 */
export const turbotaxReport = tabularReport({
  id: 'turbotax',
  name: 'TurboTax gain and loss CSV',
  mediaType: 'text/csv; charset=utf-8',
  takes: choicesByFormat.turbotax,
  reads: ['lines'],
  stem: 'turbotax',
  extension: 'csv',
  linesMax: recordsMax,
  head: () => csvRecord(header),
  recordOf: createRecordFormatter,
  warnings,
});

function createRecordFormatter(books: ReportBooks): (row: FormRow) => string {
  const mark = draftMark(books);
  return (row) => {
    const [{ disposal }] = row.lines;
    return csvRecord([
      safeText(markedDescription(disposal.asset, row, mark)),
      // TurboTax cannot mark inherited property. The file contains the date of death, and a warning explains it.
      row.acquired === 'INHERITED' ? formatDayUs(disposal.acquired) : row.acquired === unknownDate ? '' : row.acquired,
      formatCents((row.basis - row.adjustment) as Cents),
      row.sold,
      formatCents(row.proceeds),
    ]);
  };
}

function warnings(books: ReportBooks): readonly string[] {
  const { lines } = books;
  const adjusted = lines.filter((line) => line.code !== '').length;
  const inherited = lines.filter((line) => line.disposal.inherited).length;
  return [
    ...(adjusted > 0
      ? [
          `${countLines(adjusted, 'has', 'have')} an adjustment. This layout has no column for it, so it is included in the basis.`,
        ]
      : []),
    ...(inherited > 0
      ? [
          `${countLines(inherited, 'is', 'are')} inherited property. The file shows the date of death. Mark it as inherited manually.`,
        ]
      : []),
    ...((books.choices?.linesMax ?? 0) > recordsMax
      ? [`TurboTax is known to reject files of more than about ${recordsMax} lines.`]
      : []),
  ];
}
