import { printAmount } from '../figures.ts';
import { type FormRow, formatFormCells } from '../lines.ts';
import { formPartOf } from '../pages.ts';
import type { Canvas } from '../pdf/canvas.ts';
import { Sheet } from '../pdf/sheet.ts';
import { drawTable, type TableRow } from '../pdf/table.ts';
import type { ReportBooks } from '../report.ts';
import { buildStatements, mailingInstructions } from '../rows.ts';
import type { FormHead } from './form.ts';

/** Columns (a) to (h) of a table. */
export const formColumns = `(a) Description 4.4 | (b) Acquired 2.1 center | (c) Sold 2.1 center | (d) Proceeds 2.5 right
    | (e) Basis 2.5 right | (f) 1.3 center | (g) Adjust. 2.1 right | (h) Gain 2.5 right`;
/** Columns (d) to (h) of a table of totals. */
export const amountColumns =
  '(d) Proceeds 2.4 right | (e) Basis 2.4 right | (g) Adjustment 2.2 right | (h) Gain or (loss) 2.4 right';

/**
 * Draws the statements for rows with code M, which list a broker's lines for a box "in a format similar to Form 8949"
 * (i8949, Exception 2).
 */
export function drawStatements(canvas: Canvas, books: ReportBooks, head: FormHead): void {
  const { statements } = buildStatements(books);
  const whose = [head.name, head.tin].filter((text) => text !== '').join('   ');
  const sheet = new Sheet(canvas, `Statement to Form 8949 (${head.year})   ${whose}`, head.draft !== '');
  drawCoverSheet(sheet, books, head);
  statements.forEach(({ total, rows }, index) => {
    const { account } = total.lines[0].disposal;
    sheet.open(`Box ${total.box}: ${account}`, index === 0 ? 'new page' : 'flowing');
    const term = formPartOf(total.box) === 1 ? 'Part I, short-term' : 'Part II, long-term';
    const count = rows.length === 1 ? 'One row' : `${rows.length} rows`;
    sheet.paragraph(`${term}, box ${total.box}. ${count}, reported by one row with code M on Form 8949.`);
    drawTable(sheet, formColumns, tableRows(rows, total, head));
  });
}

/**
 * Draws a cover sheet with the data for Form 8453 and a description of the pages after it, so that you can check them
 * before mailing.
 */
function drawCoverSheet(sheet: Sheet, books: ReportBooks, head: FormHead): void {
  const { statements } = buildStatements(books);
  if (statements.length === 0) return;
  sheet.open('Cover sheet for Form 8453');
  sheet.paragraph(`Name: ${head.name}. Identifying number: ${head.tin}. Tax year: ${head.year}.`);
  for (const instruction of mailingInstructions(books)) sheet.paragraph(instruction);
  const print = (amount: FormRow['gain']): string => printAmount(amount, head.wholeDollars);
  drawTable(
    sheet,
    `Box 0.8 | Broker 3 | Rows 1 right | ${amountColumns}`,
    statements.map(({ total, rows }) => ({
      cells: [
        total.box,
        total.lines[0].disposal.account,
        String(rows.length),
        ...[total.proceeds, total.basis, total.adjustment, total.gain].map(print),
      ],
    })),
  );
}

function* tableRows(rows: readonly FormRow[], total: FormRow, { wholeDollars, draft }: FormHead): Generator<TableRow> {
  for (const row of rows) yield { cells: formatFormCells(row, wholeDollars, draft !== '') };
  const { proceeds, basis, adjustment, gain } = total;
  const [d, e, g, h] = [proceeds, basis, adjustment, gain].map((amount) => printAmount(amount, wholeDollars));
  yield { cells: ['Totals', '', '', d ?? '', e ?? '', total.code, g ?? '', h ?? ''], total: true };
}
