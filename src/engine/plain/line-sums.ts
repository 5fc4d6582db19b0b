import type { Cents } from '../../base/decimal.ts';
import type { AssetClass, Box, TaxYearSummary, Term, Totals } from '../model.ts';
import { summarize } from '../rules/year/year.ts';

/**
 * The totals of the lines of one year, account, asset, term and box. Cents are whole numbers in doubles. Larger sums
 * continue in bigints.
 */
export interface LineSum {
  readonly year: number;
  readonly account: string;
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly term: Term;
  readonly box: Box;
  count: number;
  proceeds: number;
  basis: number;
  large: { proceeds: bigint; basis: bigint };
}

/** The fields that all lines of one sum share. */
type SummedLine = Pick<LineSum, 'year' | 'account' | 'asset' | 'assetClass' | 'term' | 'box'>;

/**
 * Sums plain-trade lines that are not needed individually, without creating facts. Such lines have no adjustment, so
 * the number of lines, proceeds and basis are enough for the totals of a year.
 */
export class LineSums {
  readonly #sums = new Map<string, LineSum>();
  readonly #isSummed: (year: number) => boolean;
  /** Lines of the current sale, which can still be rolled back. */
  readonly #waiting: LineSum[] = [];
  readonly #proceeds: number[] = [];
  readonly #basis: number[] = [];
  #lines = 0;

  constructor(isSummed: (year: number) => boolean) {
    this.#isSummed = isSummed;
  }

  /** Returns the sum that such lines are added to, or null if the lines are needed as facts. */
  of({ year, account, asset, assetClass, term, box }: SummedLine) {
    if (!this.#isSummed(year)) return null;
    const name = [year, term, box, assetClass, asset, account].join('\n');
    const large = { proceeds: 0n, basis: 0n };
    const sum = this.#sums.get(name) ?? {
      ...{ year, account, asset, assetClass, term, box },
      ...{ count: 0, proceeds: 0, basis: 0, large },
    };
    this.#sums.set(name, sum);
    return sum;
  }

  add(sum: LineSum, proceeds: number, basis: number): void {
    const line = this.#lines++;
    this.#waiting[line] = sum;
    this.#proceeds[line] = proceeds;
    this.#basis[line] = basis;
  }

  /** Adds the lines since the last commit to their sums. */
  commit(): void {
    for (let line = 0; line < this.#lines; line++) {
      const sum = this.#waiting[line] as LineSum;
      sum.count++;
      sum.proceeds += this.#proceeds[line] as number;
      sum.basis += this.#basis[line] as number;
      if (Math.abs(sum.proceeds) > lineMax || Math.abs(sum.basis) > lineMax) enlarge(sum);
    }
    this.#lines = 0;
  }

  /** Drops the lines since the last commit. */
  rollBack(): void {
    this.#lines = 0;
  }

  /** Returns a summary of these lines for each sum. */
  summaries(): TaxYearSummary[] {
    return [...this.#sums.values()].filter(({ count }) => count > 0).map(toTaxYearSummary);
  }
}

/** If a line is below this number of cents, its sum with a previous total is exact in a double. */
const lineMax = 2 ** 52;

function enlarge(sum: LineSum): void {
  sum.large.proceeds += BigInt(sum.proceeds);
  sum.large.basis += BigInt(sum.basis);
  sum.proceeds = 0;
  sum.basis = 0;
}

function toTaxYearSummary({ year, account, asset, assetClass, term, box, count, ...sum }: LineSum): TaxYearSummary {
  const proceeds = (sum.large.proceeds + BigInt(sum.proceeds)) as Cents;
  const basis = (sum.large.basis + BigInt(sum.basis)) as Cents;
  const totals: Totals = {
    proceeds,
    basis,
    adjustment: 0n as Cents,
    gain: (proceeds - basis) as Cents,
    count,
  };
  return {
    ...summarize(year, { disposals: [], washes: [], incomes: [], contracts: [], issues: [] }),
    [term === 'short' ? 'shortTerm' : 'longTerm']: totals,
    total: totals,
    boxes: [{ box, ...totals }],
    assets: [{ asset, assetClass, ...totals }],
    accountBoxes: [{ account, box, count }],
  };
}
