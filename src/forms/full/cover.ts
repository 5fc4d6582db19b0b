import type { Cents } from '../../base/decimal.ts';
import { roundToCents } from '../../base/decimal.ts';
import { rowOf } from '../../engine/transaction-types.ts';
import { addCents, printCents } from '../amounts.ts';
import { missingBasisText } from '../missing-basis.ts';
import { type Canvas, pageHeight, pageWidth } from '../pdf/canvas.ts';
import { type Chapter, contentWidth, margin, palette } from '../pdf/sheet.ts';
import type { ReportBooks } from '../report.ts';
import type { ScheduleD } from '../schedule-d/schedule-d.ts';
import { assumedFormsRemark } from './assumed-forms.ts';
import { noIssues } from './sections.ts';

/**
 * Draws the first page with taxpayer, year and result. `drawContents` adds the table of contents once the pages are
 * known.
 */
export function drawCover(canvas: Canvas, books: ReportBooks, schedule: ScheduleD): void {
  canvas.page();
  canvas.bookmark('Cover');
  canvas.fillRect(0, pageHeight - 210, pageWidth, 210, palette.accent);
  canvas.text(margin, pageHeight - 76, 'Lotbook', { size: 12, face: 'bold', color: [0.75, 0.84, 0.95] });
  canvas.text(margin, pageHeight - 118, 'Capital gains report', { size: 30, face: 'bold', color: [1, 1, 1] });
  canvas.text(margin, pageHeight - 146, `Tax year ${books.year}`, { size: 17, color: [1, 1, 1] });
  const whose = [books.taxpayer.name, maskedTin(books.taxpayer.tin)].filter((text) => text !== '').join('   ');
  canvas.text(margin, pageHeight - 182, whose, { size: 11, color: [0.86, 0.91, 0.97], widthMax: contentWidth });
  drawResult(canvas, books, schedule);
  drawState(canvas, books);
}

export function drawContents(canvas: Canvas, chapters: readonly Chapter[]): void {
  canvas.turnTo(1);
  const top = 300;
  canvas.text(margin, top, 'Contents', { size: 11.5, face: 'bold', color: palette.text });
  chapters.forEach(({ title, page }, index) => {
    const y = top - 20 - index * 16;
    canvas.text(margin, y, title, { size: 9.5, color: palette.text });
    canvas.text(pageWidth - margin, y, String(page), { size: 9.5, color: palette.text, align: 'right' });
    canvas.line(margin, y - 4, pageWidth - margin, y - 4, 0.4, palette.rule);
  });
}

function drawResult(canvas: Canvas, books: ReportBooks, { lines, carryover }: ScheduleD): void {
  const result = lines['16'];
  const y = pageHeight - 262;
  canvas.text(
    margin,
    y,
    result < 0n ? 'Net capital loss (Schedule D, line 16)' : 'Net capital gain (Schedule D, line 16)',
    { size: 10, color: palette.muted },
  );
  canvas.text(margin, y - 34, `$${printCents(result)}`, {
    size: 32,
    face: 'bold',
    color: result < 0n ? palette.loss : palette.accent,
    widthMax: contentWidth,
  });
  const carried = addCents([carryover.short, carryover.long]);
  const income = addCents(
    books.summary.income
      .filter(({ type }) => type !== 'capital_gain_distribution' && rowOf(type).isWithheld !== true)
      .map(({ amount }) => roundToCents(amount)),
  );
  const tiles: readonly (readonly [string, Cents])[] = [
    ['Net short-term', lines['7']],
    ['Net long-term', lines['15']],
    ['Wash sale losses disallowed', books.summary.washSaleDisallowed],
    ['Income', income],
    ['Deductible this year', lines['21']],
    ['Carried to next year', carried],
  ];
  const width = contentWidth / 3;
  tiles.forEach(([title, amount], index) => {
    const [x, top] = [margin + (index % 3) * width, y - 62 - Math.floor(index / 3) * 52];
    canvas.fillRect(x, top - 42, width - 8, 44, palette.band);
    canvas.text(x + 8, top - 13, title, { size: 8, color: palette.muted });
    canvas.text(x + 8, top - 32, printCents(amount), {
      size: 12.5,
      face: 'bold',
      color: palette.text,
      widthMax: width - 24,
    });
  });
}

function drawState(canvas: Canvas, books: ReportBooks): void {
  const y = 350;
  const { count } = books.summary.total;
  const lines = `${count} ${count === 1 ? 'line' : 'lines'} of Form 8949, ${books.openLots.length} open lots at year end, ledger revision ${books.revision}.`;
  canvas.text(margin, y, lines, { size: 9.5, color: palette.text, widthMax: contentWidth });
  const open = books.issues.length;
  const state =
    open === 0
      ? noIssues
      : `DRAFT: ${open} open ${open === 1 ? 'issue affects' : 'issues affect'} this year; see Issues before filing.`;
  const missing = missingBasisText(books.summary);
  canvas.text(margin, y - 15, state, { size: 9.5, face: 'bold', color: open === 0 ? palette.text : palette.warning });
  const warnings = [missing, assumedFormsRemark(books)].filter((text) => text !== null);
  for (const [at, text] of warnings.entries())
    canvas.text(margin, y - 15 * (at + 2), text, {
      size: 9.5,
      face: 'bold',
      color: palette.warning,
      widthMax: contentWidth,
    });
}

/** Masks all but the last four digits, because a report has more readers than a form. */
function maskedTin(tin: string): string {
  return tin.length < 5 ? tin : `${tin.slice(0, -4).replace(/\d/g, '*')}${tin.slice(-4)}`;
}
