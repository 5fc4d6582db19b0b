import type { Cents } from '../../base/decimal.ts';
import { type CapitalLossCarryover, type CarryoverQuestion, carryover } from '../../engine/rules/year/year.ts';
import { addCents } from '../figures.ts';
import type { ReportBooks } from '../report.ts';

/** The worksheets in the Instructions for Schedule D, line by line. */

export interface CarryoverWorksheet extends CapitalLossCarryover {
  readonly lines: Readonly<Record<CarryoverLine, Cents>>;
}

export type CarryoverLine = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13;

/**
 * Computes the Capital Loss Carryover Worksheet: the engine's result (lines 2, 8 and 13), and the steps that lead to
 * it.
 */
export function carryoverWorksheet(question: CarryoverQuestion): CarryoverWorksheet {
  const { line7, line15, taxableIncome } = question;
  const result = carryover(question);
  const { deductible, short, long } = result;
  // If taxable income is unknown, it is assumed to be high enough for the entire deduction.
  const l3 = taxableIncome === null ? deductible : atLeastZero(addCents([taxableIncome, deductible]));
  const l4 = least(deductible, l3);
  const [l5, l9] = [atLeastZero(negative(line7)), atLeastZero(negative(line15))];
  const l6 = l5 === 0n ? zero : atLeastZero(line15);
  const l7 = l5 === 0n ? zero : addCents([l4, l6]);
  const l10 = l9 === 0n ? zero : atLeastZero(line7);
  const l11 = l9 === 0n ? zero : atLeastZero(addCents([l4, negative(l5)]));
  const lines = {
    1: taxableIncome ?? zero,
    2: deductible,
    3: l3,
    4: l4,
    5: l5,
    6: l6,
    7: l7,
    8: short,
    9: l9,
    10: l10,
    11: l11,
    12: addCents([l10, l11]),
    13: long,
  };
  return { ...result, lines };
}

export interface RateGainWorksheet {
  /** Line 1: gains and losses in Part II rows with code C. */
  readonly collectibles: Cents;
  /** Line 5: the long-term carryover, as a negative amount. */
  readonly carryover: Cents;
  /** Line 6: line 7 of Schedule D if it is a loss. */
  readonly shortLoss: Cents;
  /** Line 7, which is entered on Schedule D line 18. Never below zero. */
  readonly rateGain: Cents;
}

/**
 * Computes the 28% Rate Gain Worksheet as far as these books contain its data. They contain neither section 1202
 * exclusions nor Forms 2439, 4684 or 6252.
 */
export function rateGainWorksheet(books: ReportBooks, line7: Cents): RateGainWorksheet {
  const rows = books.lines.filter((line) => line.disposal.term === 'long' && line.code.includes('C'));
  const collectibles = addCents(rows.map((line) => line.gain));
  const carried = negative(books.carryoverIn.long);
  const shortLoss = line7 < 0n ? line7 : zero;
  return {
    collectibles,
    carryover: carried,
    shortLoss,
    rateGain: atLeastZero(addCents([collectibles, carried, shortLoss])),
  };
}

const zero = 0n as Cents;

function least(a: Cents, b: Cents): Cents {
  return a < b ? a : b;
}

function atLeastZero(amount: Cents): Cents {
  return amount < 0n ? zero : amount;
}

function negative(amount: Cents): Cents {
  return -amount as Cents;
}
