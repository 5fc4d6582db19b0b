import { csvRecord } from '../../base/csv.ts';
import { type Cents, formatCents, zeroCents } from '../../base/decimal.ts';
import { choicesByFormat } from '../choices.ts';
import { draftMark } from '../draft.ts';
import { roundToDollars } from '../figures.ts';
import type { FormRow } from '../lines.ts';
import { markedDescription, unknownDate } from '../missing-basis.ts';
import { formPartOf, paperBox } from '../pages.ts';
import type { ReportBooks } from '../report.ts';
import { createWashPartLookup } from '../rows.ts';
import { spouseAccounts } from '../spouse.ts';
import { tabularReport } from './tabular.ts';
import { countLines, safeText } from './text.ts';

/** The number of adjustments that a row of Drake's import has, besides a wash sale. */
const adjustmentsMax = 3;
/** The columns of an adjustment: code, amount, and amount for the AMT. */
const adjustmentColumns = 3;

/**
 * The columns of Drake's "Form 8949 Import/GruntWorx Trades" in their fixed order (help of Drake Tax, "Form 8949
 * Import", with the values of knowledge base articles 11790 and 13580). Drake reads them by position. The import starts
 * at the line that the preparer enters, so line 1 can name the columns.
 */
const header = [
  'TSJ',
  'F',
  'State',
  'City',
  'Form 8949 Check Box',
  'Desc',
  'Date Acquired',
  'Date Sold',
  'Type',
  'Ordinary',
  'Proceeds',
  'Cost',
  'AMT Cost Basis',
  'Accrued Discount',
  'Wash Sale Loss',
  'US Real Property',
  'Adj 1 Code',
  'Adj 1 Amount',
  'Adj 1 AMT Amount',
  'Adj 2 Code',
  'Adj 2 Amount',
  'Adj 2 AMT Amount',
  'Adj 3 Code',
  'Adj 3 Amount',
  'Adj 3 AMT Amount',
  'Fed W/H',
  'Loss Not Allowed',
  'Collectibles',
  'QSBS Code',
  'QSBS Amount',
  'State',
  'State ID #',
  'State Tax W/H',
  'State 2',
  'State 2 ID #',
  'State 2 Tax W/H',
  'State Use Code',
  'State Adjustment',
  'State Cost/Basis',
  'LLC Number',
] as const;

/** Writes the Form 8949 import of Drake Tax: 40 columns, dates as MMDDYYYY, plain numbers. */
export const drakeReport = tabularReport({
  id: 'drake',
  name: 'Drake Tax Form 8949 import (CSV)',
  mediaType: 'text/csv; charset=utf-8',
  takes: choicesByFormat.drake,
  reads: ['lines', 'washSales'],
  stem: 'drake',
  extension: 'csv',
  head: () => csvRecord(header),
  recordOf: createRecordFormatter,
  warnings,
});

function createRecordFormatter(books: ReportBooks): (row: FormRow) => string {
  const mark = draftMark(books);
  const washPart = createWashPartLookup(books);
  const ofSpouse = new Set(spouseAccounts(books.rules));
  return (row) => {
    const wash = washPart(row);
    const washCents = wash === null || !books.wholeDollars ? wash : roundToDollars(wash);
    const rest = (row.adjustment - (washCents ?? zeroCents)) as Cents;
    const cells = new Map<number, string>([
      [columns.owner, ofSpouse.has(row.lines[0].disposal.account) ? 'S' : 'T'],
      [columns.box, checkBoxes[paperBox(row.box)] ?? ''],
      [columns.description, safeText(markedDescription(row.description, row, mark))],
      [columns.acquired, drakeDate(row.acquired)],
      [columns.sold, drakeDate(row.sold)],
      [columns.type, row.term === 'long' ? 'L' : 'S'],
      [columns.proceeds, formatCents(row.proceeds)],
      [columns.cost, formatCents(row.basis)],
      [columns.wash, washCents === null ? '' : formatCents(washCents)],
      ...adjustmentCells(row.code.replace(washCents === null ? '' : 'W', ''), rest),
    ]);
    return csvRecord(header.map((_, column) => cells.get(column) ?? ''));
  };
}

const columns = {
  owner: header.indexOf('TSJ'),
  box: header.indexOf('Form 8949 Check Box'),
  description: header.indexOf('Desc'),
  acquired: header.indexOf('Date Acquired'),
  sold: header.indexOf('Date Sold'),
  type: header.indexOf('Type'),
  proceeds: header.indexOf('Proceeds'),
  cost: header.indexOf('Cost'),
  wash: header.indexOf('Wash Sale Loss'),
  adjustment: header.indexOf('Adj 1 Code'),
};

/** 1: basis reported. 2: basis not reported. 3: no form. The type of the row selects Part I or Part II. */
const checkBoxes: Readonly<Record<string, string>> = { A: '1', D: '1', B: '2', E: '2', C: '3', F: '3' };

/** Converts `06/03/2024` to `06032024`, and INHERITED to Drake's word. Unknown dates and dates of totals are empty. */
function drakeDate(text: string): string {
  if (text === unknownDate) return '';
  return text === 'INHERITED' ? 'INHERIT' : text.replaceAll('/', '');
}

/** Codes whose own amount is always zero (i8949, columns (f) and (g)). */
const codesWithoutAmount = 'CMT';

/**
 * Returns the cells of the adjustments. A line has one amount for all of its codes, so the first code that can have an
 * amount contains it, and the others contain zero. Drake adds them up in column (g).
 */
function adjustmentCells(codes: string, amount: Cents): [number, string][] {
  const [first = ''] = [...codes].toSorted((a, b) => Number(isBare(a)) - Number(isBare(b)));
  const letters = [first, ...[...codes].filter((letter) => letter !== first)].slice(0, adjustmentsMax);
  if (first === '') return [];
  return letters.flatMap((letter, index): [number, string][] => [
    [columns.adjustment + index * adjustmentColumns, letter],
    [columns.adjustment + index * adjustmentColumns + 1, formatCents(index === 0 ? amount : zeroCents)],
  ]);
}

function isBare(letter: string): boolean {
  return codesWithoutAmount.includes(letter);
}

function warnings(books: ReportBooks): readonly string[] {
  const { lines, choices } = books;
  const digital = lines.filter(({ disposal }) => paperBox(disposal.box) !== disposal.box);
  const parts = [...new Set(digital.map(({ disposal }) => formPartOf(disposal.box)))].sort();
  const became =
    choices?.digitalAssets === 'left_out'
      ? 'left out; enter what is missing on screen 99DA'
      : `written with check box 3 (box ${parts.map((part) => (part === 1 ? 'C' : 'F')).join(' or ')}); move what a Form 1099-DA reports to screen 99DA`;
  const unknown = lines.filter(({ disposal }) => disposal.purchaseUnknown).length;
  const crowded = lines.filter(({ code }) => code.replace('W', '').length > adjustmentsMax).length;
  return [
    ...(books.filingStatus === 'mfj'
      ? [
          'The first column is S for accounts of the spouse, and otherwise T. Enter J for jointly owned accounts before the import.',
        ]
      : []),
    ...(digital.length === 0
      ? []
      : [`Drake's import has no check box for digital assets: ${countLines(digital.length, 'is', 'are')} ${became}.`]),
    ...(unknown === 0
      ? []
      : [`${countLines(unknown, 'has', 'have')} no date acquired, because it is unknown. Enter it in Drake.`]),
    ...(crowded === 0
      ? []
      : [
          `${countLines(crowded, 'has', 'have')} more codes than Drake's three adjustments. The amount is complete; add the other codes in Drake.`,
        ]),
  ];
}
