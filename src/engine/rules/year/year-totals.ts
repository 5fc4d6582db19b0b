import { type Cents, divideRounded, type Money } from '../../../base/decimal.ts';
import type {
  AccountBox,
  AssetClass,
  Box,
  Contract1256,
  Disposal,
  Income,
  TaxYearSummary,
  Totals,
  TransactionType,
  WashSale,
} from '../../model.ts';
import { boxes as allBoxes } from '../../model.ts';

/** The totals of one year, added from its facts in any order. */
export class YearTotals {
  private readonly lines = new Map<string, LineTotals>();
  private last: LineTotals | null = null;
  private readonly incomes = new Map<TransactionType, { amount: bigint; count: number }>();
  private readonly contracts = { gain: 0n, count: 0 };
  private readonly washSales = { disallowed: 0n, permanent: 0n };
  private issues = 0;

  constructor(private readonly year: number) {}

  /**
   * Adds a disposal. `denied` is the known part of the loss that wash sales disallow. Returns the totals of the line,
   * so that later parts can be added.
   */
  addDisposal(disposal: Disposal, denied: bigint): LineTotals {
    const totals = this.toTotals(disposal);
    totals.add(disposal, denied === 0n ? disposal.adjustment : disposal.adjustment + denied);
    // On a line that only a form reports, code W is the form's wash sale amount. Other lines with these codes have no
    // stated amount.
    if (disposal.code !== '' && washOfForm.test(disposal.code)) this.washSales.disallowed += disposal.adjustment;
    return totals;
  }

  /** Adds a wash sale. It does not change the totals of its line, which already include it. */
  addWash({ disallowed, permanent }: WashSale): void {
    this.washSales.disallowed += disallowed;
    if (permanent) this.washSales.permanent += disallowed;
  }

  addIncome({ type, amount }: Income): void {
    const income = this.incomes.get(type) ?? { amount: 0n, count: 0 };
    income.amount += amount;
    income.count += 1;
    this.incomes.set(type, income);
  }

  addContract({ gain }: Contract1256): void {
    this.contracts.gain += gain;
    this.contracts.count += 1;
  }

  addIssues(count: number): void {
    this.issues += count;
  }

  summary(): TaxYearSummary {
    const lines = [...this.lines.values()];
    const sumOf = (some: readonly LineTotals[]): Totals => sumTotals(some.map((one) => one.totals()));
    const ofAssets = Map.groupBy(lines, ({ asset, assetClass }) => `${asset}\u0000${assetClass}`);
    const ofAccounts = Map.groupBy(lines, ({ account, box }) => accountBoxKey({ account, box }));
    return {
      year: this.year,
      shortTerm: sumOf(lines.filter(({ term }) => term === 'short')),
      longTerm: sumOf(lines.filter(({ term }) => term === 'long')),
      total: sumOf(lines),
      missingBasis: sumOf(lines.filter(({ basisUnknown }) => basisUnknown)),
      washSaleDisallowed: this.washSales.disallowed as Cents,
      washSalePermanent: this.washSales.permanent as Cents,
      boxes: allBoxes.flatMap((box) => {
        const boxLines = lines.filter((one) => one.box === box);
        return boxLines.length === 0 ? [] : [{ box, ...sumOf(boxLines) }];
      }),
      assets: byText(ofAssets).map((assetLines) => {
        const [{ asset, assetClass }] = assetLines as [LineTotals];
        return { asset, assetClass, ...sumOf(assetLines) };
      }),
      accountBoxes: byText(ofAccounts).map((accountLines) => {
        const [{ account, box }] = accountLines as [LineTotals];
        return { account, box, count: sumOf(accountLines).count };
      }),
      income: byText(
        new Map([...this.incomes].map(([type, { amount, count }]) => [type, { type, amount: amount as Money, count }])),
      ),
      contracts1256: { ...partsOf1256(this.contracts.gain as Cents), count: this.contracts.count },
      issues: this.issues,
    };
  }

  /**
   * Returns the totals of lines with the same account, term, box and asset, and with known or unknown basis. Most
   * disposals follow one with the same totals.
   */
  private toTotals(disposal: Disposal): LineTotals {
    const { last } = this;
    if (last?.includesLine(disposal)) return last;
    const { account, term, box, asset, assetClass, basisUnknown } = disposal;
    const key = `${term} ${box} ${assetClass} ${basisUnknown ? '?' : ''} ${asset}\u0000${account}`;
    const totals = this.lines.get(key) ?? new LineTotals(disposal);
    this.lines.set(key, totals);
    this.last = totals;
    return totals;
  }
}

/**
 * Returns whether a wash sale can disallow part of a disposal. A wash sale cannot disallow a gain, unless an adjustment
 * corrects the amounts on a form.
 */
export function isDeniable({ adjustment, proceeds, basis }: Disposal): boolean {
  return adjustment !== 0n || proceeds < basis;
}

/**
 * The codes of a line that only a form reports, with its wash sale. It may also have a different term or be a
 * collectible.
 */
const washOfForm = /^C?T?W$/;

/**
 * Divides the net amount of Form 6781. 40% is short-term, rounded to the nearest cent, and the rest is long-term, so
 * that the two sum to the net amount (IRC 1256(a)(3)). Four tenths of whole cents are never half a cent.
 */
export function partsOf1256(gain: Cents): { gain: Cents; short: Cents; long: Cents } {
  const short = divideRounded(gain * 4n, 10n);
  return { gain, short: short as Cents, long: (gain - short) as Cents };
}

/**
 * Running totals. Cents are doubles as long as these are exact, up to ninety trillion dollars, because doubles are ten
 * times as fast as bigints.
 */
export class LineTotals {
  private proceeds = 0;
  private basis = 0;
  private adjustment = 0;
  private count = 0;
  private large = { proceeds: 0n, basis: 0n, adjustment: 0n };

  readonly account: string;
  readonly term: Disposal['term'];
  readonly box: Box;
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly basisUnknown: boolean;

  constructor({ account, term, box, asset, assetClass, basisUnknown }: Disposal) {
    this.account = account;
    this.term = term;
    this.box = box;
    this.asset = asset;
    this.assetClass = assetClass;
    this.basisUnknown = basisUnknown;
  }

  /** Returns whether the line belongs to these totals. */
  includesLine({ account, term, box, asset, assetClass, basisUnknown }: Disposal): boolean {
    if (this.asset !== asset || this.account !== account || this.box !== box) return false;
    return this.term === term && this.assetClass === assetClass && this.basisUnknown === basisUnknown;
  }

  /** Adds a line. `adjustment` is its own adjustment plus the loss disallowed by wash sales. */
  add(disposal: Disposal, adjustment: bigint): void {
    const [own, cost, adjusted] = [Number(disposal.proceeds), Number(disposal.basis), Number(adjustment)];
    const proceeds = this.proceeds + own;
    const basis = this.basis + cost;
    const adjustments = this.adjustment + adjusted;
    this.count += 1;
    if (isExact(own, proceeds) && isExact(cost, basis) && isExact(adjusted, adjustments)) {
      this.proceeds = proceeds;
      this.basis = basis;
      this.adjustment = adjustments;
      return;
    }
    this.large.proceeds += disposal.proceeds;
    this.large.basis += disposal.basis;
    this.large.adjustment += adjustment;
  }

  /** Adds the loss disallowed by a wash sale for a line already added. */
  addDeniedLoss(disallowed: Cents): void {
    this.large.adjustment += disallowed;
  }

  totals(): Totals {
    const proceeds = BigInt(this.proceeds) + this.large.proceeds;
    const basis = BigInt(this.basis) + this.large.basis;
    const adjustment = BigInt(this.adjustment) + this.large.adjustment;
    return toTotals(proceeds, basis, adjustment, this.count);
  }
}

function isExact(amount: number, sum: number): boolean {
  return Number.isSafeInteger(amount) && Number.isSafeInteger(sum);
}

function sumTotals(parts: readonly Totals[]): Totals {
  let [proceeds, basis, adjustment, count] = [0n, 0n, 0n, 0];
  for (const part of parts) {
    proceeds += part.proceeds;
    basis += part.basis;
    adjustment += part.adjustment;
    count += part.count;
  }
  return toTotals(proceeds, basis, adjustment, count);
}

function toTotals(proceeds: bigint, basis: bigint, adjustment: bigint, count: number): Totals {
  return {
    proceeds: proceeds as Cents,
    basis: basis as Cents,
    adjustment: adjustment as Cents,
    gain: (proceeds - basis + adjustment) as Cents,
    count,
  };
}

/** Returns the key that groups and sorts the boxes of accounts. */
export function accountBoxKey({ account, box }: Pick<AccountBox, 'account' | 'box'>): string {
  return `${account}\u0000${box}`;
}

/** Returns the values of a map in the order of its keys. */
function byText<Item>(items: ReadonlyMap<string, Item>): Item[] {
  return [...items].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, item]) => item);
}
