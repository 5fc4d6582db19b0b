import type { Day } from '../base/day.ts';
import type { Money } from '../base/decimal.ts';
import { magnitude } from './cells/amounts.ts';
import { normalizeHeader } from './cells/cells.ts';
import { numberIn, readMoneyRounded } from './cells/fields.ts';
import { readDay } from './cells/times.ts';
import type { RowIssue } from './format.ts';

/** What a rejected row says of itself, as far as it can be read: its day and its money. */
export interface RejectedStake {
  readonly on: Day | null;
  /** Without a sign. Null where no column of money has a number. */
  readonly amount: Money | null;
}

/** By the header where the row has one cell for each column, else by the shape of the cells. */
export function stakeOf(header: readonly string[], { cells }: Pick<RowIssue, 'cells'>): RejectedStake {
  return { on: dayIn(cells), amount: amountIn(header.map(normalizeHeader), cells) };
}

/** The first date. Its year is the same in whatever order day and month stand. */
function dayIn(cells: readonly string[]): Day | null {
  for (const cell of cells.slice(0, cellsMax)) {
    const text = cell.trim().slice(0, textMax);
    if (!/\d{4}|\d[/.-]\d{2}$/.test(text)) continue;
    const day = readDay(text) ?? readDay(text, 'day first');
    if (day !== undefined) return day;
  }
  return null;
}

/** Columns of money by their names, the likeliest first. */
const moneyNames: readonly RegExp[] = [
  /^(?:net )?(?:amount|total)\b|^total (?:amount|value)|\bamount (?:\(?\$\)?|usd)/,
  /\b(?:amount|total|proceeds|subtotal|net|betrag|importe|montant)\b/,
  /\b(?:value|cash|cost|basis|worth)\b/,
];
/** Columns whose number is no money that moved. */
const otherNames = /\b(?:price|balance|rate|fee|fees|commission|tax|quantity|units|shares|crypto|asset)\b/;

function amountIn(names: readonly string[], cells: readonly string[]): Money | null {
  if (names.length < cells.length - 1) return null;
  for (const shape of moneyNames) {
    for (const [place, name] of names.entries()) {
      if (!shape.test(name) || otherNames.test(name)) continue;
      const text = (cells[place] ?? '').trim().slice(0, textMax);
      const amount = readMoneyRounded(numberIn(text, 'either') ?? '');
      if (amount !== undefined && amount !== 0n) return magnitude(amount);
    }
  }
  return null;
}

const cellsMax = 100;
const textMax = 60;
