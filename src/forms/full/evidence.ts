import { formatDayUs } from '../../base/day.ts';
import { formatQuantity } from '../../base/decimal.ts';
import type { Rules, WashSale } from '../../engine/model.ts';
import { addCents, printCents } from '../amounts.ts';
import type { FormRow } from '../lines.ts';
import type { ReportBooks } from '../report.ts';
import { palette, type Sheet } from './sheet.ts';
import { drawTable, type TableRow } from './table.ts';

/** What the numbers rest on: wash sale matches, the elections, and the file and line behind each line. */

export function drawWashSales(sheet: Sheet, books: ReportBooks, rows: readonly FormRow[]): void {
  sheet.open('Wash sales', 'flowing');
  const { washSales } = books;
  if (washSales.length === 0) {
    sheet.paragraph('No loss was disallowed by IRC 1091 this year.', 'italic', palette.muted);
    return;
  }
  const numbers = numbersOf(rows);
  const body = washSales.map(
    (wash): TableRow => ({
      cells: [
        numbers.get(wash.disposalId) ?? '',
        formatDayUs(wash.on),
        formatQuantity(wash.quantity),
        sourceOf(books, wash.disposalId),
        sourceOf(books, wash.replacementLotId),
        wash.permanent ? 'lost for good (IRA)' : 'to the basis of the replacement',
        printCents(wash.disallowed),
      ],
    }),
  );
  const total = printCents(addCents(washSales.map((wash: WashSale) => wash.disallowed)));
  drawTable(
    sheet,
    [
      { title: 'Line', share: 1, align: 'right' },
      { title: 'Sold', share: 1.9, align: 'center' },
      { title: 'Units matched', share: 2.4, align: 'right' },
      { title: 'Loss told in', share: 3 },
      { title: 'Replacement told in', share: 3 },
      { title: 'Where the loss goes', share: 3 },
      { title: 'Disallowed', share: 2.2, align: 'right' },
    ],
    [...body, { cells: ['', '', '', '', '', '', total], total: true }],
  );
  sheet.paragraph(
    'A loss is disallowed share by share where substantially identical shares were acquired from 30 days before to 30 days after the sale (IRC 1091; 26 CFR 1.1091-1).',
  );
}

export function drawSettings(
  sheet: Sheet,
  { rules, wholeDollars, filingStatus, taxableIncome, revision, asOf }: ReportBooks,
): void {
  sheet.open('Method and settings', 'flowing');
  const rows: readonly (readonly [string, string])[] = [
    ['Lot method', rules.method],
    ...Object.entries(rules.methodByAccount).map(([account, method]) => [`Lot method in ${account}`, method] as const),
    ...rules.methodFrom.map(({ year, method }) => [`Lot method from ${year}`, method] as const),
    ['Digital assets before 2025', rules.digitalAssetScopeBefore2025 === 'universal' ? 'one pool' : 'per wallet'],
    ['Wash sales', washWords[rules.washSales]],
    ...accountRows(rules),
    ['Amounts on forms', wholeDollars ? 'whole dollars' : 'dollars and cents'],
    ['Filing status', filingWords[filingStatus]],
    ['Taxable income', taxableIncome === null ? 'not stated' : 'stated'],
    ['Ledger revision', `${revision} of ${asOf}`],
  ];
  drawTable(
    sheet,
    [
      { title: 'Setting', share: 3 },
      { title: 'Value', share: 5 },
    ],
    rows.map(([name, value]) => ({ cells: [name, value] })),
  );
  sheet.paragraph('Prepared from the records given. Not tax advice.', 'italic', palette.muted);
}

/** The file and line that told each line's sale and its lot. */
export function drawSources(sheet: Sheet, books: ReportBooks, rows: readonly FormRow[]): void {
  sheet.open('Appendix: where each number comes from');
  if (rows.length === 0) {
    sheet.paragraph('There are no lines.', 'italic', palette.muted);
    return;
  }
  drawTable(
    sheet,
    [
      { title: 'Line', share: 1, align: 'right' },
      { title: '(a) Description', share: 4 },
      { title: 'Account', share: 2.4 },
      { title: 'Sale told in', share: 4 },
      { title: 'Lot told in', share: 4 },
      { title: 'Lot chosen', share: 1.8 },
    ],
    sourceRows(books, rows),
  );
}

function* sourceRows(books: ReportBooks, rows: readonly FormRow[]): Generator<TableRow> {
  let number = 0;
  for (const row of rows) {
    number += 1;
    for (const { disposal } of row.lines) {
      const sale = sourceOf(books, disposal.saleId);
      const lot = sourceOf(books, disposal.lotId);
      yield { cells: [String(number), row.description, disposal.account, sale, lot, chosenWords[disposal.identified]] };
    }
  }
}

/** A fact or lot is named after its transaction: `transactionId/ordinal`. */
function sourceOf(books: ReportBooks, id: string): string {
  const source = books.sources.get(id) ?? books.sources.get(id.split('/')[0] ?? id);
  return source === undefined ? `transaction ${id}` : `${source.file}, line ${source.line}`;
}

function numbersOf(rows: readonly FormRow[]): ReadonlyMap<string, string> {
  const numbers = new Map<string, string>();
  rows.forEach((row, index) => {
    for (const { disposal } of row.lines) numbers.set(disposal.id, String(index + 1));
  });
  return numbers;
}

function accountRows(rules: Rules): (readonly [string, string])[] {
  return Object.entries(rules.accounts).map(([name, account]) => {
    const reported =
      account.basisReported === undefined ? '' : account.basisReported ? ', basis reported' : ', basis not reported';
    return [
      `Account ${name}`,
      `${account.type.replace('_', ' ')}${account.form === undefined ? '' : `, form ${account.form}`}${reported}`,
    ] as const;
  });
}

const chosenWords = { identified: 'named', late: 'named too late', default: 'by method' } as const;

const washWords = {
  securities_only: 'securities only',
  securities_and_tokenized: 'securities and tokenized securities',
  all_assets: 'all assets (what-if)',
} as const;

const filingWords = {
  single: 'single',
  mfj: 'married filing jointly',
  mfs: 'married filing separately',
  hoh: 'head of household',
  qss: 'qualifying surviving spouse',
} as const;
