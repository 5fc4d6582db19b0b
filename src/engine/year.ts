import type { Cents, Money } from '../base/decimal.ts';
import type {
  Box,
  Contract1256,
  Disposal,
  Income,
  Issue,
  Line,
  TaxYearSummary,
  Totals,
  TransactionType,
  WashSale,
} from './model.ts';
import { boxes as allBoxes } from './model.ts';

/** The facts of one year. */
export interface YearFacts {
  readonly disposals: readonly Disposal[];
  readonly washes: readonly WashSale[];
  readonly incomes: readonly Income[];
  readonly contracts: readonly Contract1256[];
  readonly issues: readonly Issue[];
}

/**
 * Disposals with their adjustments, in an order that no import order changes: by day of sale, asset, account,
 * acquisition and id. One line a disposal, code W where a wash sale denies part of it (i8949, column (f)).
 */
export function linesOf(disposals: readonly Disposal[], washes: readonly WashSale[]): Line[] {
  const denied = new Map<string, bigint>();
  for (const wash of washes) denied.set(wash.disposalId, (denied.get(wash.disposalId) ?? 0n) + wash.disallowed);
  return [...disposals].sort(compareDisposals).map((disposal) => {
    const wash = denied.get(disposal.id) ?? 0n;
    const adjustment = disposal.adjustment + wash;
    const letters = new Set([...disposal.code, ...(wash === 0n ? [] : ['W'])]);
    return {
      disposal,
      code: [...letters].sort().join(''),
      adjustment: adjustment as Cents,
      gain: (disposal.proceeds - disposal.basis + adjustment) as Cents,
    };
  });
}

/** The facts of one year, netted. */
export function summarize(year: number, facts: YearFacts): TaxYearSummary {
  const lines = linesOf(facts.disposals, facts.washes);
  const gain = facts.contracts.reduce((sum, contract) => sum + contract.gain, 0n);
  // 60 % long-term; the odd cent stays with the short-term part, so that the two sum (IRC 1256(a)(3)).
  const long = (gain * 6n) / 10n;
  const statedWash = lines.filter(({ disposal }) => disposal.code.includes('W'));
  return {
    year,
    shortTerm: totalsOf(lines.filter(({ disposal }) => disposal.term === 'short')),
    longTerm: totalsOf(lines.filter(({ disposal }) => disposal.term === 'long')),
    total: totalsOf(lines),
    washSaleDisallowed: (sum(facts.washes.map((wash) => wash.disallowed)) +
      sum(statedWash.map(({ disposal }) => disposal.adjustment))) as Cents,
    washSalePermanent: sum(facts.washes.filter((wash) => wash.permanent).map((wash) => wash.disallowed)) as Cents,
    boxes: boxTotals(lines),
    assets: assetTotals(lines),
    income: incomeTotals(facts.incomes),
    contracts1256: {
      gain: gain as Cents,
      short: (gain - long) as Cents,
      long: long as Cents,
      count: facts.contracts.length,
    },
    issues: facts.issues.length,
  };
}

export interface CarryoverQuestion {
  /** Schedule D lines 7 and 15: net short-term and net long-term. */
  readonly line7: Cents;
  readonly line15: Cents;
  /** May be negative; null where it is not known, which uses the deduction up. */
  readonly taxableIncome: Cents | null;
  readonly filingStatus: 'single' | 'mfj' | 'mfs' | 'hoh' | 'qss';
}

export interface Carryover {
  /** The loss that this year deducts, as a positive amount: Schedule D line 21. */
  readonly deductible: Cents;
  readonly short: Cents;
  readonly long: Cents;
}

/** The Capital Loss Carryover Worksheet of the instructions for Schedule D, line by line; short-term losses go first. */
export function carryover(question: CarryoverQuestion): Carryover {
  const { line7, line15 } = question;
  const limit = question.filingStatus === 'mfs' ? 150_000n : 300_000n;
  const net = line7 + line15;
  const deductible = net < 0n ? least(-net, limit) : 0n;
  const line3 = question.taxableIncome === null ? deductible : most(0n, question.taxableIncome + deductible);
  const line4 = least(deductible, line3);
  const line5 = line7 < 0n ? -line7 : 0n;
  const line8 = line7 < 0n ? most(0n, line5 - line4 - most(0n, line15)) : 0n;
  const line12 = most(0n, line7) + most(0n, line4 - line5);
  const line13 = line15 < 0n ? most(0n, -line15 - line12) : 0n;
  return { deductible: deductible as Cents, short: line8 as Cents, long: line13 as Cents };
}

function compareDisposals(a: Disposal, b: Disposal): number {
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

function totalsOf(lines: readonly Line[]): Totals {
  let [proceeds, basis, adjustment] = [0n, 0n, 0n];
  for (const line of lines) {
    proceeds += line.disposal.proceeds;
    basis += line.disposal.basis;
    adjustment += line.adjustment;
  }
  return {
    proceeds: proceeds as Cents,
    basis: basis as Cents,
    adjustment: adjustment as Cents,
    gain: (proceeds - basis + adjustment) as Cents,
    count: lines.length,
  };
}

function boxTotals(lines: readonly Line[]): TaxYearSummary['boxes'] {
  const byBox = Map.groupBy(lines, (line): Box => line.disposal.box);
  return allBoxes.flatMap((box) => {
    const own = byBox.get(box);
    return own === undefined ? [] : [{ box, ...totalsOf(own) }];
  });
}

function assetTotals(lines: readonly Line[]): TaxYearSummary['assets'] {
  const byAsset = Map.groupBy(lines, ({ disposal }) => `${disposal.asset}\u0000${disposal.assetClass}`);
  return [...byAsset.entries()]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([, own]) => {
      const first = own[0]?.disposal;
      return first === undefined ? [] : [{ asset: first.asset, assetClass: first.assetClass, ...totalsOf(own) }];
    });
}

function incomeTotals(incomes: readonly Income[]): TaxYearSummary['income'] {
  const byType = Map.groupBy(incomes, (income): TransactionType => income.type);
  return [...byType.entries()]
    .sort(([a], [b]) => compareText(a, b))
    .map(([type, own]) => ({ type, amount: sum(own.map((income) => income.amount)) as Money, count: own.length }));
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
