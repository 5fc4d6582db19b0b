import { issueKindTable } from '../engine/model.ts';
import { choicesByFormat } from './choices.ts';
import { draftSuffix } from './draft.ts';
import { countLines } from './exports/text.ts';
import { drawForm8949, type FormHead } from './form-8949/form.ts';
import { drawStatements } from './form-8949/statements.ts';
import { eachPage } from './pages.ts';
import { Canvas, pageWidth } from './pdf/canvas.ts';
import { listMissingLetters, wideFontsFor } from './pdf/wide-font.ts';
import { previewNotice } from './preview.ts';
import type { ReportBooks, ReportFormat } from './report.ts';
import { listedRows, sortedLines } from './rows.ts';
import { drawScheduleD } from './schedule-d/form.ts';
import { scheduleD } from './schedule-d/schedule-d.ts';

/** Writes Form 8949, with one set of pages per box, and Schedule D, as a PDF. */
export const formReport: ReportFormat = {
  id: '8949',
  name: 'Form 8949 and Schedule D (PDF)',
  mediaType: 'application/pdf',
  takes: choicesByFormat['8949'],
  reads: ['lines', 'issues'],
  fileName: (books) => `form-8949-${books.year}${draftSuffix(books)}.pdf`,
  render,
  warnings,
};

async function* render(books: ReportBooks): AsyncGenerator<Uint8Array> {
  const canvas = await Canvas.open({
    title: `Form 8949 ${books.year}`,
    created: books.asOf,
    seed: `8949 ${books.year} ${books.revision} ${books.lines.length}`,
    fonts: await wideFontsFor(formTexts(books)),
  });
  drawForms(canvas, books);
  drawPreview(canvas, books.year);
  yield canvas.bytes();
}

function warnings(books: ReportBooks): readonly string[] {
  const direct = sortedLines(books).direct.length;
  const preview = previewNotice(books.year);
  return [
    ...(preview === '' ? [] : [preview]),
    ...listMissingLetters(formTexts(books)),
    ...(direct === 0
      ? []
      : [
          `${countLines(direct, 'goes', 'go')} directly to Schedule D (Exception 1). Check that boxes 1f and 1g of the Forms 1099-B (1h and 1i of Form 1099-DA) are empty and that Ordinary is not checked. Your records do not include those boxes.`,
        ]),
  ];
}

function drawForms(canvas: Canvas, books: ReportBooks): void {
  const head = buildFormHead(books);
  let marked = '';
  for (const page of eachPage(listedRows(books), books.year)) {
    drawForm8949(canvas, head, page);
    if (page.box !== marked) canvas.bookmark(`Form 8949, box ${page.box}`);
    marked = page.box;
  }
  if (books.choices?.exception2 === true) drawStatements(canvas, books, head);
  drawScheduleD(canvas, head, scheduleD(books));
  canvas.bookmark('Schedule D');
}

/** Yields the form's texts that come from the ledger, whose letters the fonts must contain. */
export function* formTexts(books: ReportBooks): Generator<string> {
  yield books.taxpayer.name;
  yield books.taxpayer.tin;
  for (const { disposal } of books.lines) yield disposal.description ?? disposal.asset;
  for (const issue of books.issues) yield issue.asset;
}

function buildFormHead(books: ReportBooks): FormHead {
  return {
    year: books.year,
    name: books.taxpayer.name,
    tin: books.taxpayer.tin,
    wholeDollars: books.wholeDollars,
    incomeKnown: books.taxableIncome !== null,
    draft: draftReason(books),
  };
}

const issuesNamedMax = 3;

/** Returns one sentence for the margin of each page, with the number of open issues and the first few of them. */
function draftReason({ issues, year }: ReportBooks): string {
  if (issues.length === 0) return '';
  const named = issues
    .slice(0, issuesNamedMax)
    .map(({ issue, asset }) => `${issueKindTable[issue].words}${asset === '' ? '' : ` (${asset})`}`);
  const more = issues.length > issuesNamedMax ? ', …' : '';
  const count = issues.length === 1 ? 'One open issue affects' : `${issues.length} open issues affect`;
  return `${count} ${year}: ${named.join(', ')}${more}. Resolve before filing.`;
}

/** Draws the notice at the bottom of every existing page, above the edge that printers leave white. */
export function drawPreview(canvas: Canvas, year: number): void {
  const notice = previewNotice(year);
  if (notice === '') return;
  for (let page = 1; page <= canvas.pageNumber; page++) {
    canvas.turnTo(page);
    canvas.text(pageWidth / 2, 22, notice, {
      size: 8,
      face: 'bold',
      color: [0.7, 0, 0],
      align: 'center',
      widthMax: 540,
    });
  }
}
