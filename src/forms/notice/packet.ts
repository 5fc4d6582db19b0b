import { formatDay, formatDayUs } from '../../base/day.ts';
import { type Cents, formatCents, formatDollars, formatQuantity, zeroCents } from '../../base/decimal.ts';
import { draftMark, draftSuffix, isDraft } from '../draft.ts';
import { usDate } from '../exports/text.ts';
import { printCents } from '../figures.ts';
import { drawPreview } from '../form-report.ts';
import { describe, formRow } from '../lines.ts';
import { Canvas } from '../pdf/canvas.ts';
import { contentWidth, margin, palette, Sheet } from '../pdf/sheet.ts';
import { drawTable, type TableRow } from '../pdf/table.ts';
import { listMissingLetters, wideFontsFor } from '../pdf/wide-font.ts';
import { previewNotice } from '../preview.ts';
import type { DeskPart } from '../reconciliation/parts.ts';
import type { ReportBooks, ReportFormat } from '../report.ts';
import { describeSource } from '../sources.ts';
import {
  compareNotice,
  type NoticeCandidate,
  type NoticeComparison,
  type NoticeMatch,
  type NoticePosition,
  type TaxNotice,
} from './comparison.ts';

const reads = ['lines', 'reported', 'sources'] as const;

/** Writes the answer to a CP2000 notice: a letter, a statement of its lines, and the lots with their source rows. */
export function createNoticePacket(notice: TaxNotice): ReportFormat {
  return {
    id: 'cp2000',
    name: 'Answer to a CP2000 notice (PDF)',
    mediaType: 'application/pdf',
    takes: [],
    reads,
    fileName: (books) => `cp2000-${books.year}${draftSuffix(books)}.pdf`,
    render: (books) => renderPacket(books, notice),
    warnings: (books) => listMissingLetters(collectTexts(books, notice)),
  };
}

/** Writes the comparison as JSON, for the page on which the taxpayer answers the open lines. */
export function createNoticePreview(notice: TaxNotice): ReportFormat {
  return {
    id: 'cp2000-preview',
    name: 'Comparison with a CP2000 notice (JSON)',
    mediaType: 'application/json',
    takes: [],
    reads,
    fileName: (books) => `cp2000-${books.year}.json`,
    *render(books) {
      yield new TextEncoder().encode(JSON.stringify(toNoticeView(books, compareNotice(books, notice))));
    },
  };
}

export type NoticeView = ReturnType<typeof toNoticeView>;

function toNoticeView(books: ReportBooks, { matches, totals }: NoticeComparison) {
  const { proposed, proposedMatched, ours, open, openCount } = totals;
  return {
    year: books.year,
    provisional: provisionalTexts(books),
    lines: matches.map((match) => ({
      state: match.state,
      position: match.position,
      reason: match.reason,
      proposed: formatCents(match.proposed),
      difference: match.difference === null ? null : formatCents(match.difference),
      match: match.candidate === null ? null : toCandidateView(match.candidate),
      candidates: match.candidates.map(toCandidateView),
    })),
    totals: {
      ...{ proposed: formatCents(proposed), proposedMatched: formatCents(proposedMatched) },
      ...{ gain: formatCents(ours.gain), difference: formatCents((ours.gain - proposedMatched) as Cents) },
      ...{ open: formatCents(open), openCount },
    },
  };
}

function toCandidateView({ id, kind, account, asset, on, ours, parts, reason }: NoticeCandidate) {
  return {
    ...{ id, kind, account, asset, date: on === null ? null : formatDay(on) },
    proceeds: formatCents(ours.proceeds),
    basis: formatCents(ours.basis),
    adjustment: formatCents(ours.adjustment),
    gain: formatCents(ours.gain),
    lines: parts.length,
    reason,
  };
}

/** Returns why the amounts can still change. Empty if they cannot. */
function provisionalTexts(books: ReportBooks): string[] {
  const preview = previewNotice(books.year);
  return [
    ...(isDraft(books) ? [`${draftMark(books)}. The amounts are provisional until they are resolved.`] : []),
    ...(preview === '' ? [] : [preview]),
  ];
}

async function* renderPacket(books: ReportBooks, notice: TaxNotice): AsyncGenerator<Uint8Array> {
  const comparison = compareNotice(books, notice);
  const canvas = await Canvas.open({
    title: `Answer to notice CP2000, tax year ${books.year}`,
    created: books.asOf,
    seed: `cp2000 ${books.year} ${books.revision} ${notice.noticeDate} ${notice.lines.length}`,
    fonts: await wideFontsFor(collectTexts(books, notice)),
  });
  const whose = [books.taxpayer.name, books.taxpayer.tin].filter((text) => text !== '').join('   ');
  const sheet = new Sheet(canvas, `Notice CP2000, tax year ${books.year}   ${whose}`, isDraft(books));
  drawLetter(sheet, books, notice, comparison);
  drawStatement(sheet, comparison);
  drawLots(sheet, books, comparison);
  sheet.numberPages();
  drawPreview(canvas, books.year);
  yield canvas.bytes();
}

function* collectTexts(books: ReportBooks, { address, lines }: TaxNotice): Generator<string> {
  yield `${books.taxpayer.name} ${books.taxpayer.tin} ${address}`;
  for (const { payer, description } of lines) yield `${payer} ${description}`;
  for (const { asset, account } of books.reported) yield `${asset} ${account}`;
  for (const { disposal } of books.lines) yield `${describe(disposal)} ${disposal.asset} ${disposal.account}`;
  for (const { file } of books.sources.values()) yield file;
}

function drawLetter(sheet: Sheet, books: ReportBooks, notice: TaxNotice, comparison: NoticeComparison): void {
  const { year, taxpayer } = books;
  sheet.page();
  sheet.canvas.bookmark('Letter');
  const address = notice.address.split(/\r?\n/u).filter((line) => line.trim() !== '');
  const sender = [taxpayer.name, ...address, taxpayer.tin === '' ? '' : `Social Security number ${taxpayer.tin}`];
  drawLines(
    sheet,
    sender.filter((line) => line !== ''),
  );
  sheet.space(10);
  drawLines(sheet, ['Internal Revenue Service', 'To the office named on the notice']);
  sheet.space(10);
  sheet.paragraph(
    `Notice CP2000 of ${formatDayUs(notice.noticeDate)}, tax year ${year}. Response due ${formatDayUs(notice.responseDue)}.`,
    'bold',
  );
  for (const text of provisionalTexts(books)) sheet.paragraph(text, 'bold', palette.warning);
  const undecided = comparison.matches.filter(({ position }) => position === 'undecided');
  if (undecided.length > 0) sheet.paragraph(incompleteText(undecided), 'bold', palette.warning);
  sheet.paragraph(`I compared the sales in this notice with my records. ${positionText(comparison.matches)}`);
  sheet.paragraph(amountText(comparison));
  drawTable(sheet, summaryColumns, summaryRows(comparison));
  sheet.paragraph(
    'The statement that follows lists the lines of Form 8949 for each line of the notice, with their box, dates, proceeds, basis, code and adjustment. After it are the lots that were sold, and the record from which each purchase and sale was taken.',
  );
  if (comparison.matches.some(({ position }) => position === 'disagree'))
    sheet.paragraph('Please correct the proposed changes accordingly, and send me a revised notice.');
  sheet.paragraph(`Enclosed: statement, lots and sources, Form 8949 and Schedule D for ${year}.`);
  sheet.need(70);
  sheet.space(34);
  const { canvas, y } = sheet;
  for (const [x, width, label] of [
    [margin, 300, taxpayer.name === '' ? 'Signature' : `Signature, ${taxpayer.name}`],
    [margin + 330, contentWidth - 330, 'Date'],
  ] as const) {
    canvas.line(x, y, x + width, y, 0.6, palette.text);
    canvas.text(x, y - 11, label, { size: 8, color: palette.muted, widthMax: width });
  }
}

function drawLines(sheet: Sheet, lines: readonly string[]): void {
  for (const line of lines) {
    sheet.canvas.text(margin, sheet.y - 10, line, { size: 9.5, color: palette.text, widthMax: contentWidth });
    sheet.space(13);
  }
}

function incompleteText(undecided: readonly NoticeMatch[]): string {
  const proceeds = undecided.reduce((sum, { line }) => sum + line.proceeds, 0n) as Cents;
  const lines = undecided.length === 1 ? '1 line of the notice is' : `${undecided.length} lines of the notice are`;
  return `Incomplete, do not send yet: ${lines} without an answer (${formatDollars(proceeds)} of proceeds).`;
}

function positionText(matches: readonly NoticeMatch[]): string {
  const count = (position: NoticePosition): number => matches.filter((match) => match.position === position).length;
  const [agreed, disagreed, undecided] = [count('agree'), count('disagree'), count('undecided')];
  const all = ['', 'its line', 'both of its lines'][matches.length] ?? `all ${matches.length} of its lines`;
  if (agreed === matches.length) return `I agree with ${all}.`;
  if (disagreed === matches.length) return `I disagree with ${all}.`;
  const parts = [
    ...(disagreed > 0 ? [`I disagree with ${disagreed}`] : []),
    ...(agreed > 0 ? [`I agree with ${agreed}`] : []),
    ...(undecided > 0 ? [`${undecided} of them ${undecided === 1 ? 'is' : 'are'} undecided`] : []),
  ];
  return `Of its ${matches.length} lines, ${parts.join(', and ')}.`;
}

function amountText({ matches, totals }: NoticeComparison): string {
  const { ours, proposedMatched } = totals;
  if (matches.every(({ state }) => state !== 'matched')) return 'No line of the notice has a line on my Form 8949.';
  const withoutBasis = matches.some(({ state, line }) => state === 'matched' && line.basis === null);
  const counted = `For the lines that are on my Form 8949, the notice counts ${formatDollars(proposedMatched)} of income${withoutBasis ? ', without the basis of every sale' : ''}.`;
  const { proceeds, basis, adjustment, gain } = ours;
  const adjusted = adjustment === 0n ? '' : ` and adjustments of ${formatDollars(adjustment)}`;
  const result = gain < 0n ? `a loss of ${formatDollars(-gain as Cents)}` : `a gain of ${formatDollars(gain)}`;
  return `${counted} They have proceeds of ${formatDollars(proceeds)}, a basis of ${formatDollars(basis)}${adjusted}, and therefore ${result}. The difference is ${formatDollars((gain - proposedMatched) as Cents)}.`;
}

const summaryColumns = `Line 0.9 | Payer 3.8 | Description 3 | Notice proceeds 2.4 right | Notice basis 2 right
    | Notice income 2.3 right | Form 8949 gain 2.4 right | Difference 2 right | Position 1.8`;

const positionWords: Readonly<Record<NoticePosition, string>> = {
  agree: 'Agree',
  disagree: 'Disagree',
  undecided: 'Not answered',
};

function* summaryRows({ matches, totals }: NoticeComparison): Generator<TableRow> {
  for (const [index, { line, proposed, candidate, difference, position }] of matches.entries()) {
    const basis = line.basis === null ? 'none' : printCents(line.basis);
    yield {
      cells: [
        ...[String(index + 1), line.payer, line.description, printCents(line.proceeds), basis, printCents(proposed)],
        ...[
          candidate === null ? '' : printCents(candidate.ours.gain),
          difference === null ? '' : printCents(difference),
        ],
        positionWords[position],
      ],
    };
  }
  const proceeds = matches.reduce((sum, { line }) => sum + line.proceeds, 0n) as Cents;
  const { proposed, proposedMatched, ours } = totals;
  const difference = (ours.gain - proposedMatched) as Cents;
  const amounts = [printCents(proceeds), '', printCents(proposed), printCents(ours.gain), printCents(difference)];
  yield { cells: ['', 'Total', '', ...amounts, ''], total: true };
}

function drawStatement(sheet: Sheet, { matches }: NoticeComparison): void {
  sheet.open('Statement of the lines');
  for (const [index, match] of matches.entries()) {
    const { line, candidate } = match;
    const what = [line.payer, line.description].filter((text) => text.trim() !== '').join(', ');
    sheet.heading(`Line ${index + 1}: ${what}`);
    sheet.paragraph(matchText(match));
    if (candidate === null || candidate.parts.length === 0) continue;
    drawTable(sheet, partColumns, partRows(line.proceeds, candidate));
    const codes = [...new Set(candidate.parts.flatMap((part) => [...part.line.code]))].sort();
    for (const code of codes) sheet.paragraph(`Code ${code}: ${codeWords[code] ?? codeWordsDefault}`, 'italic');
  }
}

function matchText({ state, candidate, line, reason, position }: NoticeMatch): string {
  const income = `The notice shows proceeds of ${formatDollars(line.proceeds)} and ${line.basis === null ? 'no basis' : `a basis of ${formatDollars(line.basis)}`}.`;
  if (state === 'open') return `${income} Not matched: ${reason}`;
  if (candidate === null) return `${income} My records contain no sale for this line. ${noSaleWords[position]}`;
  if (candidate.parts.length === 0) return `${income} No line of Form 8949 reports it. ${candidate.reason}`;
  const apart = (candidate.ours.proceeds - line.proceeds) as Cents;
  const differs =
    apart === zeroCents
      ? ''
      : ` The proceeds on Form 8949 are ${formatDollars(apart < 0n ? (-apart as Cents) : apart)} ${apart < 0n ? 'lower' : 'higher'}.`;
  const why = candidate.reason === '' ? '' : ` ${candidate.reason}`;
  return `${income} Form 8949 reports ${kindWords[candidate.kind]} below.${differs}${why}`;
}

const kindWords = {
  sale: 'this sale on the lines',
  asset: 'the sales of this asset in the account on the lines',
  account: 'the sales in the account on the lines',
} as const;

const noSaleWords: Readonly<Record<NoticePosition, string>> = {
  agree: 'I agree that it is missing from my return.',
  disagree: 'I disagree: it is not my sale.',
  undecided: 'Not answered yet.',
};

/** The codes of column (f) in the words of the instructions for Form 8949. */
const codeWords: Readonly<Record<string, string>> = {
  B: 'the basis on the Form 1099 is not correct.',
  C: 'the property is a collectible.',
  D: 'accrued market discount is reported as interest.',
  E: 'the Form 1099 does not include selling expenses or an option premium.',
  H: 'part of the gain on a main home is excluded.',
  L: 'the loss is not deductible.',
  M: 'several sales are on one row.',
  N: 'the Form 1099 was received as a nominee.',
  O: 'an adjustment for another reason.',
  Q: 'part of the gain on qualified small business stock is excluded.',
  R: 'the gain is rolled over.',
  S: 'part of the loss on small business stock is ordinary.',
  T: 'the term on the Form 1099 is not correct.',
  W: 'part of the loss is disallowed because of a wash sale.',
  X: 'part of the gain on a qualified community asset is excluded.',
  Y: 'a gain that was deferred in a qualified opportunity fund is included.',
  Z: 'the gain is deferred in a qualified opportunity fund.',
};
const codeWordsDefault = 'see the instructions for Form 8949, column (f).';

const partColumns = `Box 0.9 center | (a) Description 3.4 | (b) Acquired 1.9 center | (c) Sold 1.9 center | (d) Proceeds 2.3 right
    | (e) Basis 2.3 right | (f) 0.9 center | (g) Adjustment 2 right | (h) Gain or (loss) 2.4 right`;

function* partRows(noticed: Cents, { parts, ours }: NoticeCandidate): Generator<TableRow> {
  yield { cells: ['', 'In the notice', '', '', printCents(noticed)] };
  for (const { line, units, proceeds, basis, adjustment, gain } of parts) {
    const { acquired, sold } = formRow([line]);
    const { disposal } = line;
    const part = units === disposal.quantity ? '' : `${formatQuantity(units)} of `;
    const amounts = [printCents(proceeds), printCents(basis), line.code, printCents(adjustment), printCents(gain)];
    yield { cells: [disposal.box, `${part}${describe(disposal)}`, acquired, sold, ...amounts] };
  }
  const { proceeds, basis, adjustment, gain } = ours;
  yield {
    cells: ['', 'Total', '', '', printCents(proceeds), printCents(basis), '', printCents(adjustment), printCents(gain)],
    total: true,
  };
}

function drawLots(sheet: Sheet, books: ReportBooks, { matches }: NoticeComparison): void {
  sheet.open('Lots and sources', 'flowing');
  const rows = matches.flatMap(({ candidate }, index) =>
    (candidate?.parts ?? []).map((part) => lotRow(books, part, index + 1)),
  );
  if (rows.length === 0) {
    sheet.paragraph('No line of the notice has a lot.', 'italic', palette.muted);
    return;
  }
  drawTable(
    sheet,
    `Line 0.9 | Account 2.4 | Units sold 2 right | Asset 1.8 | Acquired 1.9 center | Basis 2.2 right
    | Purchase record 4 | Sale record 4`,
    rows,
  );
  sheet.paragraph(
    `Records are rows of files from brokers and exchanges, as of ${usDate(books.asOf)} (ledger revision ${books.revision}).`,
    'italic',
    palette.muted,
  );
}

function lotRow(books: ReportBooks, { line, units, basis }: DeskPart, number: number): TableRow {
  const { account, asset, saleId, lotId } = line.disposal;
  const { acquired } = formRow([line]);
  const sources = [describeSource(books, lotId), describeSource(books, saleId)];
  return {
    cells: [String(number), account, formatQuantity(units), asset, acquired, printCents(basis), ...sources],
  };
}
