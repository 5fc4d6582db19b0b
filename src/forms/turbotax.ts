import { csvRecord } from '../base/csv.ts';
import { formatDayUs } from '../base/day.ts';
import { type Cents, formatCents } from '../base/decimal.ts';
import { columnB, eachRow } from './lines.ts';
import type { ReportBooks, ReportFormat } from './report.ts';
import { encodeChunks, safeText } from './text.ts';

const header = ['Currency Name', 'Purchase Date', 'Cost Basis', 'Date Sold', 'Proceeds'] as const;
/** Where users of TurboTax report trouble; not a published limit. */
const recordsMax = 4000;

/**
 * TurboTax' gain and loss CSV: five columns, dates MM/DD/YYYY, plain numbers. It has no column for adjustments, so the
 * basis is written less the adjustment: what TurboTax subtracts then is the gain of column (h).
 */
export const turbotaxReport: ReportFormat = {
  id: 'turbotax',
  name: 'TurboTax gain and loss CSV',
  mediaType: 'text/csv; charset=utf-8',
  fileName: (books) => `turbotax-${books.year}.csv`,
  render: (books) => encodeChunks(records(books)),
  warnings,
};

function* records(books: ReportBooks): Generator<string> {
  yield csvRecord(header);
  for (const row of eachRow(books.lines, { wholeDollars: books.wholeDollars })) {
    const [{ disposal }] = row.lines;
    yield csvRecord([
      safeText(disposal.asset),
      disposal.acquiredVarious === true ? 'VARIOUS' : formatDayUs(columnB(disposal, 'held_when_term_differs')),
      formatCents((row.basis - row.adjustment) as Cents),
      row.sold,
      formatCents(row.proceeds),
    ]);
  }
}

function warnings(books: ReportBooks): readonly string[] {
  const { lines } = books;
  const adjusted = lines.filter((line) => line.code !== '').length;
  const inherited = lines.filter((line) => line.disposal.inherited).length;
  return [
    ...(adjusted > 0
      ? [`${adjusted} lines have an adjustment code; this layout has no column for it, so their basis includes it.`]
      : []),
    ...(inherited > 0
      ? [`${inherited} lines are inherited property: the file shows the date of death, mark them as inherited by hand.`]
      : []),
    ...(lines.length > recordsMax
      ? [`${lines.length} lines: TurboTax is known to refuse files of more than about ${recordsMax}.`]
      : []),
  ];
}
