import { csvRecord } from '../../base/csv.ts';
import { formatDay, formatDayUs } from '../../base/day.ts';
import { formatCents, formatQuantity } from '../../base/decimal.ts';
import { choicesByFormat } from '../choices.ts';
import { draftMark, draftSuffix, isDraft } from '../draft.ts';
import { safeText } from '../exports/text.ts';
import { printCents } from '../figures.ts';
import { unknownDate } from '../missing-basis.ts';
import { Canvas } from '../pdf/canvas.ts';
import { palette, Sheet } from '../pdf/sheet.ts';
import { drawTable, type TableRow } from '../pdf/table.ts';
import { listMissingLetters, wideFontsFor } from '../pdf/wide-font.ts';
import type { ReportBooks, ReportFormat } from '../report.ts';
import { buildFormDesk, type DeskEntry, type DeskForm } from './desk.ts';
import type { DeskPart } from './parts.ts';
import { deskKindWords } from './words.ts';

/**
 * Writes the reconciliation statement, for the taxpayer to read or to send to the IRS in response to a CP2000 notice.
 */
export const reconciliationReport: ReportFormat = {
  id: 'reconciliation',
  name: 'Reconciliation with Forms 1099 (PDF)',
  mediaType: 'application/pdf',
  takes: choicesByFormat.reconciliation,
  reads: ['lines', 'reported'],
  fileName: (books) => `reconciliation-${books.year}${draftSuffix(books)}.pdf`,
  render,
  warnings: (books) => listMissingLetters(collectTexts(books)),
};

export const reconciliationCsv: ReportFormat = {
  id: 'reconciliation-csv',
  name: 'Reconciliation with Forms 1099 (CSV)',
  mediaType: 'text/csv; charset=utf-8',
  takes: choicesByFormat['reconciliation-csv'],
  reads: ['lines', 'reported'],
  fileName: (books) => `reconciliation-${books.year}${draftSuffix(books)}.csv`,
  render: writeCsv,
};

const header = [
  'Account',
  'Form',
  'Finding',
  'Asset',
  'Date Sold',
  'Units on Form',
  'Proceeds on Form',
  'Basis on Form',
  'Wash on Form',
  'Box',
  'Our Units',
  'Date Acquired',
  'Proceeds (d)',
  'Basis (e)',
  'Code (f)',
  'Adjustment (g)',
  'Gain (h)',
  'Difference',
  'Question',
  'Why',
] as const;

/** Writes one record for each lot matched to a form row. Only the first record contains the form's amounts. */
function* writeCsv(books: ReportBooks): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  const draft = isDraft(books);
  yield encoder.encode(csvRecord(draft ? [...header, draftMark(books)] : header));
  for (const entry of buildFormDesk(books).entries) {
    const parts = entry.parts.length === 0 ? [undefined] : entry.parts;
    yield encoder.encode(
      parts
        .map((part, index) => csvRecord([...buildRecord(entry, part, index === 0), ...(draft ? ['DRAFT'] : [])]))
        .join(''),
    );
  }
}

function buildRecord(entry: DeskEntry, part: DeskPart | undefined, isFirst: boolean): string[] {
  const { row, shown } = entry;
  const onForm = row === null || shown === null || !isFirst ? undefined : { row, shown };
  return [
    safeText(entry.account),
    entry.form,
    deskKindWords[entry.kind],
    safeText(entry.asset),
    formatDay(entry.on),
    onForm?.row.quantity == null ? '' : formatQuantity(onForm.row.quantity),
    onForm === undefined ? '' : formatCents(onForm.shown.proceeds),
    onForm === undefined || onForm.row.basis === null ? '' : formatCents(onForm.shown.basis),
    onForm === undefined || onForm.row.wash === null ? '' : formatCents(onForm.shown.adjustment),
    onForm?.row.box ?? '',
    ...partCells(part),
    isFirst ? formatCents(entry.value) : '',
    isFirst ? (entry.asks ? 'yes' : 'no') : '',
    isFirst ? entry.reason : '',
  ];
}

function partCells(part: DeskPart | undefined): string[] {
  if (part === undefined) return ['', '', '', '', '', '', ''];
  const { line, units, proceeds, basis, adjustment, gain } = part;
  const acquired = line.disposal.purchaseUnknown
    ? unknownDate
    : line.disposal.acquiredVarious
      ? 'VARIOUS'
      : formatDay(line.disposal.acquired);
  return [
    formatQuantity(units),
    line.disposal.inherited ? 'INHERITED' : acquired,
    formatCents(proceeds),
    formatCents(basis),
    line.code,
    formatCents(adjustment),
    formatCents(gain),
  ];
}

async function* render(books: ReportBooks): AsyncGenerator<Uint8Array> {
  const canvas = await Canvas.open({
    title: `Reconciliation with Forms 1099, ${books.year}`,
    created: books.asOf,
    seed: `reconciliation ${books.year} ${books.revision} ${books.lines.length}`,
    fonts: await wideFontsFor(collectTexts(books)),
  });
  const whose = [books.taxpayer.name, books.taxpayer.tin].filter((text) => text !== '').join('   ');
  const sheet = new Sheet(canvas, `Reconciliation with Forms 1099, tax year ${books.year}   ${whose}`, isDraft(books));
  const { forms, entries } = buildFormDesk(books);
  sheet.open('Forms 1099 and Form 8949');
  if (isDraft(books)) sheet.paragraph(`${draftMark(books)}.`, 'bold', palette.warning);
  sheet.paragraph(
    'Every row of a Form 1099-B or 1099-DA, next to the lines of Form 8949 that report it, with the code of column (f) and the reason if the two differ.',
  );
  if (forms.length === 0) sheet.paragraph('Your records contain no rows from a Form 1099 for the year.');
  else drawTable(sheet, totalColumns, forms.flatMap(totalRows));
  for (const { account, form } of forms) {
    sheet.open(`Form ${form}: ${account}`, 'flowing');
    drawTable(sheet, entryColumns, entryRows(entries.filter((one) => one.account === account && one.form === form)));
  }
  sheet.numberPages();
  yield canvas.bytes();
}

const totalColumns = `Account 3 | Form 1.4 | 1.6 | Rows 1 right | Proceeds 2.4 right | Basis 2.4 right
    | Adjustment 2.2 right | Gain or (loss) 2.4 right`;

function totalRows({ account, form, shown, ours }: DeskForm): TableRow[] {
  const figures = ({ count, proceeds, basis, adjustment, gain }: DeskForm['shown']): string[] => [
    String(count),
    ...[proceeds, basis, adjustment, gain].map(printCents),
  ];
  const differing = [
    ours.proceeds - shown.proceeds,
    ours.basis - shown.basis,
    ours.adjustment - shown.adjustment,
    ours.gain - shown.gain,
  ];
  return [
    { cells: [account, form, 'Form', ...figures(shown)] },
    { cells: ['', '', 'Form 8949', ...figures(ours)] },
    {
      cells: ['', '', 'Difference', '', ...differing.map((cents) => printCents(cents as typeof shown.gain))],
      total: true,
    },
  ];
}

const entryColumns = `Sold 1.7 | Asset 2 | Units 2 right | 1.5 | Proceeds 2 right | Basis 2 right | (f) 0.8 center
    | (g) 1.8 right | Why 5`;

function* entryRows(entries: readonly DeskEntry[]): Generator<TableRow> {
  for (const { on, asset, row, shown, parts, kind, value, reason } of entries) {
    const why = kind === 'matched' ? reason : `${deskKindWords[kind]}, ${printCents(value)}: ${reason}`;
    if (row !== null && shown !== null) {
      const basis = row.basis === null ? '' : printCents(shown.basis);
      const wash = row.wash === null ? '' : printCents(shown.adjustment);
      const units = row.quantity === null ? '' : formatQuantity(row.quantity);
      const box = row.box === null ? 'Form' : `Form, box ${row.box}`;
      yield { cells: [formatDayUs(on), asset, units, box, printCents(shown.proceeds), basis, '', wash, why] };
    }
    for (const [index, { line, units, proceeds, basis, adjustment }] of parts.entries()) {
      const { box } = line.disposal;
      const ownWhy = row === null && index === 0 ? why : '';
      const amounts = [printCents(proceeds), printCents(basis), line.code, printCents(adjustment)];
      yield {
        cells: [formatDayUs(line.disposal.sold), asset, formatQuantity(units), `Line, box ${box}`, ...amounts, ownWhy],
      };
    }
  }
}

function* collectTexts(books: ReportBooks): Generator<string> {
  yield books.taxpayer.name;
  yield books.taxpayer.tin;
  for (const { asset, account } of books.reported) yield `${asset} ${account}`;
  for (const { disposal } of books.lines) yield `${disposal.asset} ${disposal.account}`;
}
