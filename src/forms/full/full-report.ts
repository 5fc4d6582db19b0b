import { formatDayUs } from '../../base/day.ts';
import { type Cents, formatQuantity, roundToCents } from '../../base/decimal.ts';
import type { WashSale } from '../../engine/model.ts';
import { rowOf } from '../../engine/transaction-types.ts';
import { choicesByFormat } from '../choices.ts';
import { draftSuffix, isDraft } from '../draft.ts';
import { addCents, printCents } from '../figures.ts';
import { acquisitionWords, donationRemarks, listPropertyGifts, type PropertyGift } from '../form-8283.ts';
import { form8997 } from '../form-8997.ts';
import { drawPreview, formTexts } from '../form-report.ts';
import { type FormRow, formRows } from '../lines.ts';
import { missingBasisText } from '../missing-basis.ts';
import { Canvas, pageHeight, pageWidth } from '../pdf/canvas.ts';
import { type Chapter, contentWidth, margin, palette, Sheet } from '../pdf/sheet.ts';
import { drawTable, type TableRow } from '../pdf/table.ts';
import { listMissingLetters, wideFontsFor } from '../pdf/wide-font.ts';
import { previewOf8997 } from '../preview.ts';
import { listNames, type ReportBooks, type ReportFormat } from '../report.ts';
import { pickRowChoices } from '../rows.ts';
import { type ScheduleD, scheduleD } from '../schedule-d/schedule-d.ts';
import { describeSource } from '../sources.ts';
import { assumedFormsRemark, drawAssumedForms } from './assumed-forms.ts';
import { drawCharts } from './charts.ts';
import {
  drawContracts,
  drawIncome,
  drawIssues,
  drawLines,
  drawOpenLots,
  drawScheduleSummary,
  noIssues,
} from './sections.ts';
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

/**
 * Draws the first page with taxpayer, year and result. `drawContents` adds the table of contents once the pages are
 * known.
 */
function drawCover(canvas: Canvas, books: ReportBooks, schedule: ScheduleD): void {
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

function drawContents(canvas: Canvas, chapters: readonly Chapter[]): void {
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

/** Evidence for the numbers: wash sale matches, and the source file and line for each sale and lot. */

function drawWashSales(sheet: Sheet, books: ReportBooks, rows: readonly FormRow[]): void {
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
function drawSources(sheet: Sheet, books: ReportBooks, rows: readonly FormRow[]): void {
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

function numberDisposals(rows: readonly FormRow[]): ReadonlyMap<string, string> {
  const numbers = new Map<string, string>();
  rows.forEach((row, index) => {
    for (const { disposal } of row.lines) numbers.set(disposal.id, String(index + 1));
  });
  return numbers;
}

const chosenWords = { identified: 'named', late: 'identified late', default: 'by method' } as const;

/** Chapters with the data for Form 8283 and Form 8997. Omitted if the year has none. */

function drawGifts(sheet: Sheet, books: ReportBooks): void {
  const gifts = listPropertyGifts(books);
  if (gifts.length === 0) return;
  sheet.open('Gifts and donations', 'flowing');
  sheet.paragraph('Property given away is not sold and is not reported on Form 8949.');
  for (const [type, title] of chapters) {
    const giftsOfType = gifts.filter(({ gift }) => gift.type === type);
    if (giftsOfType.length === 0) continue;
    sheet.heading(title, true);
    const isDonated = type === 'donate';
    const columns = isDonated ? `${givenColumns} | Deductible 2.2 right` : givenColumns;
    drawTable(
      sheet,
      columns,
      giftsOfType.map((one) => givenRow(one, isDonated)),
    );
  }
  for (const remark of donationRemarks(gifts)) sheet.paragraph(remark);
}

const chapters = [
  ['donate', 'Donations, for Form 8283'],
  ['gift_out', 'Gifts to people'],
] as const;

const givenColumns = `Description 3.2 | Given 1.8 center | Acquired 1.8 center | How 1.8 | Term 1.1 | Basis 2.2 right
    | Fair market value 2.4 right`;

function givenRow(
  { gift, how, acquired, term, basis, deductible, appraisal }: PropertyGift,
  isDonated: boolean,
): TableRow {
  const inherited = gift.inherited ? 'INHERITED' : null;
  const cells = [
    `${formatQuantity(gift.quantity)} ${gift.asset}${appraisal ? ' (appraisal)' : ''}`,
    formatDayUs(gift.on),
    inherited ?? (acquired === null ? 'not known' : formatDayUs(acquired)),
    how === null ? 'not stated' : acquisitionWords[how],
    term ?? '',
    basis === null ? 'not known' : printCents(basis),
    gift.value === null ? 'not stated' : printCents(gift.value),
  ];
  return { cells: isDonated ? [...cells, deductible === null ? 'not known' : printCents(deductible)] : cells };
}

function drawFunds(sheet: Sheet, books: ReportBooks): void {
  const rows = form8997(books);
  if (rows.length === 0) return;
  sheet.open('Opportunity funds, for Form 8997', 'flowing');
  const preview = previewOf8997(books.year);
  if (preview !== '') sheet.paragraph(preview, 'bold');
  const cents = (amount: Cents | null): string => (amount === null ? '' : printCents(amount));
  drawTable(
    sheet,
    `Part 1 | Fund 2.4 | Units 1.8 right | Invested 1.8 center | Included on 1.8 center | Term 1
    | Deferred 2.1 right | Value 2.1 right | Adjustment 2.1 right | Included 2.1 right | Basis 2.1 right`,
    rows.map((row) => ({
      cells: [
        row.part,
        row.fund,
        formatQuantity(row.quantity),
        formatDayUs(row.invested),
        row.includedOn === null ? '' : formatDayUs(row.includedOn),
        row.term,
        row.part === 'V' ? '' : cents(row.deferred),
        cents(row.value),
        cents(row.adjustment),
        cents(row.included),
        cents(row.basis),
      ],
    })),
  );
  sheet.paragraph(
    'Each gain that was deferred or included also has a line of Form 8949 (codes Z and Y).',
    'italic',
    palette.muted,
  );
}
