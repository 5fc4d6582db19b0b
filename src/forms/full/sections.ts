import { formatDayUs, longTermOn } from '../../base/day.ts';
import { formatQuantity, roundToCents } from '../../base/decimal.ts';
import { issueKindTable, type Lot } from '../../engine/model.ts';
import { rowOf } from '../../engine/transaction-types.ts';
import { isDraft } from '../draft.ts';
import { addCents, printAmount, printCents } from '../figures.ts';
import { amountColumns, formColumns } from '../form-8949/statements.ts';
import { boxOrder, type FormRow, formatFormCells } from '../lines.ts';
import { unknownDate } from '../missing-basis.ts';
import { sumFormRows } from '../pages.ts';
import { palette, type Sheet } from '../pdf/sheet.ts';
import { drawTable, type TableRow } from '../pdf/table.ts';
import type { ReportBooks } from '../report.ts';
import type { ScheduleD, ScheduleDLineId } from '../schedule-d/schedule-d.ts';

/** The report's tables, with one function per chapter. Amounts are in cents unless the forms use whole dollars. */

export function drawScheduleSummary(sheet: Sheet, books: ReportBooks, schedule: ScheduleD): void {
  sheet.open('Schedule D');
  const print = (amount: Parameters<typeof printAmount>[0]): string => printAmount(amount, books.wholeDollars);
  const rows = schedule.rows.filter((row) => row.count > 0);
  drawTable(
    sheet,
    `Line 1 | Boxes 1.4 | Rows 1 right | ${amountColumns}`,
    rows.map((row) => ({
      cells: [
        row.id,
        row.boxes.join(', '),
        String(row.count),
        print(row.proceeds),
        print(row.basis),
        print(row.adjustment),
        print(row.gain),
      ],
    })),
  );
  const words: readonly (readonly [ScheduleDLineId, string])[] = [
    ['4', 'Short-term from Form 6781: 40% of section 1256 contracts'],
    ['6', 'Short-term capital loss carryover'],
    ['7', 'Net short-term capital gain or (loss)'],
    ['11', 'Long-term from Form 6781: 60% of section 1256 contracts'],
    ['13', 'Capital gain distributions'],
    ['14', 'Long-term capital loss carryover'],
    ['15', 'Net long-term capital gain or (loss)'],
    ['16', 'Lines 7 and 15 combined'],
    ['21', 'Loss deductible this year'],
  ];
  drawTable(
    sheet,
    'Line 1 | 8 | (h) 3 right',
    words.map(([id, text]) => ({ cells: [id, text, print(schedule.lines[id])], total: id === '16' })),
  );
  const { short, long } = schedule.carryover;
  sheet.paragraph(`Carried to ${books.year + 1}: ${print(short)} short-term and ${print(long)} long-term.`);
}

export function drawLines(sheet: Sheet, books: ReportBooks, rows: readonly FormRow[]): void {
  sheet.open('Lines of Form 8949');
  if (rows.length === 0) {
    sheet.paragraph('Nothing was sold or exchanged this year.', 'italic', palette.muted);
    return;
  }
  const print = (amount: Parameters<typeof printAmount>[0]): string => printAmount(amount, books.wholeDollars);
  let number = 0;
  for (const box of boxOrder) {
    const ofBox = rows.filter((row) => row.box === box);
    if (ofBox.length === 0) continue;
    sheet.heading(`Box ${box}`, true);
    sheet.paragraph(ofBox[0]?.lines[0].disposal.boxReason ?? '', 'italic', palette.muted);
    const totals = sumFormRows(ofBox);
    const sum = [
      '',
      `${ofBox.length} rows`,
      '',
      '',
      print(totals.proceeds),
      print(totals.basis),
      '',
      print(totals.adjustment),
      print(totals.gain),
    ];
    drawTable(sheet, lineColumns, createLineRows(ofBox, number, sum, books));
    number += ofBox.length;
  }
}

/** Creates each cell when it is drawn, because there may be a hundred thousand rows. */
function* createLineRows(
  rows: readonly FormRow[],
  before: number,
  sum: readonly string[],
  books: ReportBooks,
): Generator<TableRow> {
  for (const [index, row] of rows.entries()) {
    yield { cells: [String(before + index + 1), ...formatFormCells(row, books.wholeDollars, isDraft(books))] };
  }
  yield { cells: sum, total: true };
}

const lineColumns = `# 1 right | ${formColumns}`;

export function drawIncome(sheet: Sheet, { summary }: ReportBooks): void {
  sheet.open('Income by type', 'flowing');
  if (summary.income.length === 0) {
    sheet.paragraph('No income is recorded for this year.', 'italic', palette.muted);
    return;
  }
  const rows = summary.income.map(({ type, amount, count }) => ({
    cells: [rowOf(type).income?.title ?? type.replaceAll('_', ' '), String(count), printCents(roundToCents(amount))],
  }));
  drawTable(sheet, 'Type 5 | Rows 1.5 right | Amount 3 right', rows);
  sheet.paragraph(
    'Income is taxed separately from capital gains. Capital gain distributions are on line 13 of Schedule D.',
  );
}

export function drawOpenLots(sheet: Sheet, { openLots, year }: ReportBooks): void {
  sheet.open('Open lots at year end', 'flowing');
  if (openLots.length === 0) {
    sheet.paragraph(`Nothing was held on 31 December ${year}.`, 'italic', palette.muted);
    return;
  }
  const rows = openLots.map(
    (lot): TableRow => ({
      cells: [lot.asset, lot.account, formatQuantity(lot.quantity), ...formatLotDates(lot), printCents(lot.basis)],
    }),
  );
  const total = printCents(addCents(openLots.map((lot) => lot.basis)));
  drawTable(
    sheet,
    `Asset 3 | Account 2.6 | Quantity 3 right | Acquired 2 center | Held since 2 center
    | Long-term on 2 center | Unrealized basis 2.6 right`,
    [...rows, { cells: [`${openLots.length} lots`, '', '', '', '', '', total], total: true }],
  );
}

/** Formats when a lot was acquired, when its holding period starts, and when it becomes long-term. */
function formatLotDates({ acquired, heldSince, inherited, purchaseUnknown }: Lot): string[] {
  if (purchaseUnknown) return [unknownDate, unknownDate, 'unknown'];
  if (inherited) return ['INHERITED', 'INHERITED', 'now'];
  return [formatDayUs(acquired), formatDayUs(heldSince), formatDayUs(longTermOn(heldSince))];
}

export function drawContracts(sheet: Sheet, { contracts, summary }: ReportBooks): void {
  if (contracts.length === 0) return;
  sheet.open('Section 1256 contracts', 'flowing');
  sheet.paragraph(
    'Marked to market and reported on Form 6781, never on Form 8949: 60% long-term, 40% short-term (IRC 1256(a)).',
  );
  const rows = contracts.map(
    (contract): TableRow => ({
      cells: [formatDayUs(contract.on), contract.asset, contract.account, printCents(contract.gain)],
    }),
  );
  const { gain, short, long } = summary.contracts1256;
  drawTable(sheet, 'Date 2 | Contract 4 | Account 3 | Gain or (loss) 3 right', [
    ...rows,
    { cells: ['', 'Net, Form 6781', '', printCents(gain)], total: true },
  ]);
  sheet.paragraph(`Short-term to Schedule D line 4: ${printCents(short)}. Long-term to line 11: ${printCents(long)}.`);
}

export const noIssues = 'No open issues affect this year.';

export function drawIssues(sheet: Sheet, { issues }: ReportBooks): void {
  sheet.open('Issues', 'flowing');
  if (issues.length === 0) {
    sheet.paragraph(noIssues);
    return;
  }
  sheet.paragraph(
    'The forms are marked DRAFT until these issues are resolved. The numbers may be off by the amounts shown.',
  );
  for (const issue of issues) {
    sheet.heading(`${capitalize(issueKindTable[issue.issue].words)}${issue.asset === '' ? '' : `: ${issue.asset}`}`);
    const where = issue.account === '' ? '' : `, ${issue.account}`;
    const stake = issue.dollars === null ? 'not known' : printCents(issue.dollars);
    sheet.paragraph(`${formatDayUs(issue.on)}${where}. At stake: ${stake}.`, 'bold');
    sheet.paragraph(issue.detail);
  }
}

function capitalize(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
