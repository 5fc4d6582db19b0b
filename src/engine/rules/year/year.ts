import { type Cents, divideRounded, type Money } from '../../../base/decimal.ts';
import type {
  AssetClass,
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
} from '../../model.ts';
import { boxes as allBoxes } from '../../model.ts';
import { lettersOf } from '../lines/columns.ts';

/** The facts of one year. */
export interface YearFacts {
  readonly disposals: readonly Disposal[];
  readonly washes: readonly WashSale[];
  readonly incomes: readonly Income[];
  readonly contracts: readonly Contract1256[];
  readonly issues: readonly Issue[];
}

/**
 * Disposals with their adjustments, sorted by day of sale, asset, account, acquisition and id, so that no order of
 * import changes it. One line per disposal, with code W where a wash sale denies part of its loss (i8949, column (f)).
 */
export function linesOf(disposals: readonly Disposal[], washes: readonly WashSale[]): Line[] {
  const denied = deniedBy(washes);
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

function deniedBy(washes: readonly WashSale[]): Map<string, bigint> {
  const denied = new Map<string, bigint>();
  let [disposalId, sum] = ['', 0n];
  // Wash sales of one disposal mostly follow one another: the map is asked once for all of them.
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

/** The totals of one year, in one pass over its disposals in any order. */
export function summarize(year: number, facts: YearFacts): TaxYearSummary {
  const denied = deniedBy(facts.washes);
  const terms = { short: new Tally(), long: new Tally() };
  const byBox = new Map<Box, Tally>();
  const byAsset = new Map<string, Map<AssetClass, Tally>>();
  let statedWash = 0n;
  let [last, ofAsset]: [Disposal | undefined, Tally] = [undefined, new Tally()];
  for (const disposal of facts.disposals) {
    // A gain is never denied; an adjustment corrects what a form shows.
    const { proceeds, basis } = disposal;
    const isGain = disposal.adjustment === 0n && proceeds >= basis;
    const wash = denied.size === 0 || isGain ? undefined : denied.get(disposal.id);
    const adjustment = wash === undefined ? disposal.adjustment : disposal.adjustment + wash;
    // On a line that only a form reports, code W is the form's wash sale amount. Other lines have no stated amount with
    // these codes.
    if (disposal.code !== '' && washOfForm.test(disposal.code)) statedWash += disposal.adjustment;
    if (disposal.asset !== last?.asset || disposal.assetClass !== last.assetClass) {
      ofAsset = memberOf(memberOf(byAsset, disposal.asset, newTallies), disposal.assetClass, newTally);
      last = disposal;
    }
    const amounts = [Number(proceeds), Number(basis), Number(adjustment)] as const;
    terms[disposal.term].add(disposal, adjustment, amounts);
    memberOf(byBox, disposal.box, newTally).add(disposal, adjustment, amounts);
    ofAsset.add(disposal, adjustment, amounts);
  }
  const gain = facts.contracts.reduce((sum, contract) => sum + contract.gain, 0n);
  return {
    year,
    shortTerm: terms.short.totals(),
    longTerm: terms.long.totals(),
    total: both(terms.short.totals(), terms.long.totals()),
    washSaleDisallowed: (sum(facts.washes.map((wash) => wash.disallowed)) + statedWash) as Cents,
    washSalePermanent: sum(facts.washes.filter((wash) => wash.permanent).map((wash) => wash.disallowed)) as Cents,
    boxes: allBoxes.flatMap((box) => {
      const tally = byBox.get(box);
      return tally === undefined ? [] : [{ box, ...tally.totals() }];
    }),
    assets: assetTotals(byAsset),
    income: incomeTotals(facts.incomes),
    contracts1256: { ...partsOf1256(gain as Cents), count: facts.contracts.length },
    issues: facts.issues.length,
  };
}

/** The codes of a line that only a form reports, with its wash sale: of another term, or of a collectible, too. */
const washOfForm = /^C?T?W$/;

/**
 * 40 % of the net of Form 6781 is short-term, to the nearest cent, and the rest is long-term, so that the two sum (IRC
 * 1256(a)(3)). Four tenths of whole cents are never half a cent.
 */
export function partsOf1256(gain: Cents): { gain: Cents; short: Cents; long: Cents } {
  const short = divideRounded(gain * 4n, 10n);
  return { gain, short: short as Cents, long: (gain - short) as Cents };
}

/**
 * Totals being summed. Cents are doubles while these are exact, up to ninety trillion dollars: ten times as fast as
 * bigints.
 */
class Tally {
  private proceeds = 0;
  private basis = 0;
  private adjustment = 0;
  private count = 0;
  private large = { proceeds: 0n, basis: 0n, adjustment: 0n };

  /** `amounts`: proceeds, basis and adjustment as doubles, in cents. */
  add(disposal: Disposal, adjustment: bigint, amounts: readonly [number, number, number]): void {
    const proceeds = this.proceeds + amounts[0];
    const basis = this.basis + amounts[1];
    const adjusted = this.adjustment + amounts[2];
    this.count += 1;
    if (isExact(amounts[0], proceeds) && isExact(amounts[1], basis) && isExact(amounts[2], adjusted)) {
      this.proceeds = proceeds;
      this.basis = basis;
      this.adjustment = adjusted;
      return;
    }
    this.large.proceeds += disposal.proceeds;
    this.large.basis += disposal.basis;
    this.large.adjustment += adjustment;
  }

  totals(): Totals {
    const proceeds = BigInt(this.proceeds) + this.large.proceeds;
    const basis = BigInt(this.basis) + this.large.basis;
    const adjustment = BigInt(this.adjustment) + this.large.adjustment;
    return totalsOf(proceeds, basis, adjustment, this.count);
  }
}

function isExact(amount: number, sum: number): boolean {
  return Number.isSafeInteger(amount) && Number.isSafeInteger(sum);
}

function both(a: Totals, b: Totals): Totals {
  return totalsOf(a.proceeds + b.proceeds, a.basis + b.basis, a.adjustment + b.adjustment, a.count + b.count);
}

function totalsOf(proceeds: bigint, basis: bigint, adjustment: bigint, count: number): Totals {
  return {
    proceeds: proceeds as Cents,
    basis: basis as Cents,
    adjustment: adjustment as Cents,
    gain: (proceeds - basis + adjustment) as Cents,
    count,
  };
}

const newTally = (): Tally => new Tally();
const newTallies = (): Map<AssetClass, Tally> => new Map();

function memberOf<Key, Member>(map: Map<Key, Member>, key: Key, make: () => Member): Member {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

export interface CarryoverQuestion {
  /** Schedule D lines 7 and 15: net short-term and net long-term. */
  readonly line7: Cents;
  readonly line15: Cents;
  /** It may be negative. Null where it is unknown: then the whole deduction is used. */
  readonly taxableIncome: Cents | null;
  readonly filingStatus: 'single' | 'mfj' | 'mfs' | 'hoh' | 'qss';
}

export interface CapitalLossCarryover {
  /** The loss that this year deducts, as a positive amount: Schedule D line 21. */
  readonly deductible: Cents;
  readonly short: Cents;
  readonly long: Cents;
}

/**
 * The Capital Loss Carryover Worksheet of the instructions for Schedule D, line by line. Short-term losses are used
 * first.
 */
export function carryover(question: CarryoverQuestion): CapitalLossCarryover {
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

/** The members by which lines are sorted. */
export type LineSortKey = Pick<Disposal, 'on' | 'asset' | 'account' | 'acquired' | 'id'>;

export function compareDisposals(a: LineSortKey, b: LineSortKey): number {
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

function assetTotals(byAsset: ReadonlyMap<string, ReadonlyMap<AssetClass, Tally>>): TaxYearSummary['assets'] {
  const assets = [...byAsset].flatMap(([asset, classes]) =>
    [...classes].map(([assetClass, tally]) => ({ asset, assetClass, ...tally.totals() })),
  );
  return assets.sort((a, b) => compareText(`${a.asset}\u0000${a.assetClass}`, `${b.asset}\u0000${b.assetClass}`));
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
