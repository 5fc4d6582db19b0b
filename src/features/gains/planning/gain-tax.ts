import { type Cents, divideRounded, formatCents, roundToCents, zeroCents } from '../../../base/decimal.ts';
import { deductionLimit } from '../../../engine/rules/year/year.ts';
import type { FilingStatus } from '../../../forms/report.ts';
import type { YearBooks } from '../../ledger/books/view.ts';
import { type Elections, getFilingStatus } from '../../ledger/transactions/elections.ts';

/**
 * The maximum taxable income for the 0% and 15% rates on net capital gain. Above these amounts, the rate is 20% (IRC
 * 1(h), (j)(5)).
 */
interface GainBrackets {
  readonly zeroMax: Cents;
  readonly fifteenMax: Cents;
}

interface GainRatesRow {
  readonly source: string;
  /** Amounts in whole dollars. A surviving spouse uses the amounts for a joint return. */
  readonly single: readonly [zeroMax: number, fifteenMax: number];
  readonly mfj: readonly [zeroMax: number, fifteenMax: number];
  readonly mfs: readonly [zeroMax: number, fifteenMax: number];
  readonly hoh: readonly [zeroMax: number, fifteenMax: number];
}

/**
 * The amounts for each year and their source, section 3.03 or 4.03 ("Maximum Capital Gains Rate"). Add one row each
 * year.
 */
const rates: Readonly<Record<number, GainRatesRow>> = {
  2018: {
    source: 'Rev. Proc. 2018-18; IRC 1(j)(5)(B)',
    ...{ single: [38_600, 425_800], mfj: [77_200, 479_000], mfs: [38_600, 239_500], hoh: [51_700, 452_400] },
  },
  2019: {
    source: 'Rev. Proc. 2018-57',
    ...{ single: [39_375, 434_550], mfj: [78_750, 488_850], mfs: [39_375, 244_425], hoh: [52_750, 461_700] },
  },
  2020: {
    source: 'Rev. Proc. 2019-44',
    ...{ single: [40_000, 441_450], mfj: [80_000, 496_600], mfs: [40_000, 248_300], hoh: [53_600, 469_050] },
  },
  2021: {
    source: 'Rev. Proc. 2020-45',
    ...{ single: [40_400, 445_850], mfj: [80_800, 501_600], mfs: [40_400, 250_800], hoh: [54_100, 473_750] },
  },
  2022: {
    source: 'Rev. Proc. 2021-45',
    ...{ single: [41_675, 459_750], mfj: [83_350, 517_200], mfs: [41_675, 258_600], hoh: [55_800, 488_500] },
  },
  2023: {
    source: 'Rev. Proc. 2022-38',
    ...{ single: [44_625, 492_300], mfj: [89_250, 553_850], mfs: [44_625, 276_900], hoh: [59_750, 523_050] },
  },
  2024: {
    source: 'Rev. Proc. 2023-34',
    ...{ single: [47_025, 518_900], mfj: [94_050, 583_750], mfs: [47_025, 291_850], hoh: [63_000, 551_350] },
  },
  2025: {
    source: 'Rev. Proc. 2024-40',
    ...{ single: [48_350, 533_400], mfj: [96_700, 600_050], mfs: [48_350, 300_000], hoh: [64_750, 566_700] },
  },
  2026: {
    source: 'Rev. Proc. 2025-32',
    ...{ single: [49_450, 545_500], mfj: [98_900, 613_700], mfs: [49_450, 306_850], hoh: [66_200, 579_600] },
  },
};

/** Thresholds set by statute, which are not indexed for inflation (IRC 1411(b)). */
const investmentThresholds: Readonly<Record<FilingStatus, number>> = {
  single: 200_000,
  hoh: 200_000,
  mfj: 250_000,
  qss: 250_000,
  mfs: 125_000,
};

/** The first and last year in the table. */
export const firstRatesYear = Math.min(...Object.keys(rates).map(Number));
export const lastRatesYear = Math.max(...Object.keys(rates).map(Number));

/**
 * Returns the brackets for a year. A year after the last one in the table uses the latest amounts, and `ratesYear` is
 * their year. Amounts rise with inflation (IRC 1(j)(5)(C)), so the tax may be overstated but not understated. Returns
 * undefined for years before the table.
 */
export function findGainBrackets(
  year: number,
  status: FilingStatus,
): (GainBrackets & { readonly ratesYear: number; readonly source: string }) | undefined {
  const ratesYear = Math.min(year, lastRatesYear);
  const row = rates[ratesYear];
  if (row === undefined) return undefined;
  const [zeroMax, fifteenMax] = row[status === 'qss' ? 'mfj' : status];
  return { zeroMax: toCents(zeroMax), fifteenMax: toCents(fifteenMax), ratesYear, source: row.source };
}

/**
 * Returns the income threshold above which the 3.8% tax applies to net investment income, or to the excess over the
 * threshold if that is less.
 */
export function getInvestmentThreshold(status: FilingStatus): Cents {
  return toCents(investmentThresholds[status]);
}

function toCents(dollars: number): Cents {
  return (BigInt(dollars) * 100n) as Cents;
}

/** The gains of a year, netted as on Schedule D. */
interface NettedGains {
  /** Net capital gain, which is taxed at the lower rates (IRC 1222(11)). */
  readonly preferred: bigint;
  /** Net short-term gain, which is taxed like other income. */
  readonly ordinary: bigint;
  /** The part of a net loss that is deducted from other income. */
  readonly deducted: bigint;
  /** Line 16. */
  readonly net: bigint;
}

/** The tax on net capital gain, by rate, and the net investment income tax. */
interface GainTax {
  readonly atZero: Cents;
  readonly atFifteen: Cents;
  readonly atTwenty: Cents;
  readonly tax: Cents;
  readonly investmentTax: Cents;
}

/** Taxes that the calculation does not include. */
export const excludedTaxes = [
  'ordinary_rates',
  'rates_28_and_25',
  'state',
  'amt',
  'phase_outs',
  'other_investment_income',
] as const;

/**
 * Calculates the federal tax on the gains of a year, without and with the planned sales. The setting `taxableIncome` is
 * the amount on the return, which includes the stored gains, so they are subtracted to get other income. Returns null
 * if no income is set or the year precedes the table of rates. A year without published rates uses the latest rates,
 * and `note` mentions this.
 */
export function computeTaxChange(year: number, elections: Elections, before: YearBooks, after: YearBooks) {
  const basis = readTaxBasis(year, elections, before);
  if (basis === null) return null;
  const { brackets, filingStatus, other, threshold } = basis;
  const [old, planned] = [netGains(before), netGains(after)];
  const [was, is] = [old, planned].map((gains) => computeGainTax(gains, other, brackets, threshold)) as [
    GainTax,
    GainTax,
  ];
  const ordinaryChange = planned.ordinary - planned.deducted - (old.ordinary - old.deducted);
  return {
    year,
    filingStatus,
    otherIncome: formatCents(other as Cents),
    ratesYear: brackets.ratesYear,
    source: brackets.source,
    note: noteOfRates(year, brackets.ratesYear),
    before: taxView(was),
    after: taxView(is),
    change: formatCents((is.tax + is.investmentTax - was.tax - was.investmentTax) as Cents),
    ordinaryIncomeChange: formatCents(ordinaryChange as Cents),
    leftOut: [...excludedTaxes],
  };
}

/**
 * Estimates the federal tax on the stored gains of a year. Returns what is missing instead of assuming it: the filing
 * status, the taxable income, or the rates of a year before the table.
 */
export function estimateGainTax(year: number, elections: Elections, isStatusStated: boolean, books: YearBooks) {
  const basis = readTaxBasis(year, elections, books);
  const needs = [
    ...(isStatusStated ? [] : (['filing_status'] as const)),
    ...(elections.taxableIncome.has(year) ? [] : (['taxable_income'] as const)),
    ...(year < firstRatesYear ? (['rates'] as const) : []),
  ];
  if (basis === null || needs.length > 0) return { needs, estimate: null };
  const { brackets, filingStatus, other, threshold } = basis;
  const gains = netGains(books);
  const figures = computeGainTax(gains, other, brackets, threshold);
  const estimate = {
    filingStatus,
    ratesYear: brackets.ratesYear,
    source: brackets.source,
    note: noteOfRates(year, brackets.ratesYear),
    ...taxView(figures),
    total: formatCents((figures.tax + figures.investmentTax) as Cents),
    ordinaryIncome: formatCents((gains.ordinary - gains.deducted) as Cents),
    leftOut: [...excludedTaxes],
  };
  return { needs, estimate };
}

/** Returns what the tax depends on besides the gains. Null if the income is not set or the year precedes the table. */
function readTaxBasis(year: number, elections: Elections, books: YearBooks) {
  const filingStatus = getFilingStatus(elections, year);
  const brackets = findGainBrackets(year, filingStatus);
  const stated = elections.taxableIncome.get(year);
  if (brackets === undefined || stated === undefined) return null;
  const { preferred, ordinary, deducted } = netGains(books);
  const other = roundToCents(stated) - preferred - ordinary + deducted;
  return { filingStatus, brackets, other, threshold: getInvestmentThreshold(filingStatus) };
}

function noteOfRates(year: number, ratesYear: number): string | null {
  if (year === ratesYear) return null;
  return `Lotbook does not have the tax brackets of ${year} yet. The tax is calculated with those of ${ratesYear}.`;
}

export function computeGainTax(
  gains: Omit<NettedGains, 'net'>,
  other: bigint,
  brackets: GainBrackets,
  threshold: bigint,
): GainTax {
  const below = most(0n, other + gains.ordinary - gains.deducted);
  // Negative other income absorbs some of the gain.
  const taxed = most(0n, gains.preferred + least(0n, other + gains.ordinary - gains.deducted));
  const atZero = least(taxed, most(0n, brackets.zeroMax - below));
  const atFifteen = least(taxed - atZero, most(0n, brackets.fifteenMax - below - atZero));
  const atTwenty = taxed - atZero - atFifteen;
  const income = below + taxed;
  const investment = least(most(0n, gains.preferred + gains.ordinary - gains.deducted), most(0n, income - threshold));
  return {
    atZero: atZero as Cents,
    atFifteen: atFifteen as Cents,
    atTwenty: atTwenty as Cents,
    tax: divideRounded(atFifteen * 15n + atTwenty * 20n, 100n) as Cents,
    investmentTax: divideRounded(investment * 38n, 1000n) as Cents,
  };
}

/** Nets the gains as on Schedule D, lines 7, 15, 16 and 21. */
function netGains({ summary, carryover }: YearBooks): NettedGains {
  const distributions = summary.income
    .filter(({ type }) => type === 'capital_gain_distribution')
    .reduce((sum, { amount }) => sum + roundToCents(amount), zeroCents as bigint);
  const short = summary.shortTerm.gain + summary.contracts1256.short - carryover.in.short;
  const long = summary.longTerm.gain + summary.contracts1256.long + distributions - carryover.in.long;
  const net = short + long;
  if (net <= 0n) return { preferred: 0n, ordinary: 0n, deducted: carryover.deductible, net };
  const preferred = most(0n, least(long, net));
  return { preferred, ordinary: net - preferred, deducted: 0n, net };
}

/** Returns the books of a year with these gains or losses added. */
export function withGains(
  { summary, carryover }: YearBooks,
  short: Cents,
  long: Cents,
  elections: Elections,
): YearBooks {
  const addGain = <Of extends { readonly gain: Cents }>(totals: Of, gain: Cents): Of => {
    return { ...totals, gain: (totals.gain + gain) as Cents };
  };
  const after = {
    ...summary,
    shortTerm: addGain(summary.shortTerm, short),
    longTerm: addGain(summary.longTerm, long),
    total: addGain(summary.total, (short + long) as Cents),
  };
  const limit = deductionLimit(getFilingStatus(elections, summary.year));
  const { preferred, ordinary, net } = netGains({ summary: after, carryover });
  const deductible = preferred + ordinary > 0n ? zeroCents : (least(most(0n, -net), limit) as Cents);
  return { summary: after, carryover: { ...carryover, deductible } };
}

function taxView({ atZero, atFifteen, atTwenty, tax, investmentTax }: GainTax) {
  return {
    atZero: formatCents(atZero),
    atFifteen: formatCents(atFifteen),
    atTwenty: formatCents(atTwenty),
    tax: formatCents(tax),
    investmentTax: formatCents(investmentTax),
  };
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
