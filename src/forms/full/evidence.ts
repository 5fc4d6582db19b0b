import { formatDayUs } from '../../base/day.ts';
import { formatQuantity } from '../../base/decimal.ts';
import type { WashSale } from '../../engine/model.ts';
import { addCents, printCents } from '../amounts.ts';
import type { FormRow } from '../lines.ts';
import { palette, type Sheet } from '../pdf/sheet.ts';
import { drawTable, type TableRow } from '../pdf/table.ts';
import type { ReportBooks } from '../report.ts';

/** Evidence for the numbers: wash sale matches, and the source file and line for each sale and lot. */

export function drawWashSales(sheet: Sheet, books: ReportBooks, rows: readonly FormRow[]): void {
  sheet.open('Wash sales', 'flowing');
  const { washSales } = books;
  if (washSales.length === 0) {
    sheet.paragraph('No loss was disallowed by IRC 1091 this year.', 'italic', palette.muted);
    return;
  }
  const numbers = numberDisposals(rows);
  const body = washSales.map(
    (wash): TableRow => ({
      cells: [
        numbers.get(wash.disposalId) ?? '',
        formatDayUs(wash.on),
        formatQuantity(wash.quantity),
        describeSource(books, wash.disposalId),
        describeSource(books, wash.replacementLotId),
        wash.permanent ? 'disallowed permanently (IRA)' : 'to the basis of the replacement',
        printCents(wash.disallowed),
      ],
    }),
  );
  const total = printCents(addCents(washSales.map((wash: WashSale) => wash.disallowed)));
  drawTable(
    sheet,
    `Line 1 right | Sold 1.9 center | Units matched 2.4 right | Loss source 3 | Replacement source 3
    | Treatment of the loss 3 | Disallowed 2.2 right`,
    [...body, { cells: ['', '', '', '', '', '', total], total: true }],
  );
  sheet.paragraph(
    'A loss is disallowed share by share if substantially identical shares were acquired from 30 days before to 30 days after the sale (IRC 1091; 26 CFR 1.1091-1).',
  );
}

/** Draws the source file and line for each sale and its lot. */
export function drawSources(sheet: Sheet, books: ReportBooks, rows: readonly FormRow[]): void {
  sheet.open('Appendix: where each number comes from');
  if (rows.length === 0) {
    sheet.paragraph('There are no lines.', 'italic', palette.muted);
    return;
  }
  drawTable(
    sheet,
    'Line 1 right | (a) Description 4 | Account 2.4 | Sale source 4 | Lot source 4 | Lot selected 1.8',
    sourceRows(books, rows),
  );
}

function* sourceRows(books: ReportBooks, rows: readonly FormRow[]): Generator<TableRow> {
  let number = 0;
  for (const row of rows) {
    number += 1;
    for (const { disposal } of row.lines) {
      const sale = describeSource(books, disposal.saleId);
      const lot = describeSource(books, disposal.lotId);
      yield { cells: [String(number), row.description, disposal.account, sale, lot, chosenWords[disposal.identified]] };
    }
  }
}

/** Describes the source of a fact or lot, whose id begins with its transaction's: `transactionId/ordinal`. */
function describeSource(books: ReportBooks, id: string): string {
  const source = books.sources.get(id) ?? books.sources.get(id.split('/')[0] ?? id);
  return source === undefined ? `transaction ${id}` : `${source.file}, line ${source.line}`;
}

function numberDisposals(rows: readonly FormRow[]): ReadonlyMap<string, string> {
  const numbers = new Map<string, string>();
  rows.forEach((row, index) => {
    for (const { disposal } of row.lines) numbers.set(disposal.id, String(index + 1));
  });
  return numbers;
}

const chosenWords = { identified: 'named', late: 'identified late', default: 'by method' } as const;
