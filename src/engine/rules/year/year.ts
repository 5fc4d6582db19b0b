import type { Cents } from '../../../base/decimal.ts';
import type { Contract1256, Disposal, Income, Issue, Line, TaxYearSummary, WashSale } from '../../model.ts';
import { lettersOf } from '../lines/columns.ts';
import { isDeniable, YearTotals } from './year-totals.ts';

export interface YearFacts {
  readonly disposals: readonly Disposal[];
  readonly washes: readonly WashSale[];
  readonly incomes: readonly Income[];
  readonly contracts: readonly Contract1256[];
  readonly issues: readonly Issue[];
}

/**
 * Returns one line per disposal, with code W if a wash sale disallows part of its loss (i8949, column (f)). Lines are
 * sorted by sale date, asset, account, acquisition date and ID, so their order does not depend on the order of import.
 */
export function buildLines(disposals: readonly Disposal[], washes: readonly WashSale[]): Line[] {
  const denied = sumDeniedLosses(washes);
  return [...disposals].sort(compareDisposals).map((disposal) => {
    const wash = denied.get(disposal.id) ?? 0n;
    const adjustment = wash === 0n ? disposal.adjustment : disposal.adjustment + wash;
    return {
      disposal,
      code: lettersOf(wash === 0n ? disposal.code : `${disposal.code}W`),
      adjustment: adjustment as Cents,
      gain: (disposal.proceeds - disposal.basis + adjustment) as Cents,
    };
  });
}

function sumDeniedLosses(washes: readonly WashSale[]): Map<string, bigint> {
  const denied = new Map<string, bigint>();
  let [disposalId, sum] = ['', 0n];
  // Wash sales of the same disposal are usually consecutive, so the map is updated once for each run of them.
  for (const wash of washes) {
    if (wash.disposalId === disposalId) {
      sum += wash.disallowed;
      continue;
    }
    if (disposalId !== '') denied.set(disposalId, (denied.get(disposalId) ?? 0n) + sum);
    [disposalId, sum] = [wash.disposalId, wash.disallowed];
  }
  if (disposalId !== '') denied.set(disposalId, (denied.get(disposalId) ?? 0n) + sum);
  return denied;
}

/**
 * Calculates the totals of one year in a single pass over its disposals. The order of the disposals does not matter.
 */
export function summarize(year: number, facts: YearFacts): TaxYearSummary {
  const totals = new YearTotals(year);
  const denied = sumDeniedLosses(facts.washes);
  for (const disposal of facts.disposals) {
    const mayBeDenied = denied.size > 0 && isDeniable(disposal);
    totals.addDisposal(disposal, mayBeDenied ? (denied.get(disposal.id) ?? 0n) : 0n);
  }
  for (const wash of facts.washes) totals.addWash(wash);
  for (const income of facts.incomes) totals.addIncome(income);
  for (const contract of facts.contracts) totals.addContract(contract);
  totals.addIssues(facts.issues.length);
  return totals.summary();
}

export interface CarryoverQuestion {
  /** The net short-term gain or loss (Schedule D line 7). Line 15 is the net long-term gain or loss. */
  readonly line7: Cents;
  readonly line15: Cents;
  /** May be negative. If null, the worksheet assumes that the whole deduction is used. */
  readonly taxableIncome: Cents | null;
  readonly filingStatus: 'single' | 'mfj' | 'mfs' | 'hoh' | 'qss';
}

export interface CapitalLossCarryover {
  /** The loss deducted this year, as a positive amount: Schedule D line 21. */
  readonly deductible: Cents;
  readonly short: Cents;
  readonly long: Cents;
}

/**
 * Applies the Capital Loss Carryover Worksheet in the Schedule D instructions, line by line. Short-term losses are used
 * first.
 */
export function carryover(question: CarryoverQuestion): CapitalLossCarryover {
  const { line7, line15 } = question;
  const net = line7 + line15;
  const deductible = net < 0n ? least(-net, deductionLimit(question.filingStatus)) : 0n;
  const line3 = question.taxableIncome === null ? deductible : most(0n, question.taxableIncome + deductible);
  const line4 = least(deductible, line3);
  const line5 = line7 < 0n ? -line7 : 0n;
  const line8 = line7 < 0n ? most(0n, line5 - line4 - most(0n, line15)) : 0n;
  const line12 = most(0n, line7) + most(0n, line4 - line5);
  const line13 = line15 < 0n ? most(0n, -line15 - line12) : 0n;
  return { deductible: deductible as Cents, short: line8 as Cents, long: line13 as Cents };
}

/** Returns the largest net loss that may be deducted in one year, in cents (IRC 1211(b); Schedule D line 21). */
export function deductionLimit(filingStatus: CarryoverQuestion['filingStatus']): bigint {
  return filingStatus === 'mfs' ? 150_000n : 300_000n;
}

/** The fields that lines are sorted by. */
export type LineSortKey = Pick<Disposal, 'on' | 'asset' | 'account' | 'acquired' | 'id'>;

function compareDisposals(a: LineSortKey, b: LineSortKey): number {
  return (
    a.on - b.on ||
    compareText(a.asset, b.asset) ||
    compareText(a.account, b.account) ||
    a.acquired - b.acquired ||
    compareText(a.id, b.id)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
