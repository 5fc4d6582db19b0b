import { type Cents, divideRounded, formatCents, roundToCents, zeroCents } from '../../../base/decimal.ts';
import { deductionLimit } from '../../../engine/rules/year/year.ts';
import type { YearBooks } from '../../ledger/books/view.ts';
import { type Elections, getFilingStatus } from '../../ledger/transactions/elections.ts';
import { findGainBrackets, firstRatesYear, type GainBrackets, getInvestmentThreshold } from './tax-rates.ts';

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
export interface GainTax {
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
