import { printAmount } from './amounts.ts';
import type { Canvas } from './canvas.ts';
import type { FormHead } from './form-8949.ts';
import { Sheet } from './full/sheet.ts';
import { drawTable, type TableRow } from './full/table.ts';
import { cellsOf, type FormRow } from './lines.ts';
import { partOf } from './pages.ts';
import type { ReportBooks } from './report.ts';
import { statementsOf } from './rows.ts';

/** What rows with code M refer to: the lines of a broker in a box, "in a format similar to Form 8949" (i8949, Exception 2). */
export function drawStatements(canvas: Canvas, books: ReportBooks, head: FormHead): void {
  const { statements } = statementsOf(books);
  const whose = [head.name, head.tin].filter((text) => text !== '').join('   ');
  const sheet = new Sheet(canvas, `Statement to Form 8949 (${head.year})   ${whose}`, head.draft !== '');
  statements.forEach(({ total, rows }, index) => {
    const { account } = total.lines[0].disposal;
    sheet.open(`Box ${total.box}: ${account}`, index === 0 ? 'new page' : 'flowing');
    const term = partOf(total.box) === 1 ? 'Part I, short-term' : 'Part II, long-term';
    const count = rows.length === 1 ? 'One row' : `${rows.length} rows`;
    sheet.paragraph(`${term}, box ${total.box}. ${count}, told by one row with code M in Form 8949.`);
    drawTable(sheet, columns, tableRows(rows, total, head.wholeDollars));
  });
}

function* tableRows(rows: readonly FormRow[], total: FormRow, wholeDollars: boolean): Generator<TableRow> {
  for (const row of rows) yield { cells: cellsOf(row, wholeDollars) };
  const { proceeds, basis, adjustment, gain } = total;
  const [d, e, g, h] = [proceeds, basis, adjustment, gain].map((amount) => printAmount(amount, wholeDollars));
  yield { cells: ['Totals', '', '', d ?? '', e ?? '', total.code, g ?? '', h ?? ''], total: true };
}

const columns = [
  { title: '(a) Description', share: 4.6 },
  { title: '(b) Acquired', share: 2.1, align: 'center' },
  { title: '(c) Sold', share: 2.1, align: 'center' },
  { title: '(d) Proceeds', share: 2.5, align: 'right' },
  { title: '(e) Basis', share: 2.5, align: 'right' },
  { title: '(f)', share: 0.9, align: 'center' },
  { title: '(g) Adjust.', share: 2.1, align: 'right' },
  { title: '(h) Gain', share: 2.5, align: 'right' },
] as const;
