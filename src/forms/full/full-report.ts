import { choicesByFormat } from '../choices.ts';
import { draftSuffix, isDraft } from '../draft.ts';
import { donationRemarks, listPropertyGifts } from '../form-8283.ts';
import { drawPreview, formTexts } from '../form-report.ts';
import { formRows } from '../lines.ts';
import { Canvas } from '../pdf/canvas.ts';
import { Sheet } from '../pdf/sheet.ts';
import { listMissingLetters, wideFontsFor } from '../pdf/wide-font.ts';
import { listNames, type ReportBooks, type ReportFormat } from '../report.ts';
import { pickRowChoices } from '../rows.ts';
import { scheduleD } from '../schedule-d/schedule-d.ts';
import { drawAssumedForms } from './assumed-forms.ts';
import { drawCharts } from './charts.ts';
import { drawContents, drawCover } from './cover.ts';
import { drawSources, drawWashSales } from './evidence.ts';
import { drawFunds, drawGifts } from './gifts-and-funds.ts';
import { drawContracts, drawIncome, drawIssues, drawLines, drawOpenLots, drawScheduleSummary } from './sections.ts';
import { drawSettings } from './settings.ts';

/** Writes a readable report for the year: the result, charts, tables, and the source of each number. */
export const fullReport: ReportFormat = {
  id: 'pdf',
  name: 'Full report (PDF)',
  mediaType: 'application/pdf',
  takes: choicesByFormat.pdf,
  reads: listNames,
  fileName: (books) => `lotbook-report-${books.year}${draftSuffix(books)}.pdf`,
  render,
  warnings: (books) => [...listMissingLetters(collectTexts(books)), ...donationRemarks(listPropertyGifts(books))],
};

async function* render(books: ReportBooks): AsyncGenerator<Uint8Array> {
  const canvas = await Canvas.open({
    title: `Capital gains report ${books.year}`,
    created: books.asOf,
    seed: `pdf ${books.year} ${books.revision} ${books.lines.length}`,
    fonts: await wideFontsFor(collectTexts(books)),
  });
  const schedule = scheduleD(books);
  const rows = formRows(books.lines, pickRowChoices(books));
  drawCover(canvas, books, schedule);
  const whose = books.taxpayer.name === '' ? '' : ` · ${books.taxpayer.name}`;
  const sheet = new Sheet(canvas, `Capital gains report ${books.year}${whose}`, isDraft(books));
  drawCharts(sheet, books);
  drawScheduleSummary(sheet, books, schedule);
  drawLines(sheet, books, rows);
  drawIncome(sheet, books);
  drawContracts(sheet, books);
  drawOpenLots(sheet, books);
  drawGifts(sheet, books);
  drawFunds(sheet, books);
  drawWashSales(sheet, books, rows);
  drawIssues(sheet, books);
  drawAssumedForms(sheet, books);
  drawSettings(sheet, books);
  drawSources(sheet, books, rows);
  drawContents(canvas, sheet.chapters);
  sheet.numberPages();
  drawPreview(canvas, books.year);
  yield canvas.bytes();
}

function* collectTexts(books: ReportBooks): Generator<string> {
  yield* formTexts(books);
  for (const { disposal } of books.lines) {
    yield disposal.account;
    yield disposal.boxReason;
  }
  for (const lot of books.openLots) yield `${lot.asset} ${lot.account}`;
  for (const gift of books.gifts) yield gift.asset;
  for (const { asset } of books.deferrals) yield asset;
  for (const contract of books.contracts) yield `${contract.asset} ${contract.account}`;
  for (const { asset } of books.summary.assets) yield asset;
  for (const { account } of books.summary.accountBoxes) yield account;
  for (const issue of books.issues) yield `${issue.detail} ${issue.account}`;
  for (const name of Object.keys({ ...books.rules.accounts, ...books.rules.methodByAccount })) yield name;
  for (const { wallet = '' } of Object.values(books.rules.accounts)) yield wallet;
  for (const { account = '', asset = '' } of books.rules.standingOrders ?? []) yield `${account} ${asset}`;
  for (const { file } of books.sources.values()) yield file;
}
