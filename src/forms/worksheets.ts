import type { Cents } from '../base/decimal.ts';
import { addCents } from './amounts.ts';
import type { FilingStatus, ReportBooks } from './report.ts';

/** The worksheets in the Instructions for Schedule D, their lines by number. */

export interface CarryoverWorksheet {
  /** Line 21: the loss that this year's return deducts, as a positive amount. */
  readonly deductible: Cents;
  /** Lines 1 to 13 as the worksheet numbers them. */
  readonly lines: Readonly<Record<1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13, Cents>>;
  /** What the next year begins with, as positive amounts. */
  readonly short: Cents;
  readonly long: Cents;
}

/** At most 3,000 of net loss is deducted, 1,500 by a married person filing separately (IRC 1211(b)). */
export function lossLimit(filingStatus: FilingStatus): Cents {
  return (filingStatus === 'mfs' ? 150_000n : 300_000n) as Cents;
}

export function deductibleLoss(line16: Cents, filingStatus: FilingStatus): Cents {
  return line16 >= 0n ? zero : least(negative(line16), lossLimit(filingStatus));
}

/**
 * Capital Loss Carryover Worksheet. Short-term losses absorb the deduction first. Where taxable income is not known it
 * is taken to be enough, so that the whole deduction is used up.
 */
export function carryoverWorksheet(facts: {
  readonly line7: Cents;
  readonly line15: Cents;
  readonly taxableIncome: Cents | null;
  readonly filingStatus: FilingStatus;
}): CarryoverWorksheet {
  const { line7, line15 } = facts;
  const deductible = deductibleLoss((line7 + line15) as Cents, facts.filingStatus);
  const l1 = facts.taxableIncome ?? zero;
  const l3 = facts.taxableIncome === null ? deductible : atLeastZero((l1 + deductible) as Cents);
  const l4 = least(deductible, l3);
  const l5 = atLeastZero(negative(line7));
  const l6 = l5 === 0n ? zero : atLeastZero(line15);
  const l7 = l5 === 0n ? zero : ((l4 + l6) as Cents);
  const l8 = atLeastZero((l5 - l7) as Cents);
  const l9 = atLeastZero(negative(line15));
  const l10 = l9 === 0n ? zero : atLeastZero(line7);
  const l11 = l9 === 0n ? zero : atLeastZero((l4 - l5) as Cents);
  const l12 = (l10 + l11) as Cents;
  const l13 = atLeastZero((l9 - l12) as Cents);
  const lines = {
    1: l1,
    2: deductible,
    3: l3,
    4: l4,
    5: l5,
    6: l6,
    7: l7,
    8: l8,
    9: l9,
    10: l10,
    11: l11,
    12: l12,
    13: l13,
  };
  return { deductible, lines, short: l8, long: l13 };
}

export interface RateGainWorksheet {
  /** Line 1: gains and losses of Part II rows with code C. */
  readonly collectibles: Cents;
  /** Line 5: the long-term carryover, as a negative amount. */
  readonly carryover: Cents;
  /** Line 6: line 7 of Schedule D where it is a loss. */
  readonly shortLoss: Cents;
  /** Line 7, which goes to Schedule D line 18: not below zero. */
  readonly rateGain: Cents;
}

/** 28% Rate Gain Worksheet, as far as these books feed it: no section 1202 exclusions and no Forms 4684, 6252 or 2439. */
export function rateGainWorksheet(books: ReportBooks, line7: Cents): RateGainWorksheet {
  const rows = books.lines.filter((line) => line.disposal.term === 'long' && line.code.includes('C'));
  const collectibles = addCents(rows.map((line) => line.gain));
  const carryover = negative(books.carryoverIn.long);
  const shortLoss = line7 < 0n ? line7 : zero;
  return { collectibles, carryover, shortLoss, rateGain: atLeastZero(addCents([collectibles, carryover, shortLoss])) };
}

const zero = 0n as Cents;

function atLeastZero(amount: Cents): Cents {
  return amount < 0n ? zero : amount;
}

function least(a: Cents, b: Cents): Cents {
  return a < b ? a : b;
}

function negative(amount: Cents): Cents {
  return -amount as Cents;
}
