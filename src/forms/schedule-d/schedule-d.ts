import { type Cents, roundToCents } from '../../base/decimal.ts';
import type { Box, Line } from '../../engine/model.ts';
import { isDueInclusion } from '../../engine/rules/opportunity-funds/include.ts';
import { addCents, roundToDollars } from '../figures.ts';
import { formPartOf } from '../pages.ts';
import type { ReportBooks } from '../report.ts';
import { sortedLines } from '../rows.ts';
import {
  type CarryoverWorksheet,
  carryoverWorksheet,
  type RateGainWorksheet,
  rateGainWorksheet,
} from './worksheets.ts';

export type ScheduleDRowId = '1a' | '1b' | '2' | '3' | '8a' | '8b' | '9' | '10';

/** A line with columns (d), (e), (g) and (h). */
interface ScheduleDRow {
  readonly id: ScheduleDRowId;
  readonly boxes: readonly Box[];
  readonly proceeds: Cents;
  readonly basis: Cents;
  readonly adjustment: Cents;
  readonly gain: Cents;
  readonly count: number;
}

/** A line with only column (h). Lines 6 and 14 are negative amounts. */
export type ScheduleDLineId = '4' | '6' | '7' | '11' | '13' | '14' | '15' | '16' | '18' | '21';

export interface ScheduleD {
  readonly rows: readonly ScheduleDRow[];
  readonly lines: Readonly<Record<ScheduleDLineId, Cents>>;
  readonly carryover: CarryoverWorksheet;
  readonly rateGain: RateGainWorksheet;
  /**
   * Whether an interest in an opportunity fund was disposed of. Null if none of the year's lines involves such a fund.
   */
  readonly fundsDisposed: boolean | null;
}

/**
 * Returns Schedule D with the amounts from these books. Sums are in cents. In whole dollars, only printed amounts are
 * rounded, each total from its cents (Instructions for Schedule D, "Rounding Off to Whole Dollars").
 */
export function scheduleD(books: ReportBooks): ScheduleD {
  const { direct, listed } = sortedLines(books);
  const rows = [...buildRows(direct, directRows), ...buildRows(listed, boxRows)];
  const sum = (part: 1 | 2): Cents =>
    addCents(rows.filter((row) => formPartOf(row.boxes[0] ?? 'A') === part).map((row) => row.gain));
  const { contracts1256, income } = books.summary;
  const distributions = income.filter(({ type }) => type === 'capital_gain_distribution');
  const line13 = addCents(distributions.map(({ amount }) => roundToCents(amount)));
  const [line6, line14] = [-books.carryoverIn.short as Cents, -books.carryoverIn.long as Cents];
  const line7 = addCents([sum(1), contracts1256.short, line6]);
  const line15 = addCents([sum(2), contracts1256.long, line13, line14]);
  const line16 = addCents([line7, line15]);
  const taxableIncome = books.taxableIncome === null ? null : roundToCents(books.taxableIncome);
  const carryover = carryoverWorksheet({ line7, line15, taxableIncome, filingStatus: books.filingStatus });
  const rateGain = rateGainWorksheet(books, line7);
  const lines = {
    '4': contracts1256.short,
    '6': line6,
    '7': line7,
    '11': contracts1256.long,
    '13': line13,
    '14': line14,
    '15': line15,
    '16': line16,
    // Lines 17 to 20 apply only if both line 15 and line 16 are gains.
    '18': line15 > 0n && line16 > 0n ? rateGain.rateGain : (0n as Cents),
    '21': carryover.deductible,
  };
  const schedule = { rows, lines, carryover, rateGain, fundsDisposed: disposesOfFunds(books.lines) };
  return books.wholeDollars ? inWholeDollars(schedule) : schedule;
}

/**
 * Returns the answer to the question at the top of the form. The inclusion of a gain at the end of 2026 is not a
 * disposition.
 */
function disposesOfFunds(lines: readonly Line[]): boolean | null {
  const ofFunds = lines.filter(({ code }) => /[YZ]/.test(code));
  if (ofFunds.length === 0) return null;
  return ofFunds.some(({ code, disposal }) => code.includes('Y') && !isDueInclusion(disposal.id));
}

type RowBoxes = readonly (readonly [ScheduleDRowId, readonly Box[]])[];

const directRows: RowBoxes = [
  ['1a', ['A', 'G']],
  ['8a', ['D', 'J']],
];

const boxRows: RowBoxes = [
  ['1b', ['A', 'G']],
  ['2', ['B', 'H']],
  ['3', ['C', 'I']],
  ['8b', ['D', 'J']],
  ['9', ['E', 'K']],
  ['10', ['F', 'L']],
];

function buildRows(lines: readonly Line[], rows: RowBoxes): ScheduleDRow[] {
  const byBox = Map.groupBy(lines, (line) => line.disposal.box);
  return rows.map(([id, boxes]) => {
    let [count, proceeds, basis, adjustment] = [0, 0n, 0n, 0n];
    for (const box of boxes) {
      for (const line of byBox.get(box) ?? []) {
        count += 1;
        proceeds += line.disposal.proceeds;
        basis += line.disposal.basis;
        adjustment += line.adjustment;
      }
    }
    const sums = { proceeds, basis, adjustment, gain: proceeds - basis + adjustment };
    return { id, boxes, ...(sums as Record<keyof typeof sums, Cents>), count };
  });
}

function inWholeDollars({ rows, lines, carryover, rateGain, fundsDisposed }: ScheduleD): ScheduleD {
  return {
    rows: rows.map((row) => ({
      ...row,
      ...roundAmounts({ proceeds: row.proceeds, basis: row.basis, adjustment: row.adjustment, gain: row.gain }),
    })),
    lines: roundAmounts(lines),
    carryover: {
      deductible: roundToDollars(carryover.deductible),
      lines: roundAmounts(carryover.lines),
      short: roundToDollars(carryover.short),
      long: roundToDollars(carryover.long),
    },
    rateGain: roundAmounts(rateGain),
    fundsDisposed,
  };
}

function roundAmounts<T extends Record<keyof T, Cents>>(amounts: T): { [Name in keyof T]: Cents } {
  const entries = Object.entries(amounts) as [keyof T, Cents][];
  return Object.fromEntries(entries.map(([name, amount]) => [name, roundToDollars(amount)])) as {
    [Name in keyof T]: Cents;
  };
}
