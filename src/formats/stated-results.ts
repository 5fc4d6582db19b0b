import { type Day, formatDay } from '../base/day.ts';
import { formatMoney, type Money } from '../base/decimal.ts';
import type { TransactionType } from '../engine/model.ts';
import { typesWhere } from '../engine/transaction-types.ts';
import { Cells, HeaderColumns } from './cells/cells.ts';
import type { DifferingResult, Draft, Outcome, ReadingContext, Row, RowIssue } from './format.ts';
import type { PositionResults, ResultColumnName, RowResult, StatedResultColumns } from './stated-result-columns.ts';
import { StatedSummaries } from './stated-summaries.ts';
import { StatedTotals } from './stated-totals.ts';

export const comparedResults = ['price', 'gain', 'sale', 'total', 'position', 'balance'] as const;

/** The number of results of one kind that were compared with computed ones. */
export interface ComparedResult {
  readonly result: (typeof comparedResults)[number];
  readonly compared: number;
  /** Null for balances and sales. They are compared with the books, and each difference is a separate issue. */
  readonly differing: number | null;
}

/** The issue code for a row that was imported but contains a result that differs from the computed one. */
export const resultDiffers = 'result_differs';

interface RowComparison {
  readonly result: 'gain' | 'total';
  readonly issue?: RowIssue;
}

interface WaitingRow {
  readonly row: Row;
  readonly comparisons: readonly RowComparison[];
  readonly result: Money | null;
  readonly gain: StatedGain | null;
  readonly money: Money | null;
  readonly comparedByReader: boolean;
}

/** The gain in a row. It is in the row's currency unless it has its own. */
interface StatedGain {
  readonly gain: Money;
  readonly currency: string;
}

/** Compares the results in a file with those computed from its cells and rows. */
export class StatedResults {
  private columns: HeaderColumns;
  private readonly waiting = new Map<number, WaitingRow>();
  private readonly counts = new Map<ComparedResult['result'], { compared: number; differing: number }>();
  private readonly totals: readonly StatedTotals[];
  private readonly summaries: StatedSummaries | undefined;
  private readonly positions = new Positions();

  constructor(
    private readonly results: StatedResultColumns,
    header: Row,
    private readonly context: ReadingContext,
    private readonly sectioned: boolean,
  ) {
    this.columns = new HeaderColumns(header);
    const cells = {
      text: (row: Row, column: string) => this.text(row, column),
      money: (row: Row, column: string) => this.money(row, column),
    };
    this.totals = (results.totals ?? []).map((rule) => new StatedTotals(rule, cells));
    this.summaries = results.summaries === undefined ? undefined : new StatedSummaries(results.summaries, cells);
  }

  /** Compares the results in a row, and keeps those that depend on its outcome. Called before the row is read. */
  take(row: Row): readonly RowIssue[] {
    if (row.flaw !== undefined) {
      for (const totals of this.totals) totals.add(row);
      return [];
    }
    if (this.sectioned && row.cells[1]?.trim() === 'Header') {
      this.columns = new HeaderColumns(row);
      for (const totals of this.totals) totals.beginSection();
      return [];
    }
    this.summaries?.add(row);
    const stating = this.totals.find((totals) => totals.isTotal(row));
    if (stating !== undefined) return this.issuesOfTotal(stating.compare(row));
    for (const totals of this.totals) totals.add(row);
    const { rows = [], positions, comparedByReader } = this.results;
    const comparisons = rows.flatMap((result) => this.compareRow(row, result) ?? []);
    this.waiting.set(row.line, {
      row,
      comparisons,
      result: positions === undefined ? null : this.readResult(row, positions),
      gain: comparisons.some(({ issue }) => issue !== undefined) ? null : this.readGain(row),
      money: positions?.money === undefined ? null : this.money(row, positions.money),
      comparedByReader: comparedByReader !== undefined && this.text(row, comparedByReader) !== '',
    });
    return [];
  }

  /** Adds the row's gain to its sale. The books compare it with the computed gain. */
  withGain(outcome: Outcome): Outcome {
    if (outcome.kind !== 'read') return outcome;
    const gains = outcome.lines.flatMap((line) => this.waiting.get(line)?.gain ?? []);
    const [sale, ...others] = outcome.drafts.filter(({ type }) => statesGain.has(type));
    if (sale === undefined || others.length > 0 || gains.length > 1) return outcome;
    const stated = gains[0] ?? this.gainByBasis(outcome.lines, sale);
    if (stated === undefined) return outcome;
    if (sale.statedGain !== null || (stated.currency !== '' && stated.currency !== sale.currency)) return outcome;
    const drafts = outcome.drafts.map((draft) => (draft === sale ? { ...draft, statedGain: stated.gain } : draft));
    return { ...outcome, drafts };
  }

  /** Returns the gain that follows from the basis in the sale's row. */
  private gainByBasis(lines: readonly number[], { amount }: Draft): StatedGain | undefined {
    const { basis } = this.results;
    const [waiting, ...others] = lines.flatMap((line) => this.waiting.get(line) ?? []);
    if (basis === undefined || waiting === undefined || others.length > 0 || amount === null) return undefined;
    const cost = this.money(waiting.row, basis);
    if (cost === null) return undefined;
    return { gain: (amount - size(cost)) as Money, currency: this.readResultCurrency(waiting.row, basis, undefined) };
  }

  /** Returns the issues for rows whose outcome is now known. A rejected row is already an issue. */
  settle(outcome: Outcome): readonly RowIssue[] {
    const rows = outcome.lines.flatMap((line) => this.waiting.get(line) ?? []);
    for (const line of outcome.lines) this.waiting.delete(line);
    for (const totals of this.totals) totals.settle(outcome);
    for (const { comparedByReader } of rows) {
      if (comparedByReader && outcome.kind !== 'skipped')
        this.count('gain', outcome.kind === 'rejected' && outcome.issue.code === 'gain_disagrees');
    }
    if (outcome.kind === 'rejected') this.positions.clear();
    if (outcome.kind !== 'read') return [];
    const comparisons = rows.flatMap((row) => row.comparisons);
    for (const { result, issue } of comparisons) this.count(result, issue !== undefined);
    const on = outcome.drafts[0]?.on;
    const dated = on === undefined ? {} : { on };
    const issues = comparisons.flatMap(({ issue }) => (issue === undefined ? [] : { ...issue, ...dated })).slice(0, 1);
    return this.results.positions === undefined ? issues : [...issues, ...this.closedBy(outcome.drafts, rows)];
  }

  /** Returns the issues for totals that come before the rows they add up. */
  finish(): readonly RowIssue[] {
    const totals = this.totals.flatMap((one) => one.finish());
    const summaries = (this.summaries?.finish() ?? []).map((one) => [one]);
    return [...totals, ...summaries].flatMap((one) => this.issuesOfTotal(one));
  }

  end(): ComparedResult[] {
    return [...this.counts].map(([result, counts]) => ({ result, ...counts }));
  }

  private count(result: ComparedResult['result'], differs: boolean): void {
    const counts = this.counts.get(result) ?? { compared: 0, differing: 0 };
    this.counts.set(result, {
      compared: counts.compared + 1,
      differing: counts.differing + (differs ? 1 : 0),
    });
  }

  private compareRow(row: Row, result: RowResult): RowComparison | undefined {
    if (!this.isOfOneCurrency(row, result.sameCurrency)) return undefined;
    if (result.unless?.says.test(this.text(row, result.unless.column)) === true) return undefined;
    const stated = this.money(row, result.column);
    const values = (columns: readonly string[] = []) => columns.map((column) => this.money(row, column));
    const [plus, minus] = [values(result.plus), values(result.minus)];
    if (stated === null || plus.includes(null) || minus.includes(null)) return undefined;
    const computed = sumMoney(plus) - sumMoney(minus) + sumMoney(values(result.fees));
    const alternatives = values(result.either).flatMap((value) => [computed + (value ?? 0n), computed - (value ?? 0n)]);
    const differs = [computed, ...alternatives].every((one) => !isNear(stated, one));
    const kind = result.result ?? 'gain';
    if (!differs) return { result: kind };
    const others = [...result.plus, ...(result.minus ?? []), ...(result.fees ?? [])].filter((one) =>
      this.columns.has(one),
    );
    const makes = `its other cells (${others.join(', ')}) give`;
    return { result: kind, issue: this.issue(row, this.findColumnName(result.column), stated, computed, makes) };
  }

  private issuesOfTotal(comparisons: ReturnType<StatedTotals['compare']>): readonly RowIssue[] {
    const issues = comparisons.flatMap(({ row, column, stated, computed }) => {
      const differs = computed.every((one) => !isNear(stated, one));
      this.count('total', differs);
      return differs ? [this.issue(row, column, stated, computed[0] ?? 0n, 'the rows it sums give')] : [];
    });
    return issues.slice(0, 1);
  }

  private closedBy(drafts: readonly Draft[], rows: readonly WaitingRow[]): readonly RowIssue[] {
    const [waiting, ...others] = rows;
    return drafts.flatMap((draft) => {
      if (waiting === undefined || others.length > 0 || drafts.length > 1) {
        this.positions.spoil(draft);
        return [];
      }
      const needsMoney = this.results.positions?.money !== undefined;
      // The books compare each sale's gain in dollars, which is more precise than the gain of an entire position.
      const result = isComparedWithBooks(draft) ? null : waiting.result;
      const closed = this.positions.add(draft, result, needsMoney ? waiting.money : undefined);
      if (closed === undefined) return [];
      const differs = closed.computed.every((one) => !isNear(closed.stated, one));
      this.count('position', differs);
      const column = this.findColumnName(this.results.positions?.column ?? '');
      const from = `the trades of ${draft.asset} from ${formatDay(closed.from)} to ${formatDay(closed.until)} give`;
      return differs
        ? [{ ...this.issue(waiting.row, column, closed.stated, closed.computed[0] ?? 0n, from), on: draft.on }]
        : [];
    });
  }

  private issue(row: Row, column: string, stated: bigint, computed: bigint, makes: string): RowIssue {
    const result = { stated, computed, difference: size(stated - computed) } as DifferingResult;
    const [statedText, computedText] = [formatMoney(result.stated), formatMoney(result.computed)];
    const reason = `The file has ${statedText}, but ${makes} ${computedText}, a difference of ${formatMoney(result.difference)}`;
    return { line: row.line, column, code: resultDiffers, reason, cells: row.cells, result };
  }

  private readGain(row: Row): StatedGain | null {
    const { rows = [], positions, comparedByReader } = this.results;
    for (const { column, result = 'gain', unless, sameCurrency } of rows) {
      const isOther = unless?.says.test(this.text(row, unless.column)) === true;
      const stated = result !== 'gain' || isOther ? null : this.money(row, column);
      if (stated !== null) return { gain: stated, currency: this.readResultCurrency(row, column, sameCurrency) };
    }
    const column = positions?.column ?? comparedByReader;
    const gain = column === undefined ? null : this.money(row, column);
    if (column === undefined || gain === null) return null;
    const currency = this.readResultCurrency(row, column, positions?.sameCurrency);
    return currency === '' && positions?.money !== undefined ? null : { gain, currency };
  }

  /** Returns the currency from the column name or from its own column. */
  private readResultCurrency(row: Row, column: ResultColumnName, currencies: PositionResults['sameCurrency']): string {
    const named = /\(([A-Z]{3,5})\)/i.exec(this.findColumnName(column))?.[1];
    const text = named ?? (currencies === undefined ? '' : this.text(row, this.findColumnName(currencies[0])));
    return text.toUpperCase();
  }

  private readResult(row: Row, { column, sameCurrency }: PositionResults): Money | null {
    return this.isOfOneCurrency(row, sameCurrency) ? this.money(row, column) : null;
  }

  private isOfOneCurrency(row: Row, columns: readonly [ResultColumnName, ResultColumnName] | undefined): boolean {
    const [one = '', other = ''] = (columns ?? []).map((column) => this.text(row, this.findColumnName(column)));
    return one === '' || other === '' || one.toUpperCase() === other.toUpperCase();
  }

  /** Returns the first column that matches this pattern. */
  private findColumnName(column: ResultColumnName): string {
    return typeof column === 'string' ? column : (this.columns.names.find((name) => column.test(name)) ?? '');
  }

  private text(row: Row, column: string): string {
    return (row.cells[this.columns.findColumnIndexes(column)[0] ?? -1] ?? '').trim();
  }

  /** Returns null if the cell is empty or unreadable. */
  private money(row: Row, column: ResultColumnName): Money | null {
    const { numbers } = this.results;
    const conventions = numbers === undefined ? {} : { numbers };
    const cells = new Cells(row, this.columns, this.context, conventions);
    const money = cells.roundedMoney(this.findColumnName(column));
    return cells.flawed ? null : money;
  }
}

/** An asset's trades since its position was last zero. */
interface OpenPosition {
  units: bigint;
  /** Sales minus purchases. */
  readonly money: { before: bigint; fees: bigint };
  stated: bigint | null;
  closings: number;
  readonly startsOpen: boolean;
  readonly first: Draft;
  last: Draft;
  readonly currency: string;
}

interface ClosedPosition {
  readonly stated: bigint;
  /** The possible gains, before and after fees, because sources differ. */
  readonly computed: readonly bigint[];
  readonly from: Day;
  readonly until: Day;
}

/**
 * Tracks positions from zero to zero, in either order of the rows. The total gain of such a position does not depend on
 * the lot method.
 */
class Positions {
  private readonly open = new Map<string, OpenPosition>();
  private readonly spoiled = new Set<string>();
  private isCleared = false;

  /** Discards all positions, because a rejected row may be a trade of any asset. */
  clear(): void {
    this.isCleared = true;
    this.open.clear();
  }

  spoil({ account, asset }: Draft): void {
    this.spoiled.add(`${account}\n${asset}`);
  }

  add(draft: Draft, result: Money | null, money: Money | null | undefined): ClosedPosition | undefined {
    const key = `${draft.account}\n${draft.asset}`;
    const side = sides[draft.type];
    if (this.isCleared || this.spoiled.has(key)) return undefined;
    const { quantity, amount, fee } = draft;
    const paid = money === undefined ? amount : money;
    if (side === undefined) {
      if (quantity !== null && quantity !== 0n && !keepsUnits.has(draft.type)) this.spoiled.add(key);
      return undefined;
    }
    const position: OpenPosition = this.open.get(key) ?? {
      units: 0n,
      money: { before: 0n, fees: 0n },
      stated: 0n,
      closings: 0,
      startsOpen: side.opens,
      first: draft,
      last: draft,
      currency: draft.currency,
    };
    const isWhole = quantity !== null && paid !== null && draft.feeAsset === '' && draft.currency === position.currency;
    const before = position.units;
    position.units += side.sign * (quantity ?? 0n);
    position.last = draft;
    const crosses = (before < 0n && position.units > 0n) || (before > 0n && position.units < 0n);
    if (!isWhole || crosses) {
      this.spoiled.add(key);
      this.open.delete(key);
      return undefined;
    }
    position.money.before -= side.sign * size(paid);
    position.money.fees += money === undefined ? (fee ?? 0n) : 0n;
    if (!side.opens) {
      position.closings += 1;
      position.stated = position.stated === null || result === null ? null : position.stated + result;
    }
    this.open.set(key, position);
    if (position.units !== 0n) return undefined;
    this.open.delete(key);
    return this.close(key, position);
  }

  private close(
    key: string,
    { money, stated, closings, startsOpen, first, last }: OpenPosition,
  ): ClosedPosition | undefined {
    const [from, until] = startsOpen ? [first, last] : [last, first];
    if (momentOf(from) >= momentOf(until)) {
      // If rows are in the opposite order or on one day, the position may have been opened before these rows.
      this.spoiled.add(key);
      return undefined;
    }
    if (stated === null || closings === 0) return undefined;
    return { stated, computed: [money.before - money.fees, money.before], from: from.on, until: until.on };
  }
}

const statesGain = typesWhere(({ uses }) => (uses as readonly string[]).includes('stated_gain'));

/** Returns whether the books compare the row's gain. */
export function isComparedWithBooks({ statedGain, currency }: Draft): boolean {
  return statedGain !== null && (currency === 'USD' || currency === '');
}

function momentOf({ at, on }: Draft): number {
  return at ?? on * microsecondsPerDay;
}

const microsecondsPerDay = 86_400_000_000;

const sides: Partial<Record<TransactionType, { readonly sign: 1n | -1n; readonly opens: boolean }>> = {
  ...{ buy: { sign: 1n, opens: true }, sell: { sign: -1n, opens: false } },
  ...{ buy_to_open: { sign: 1n, opens: true }, sell_to_close: { sign: -1n, opens: false } },
  ...{ short_sell: { sign: -1n, opens: true }, cover: { sign: 1n, opens: false } },
  ...{ sell_to_open: { sign: -1n, opens: true }, buy_to_close: { sign: 1n, opens: false } },
};

/** Types that pay money on a holding without changing its units. */
const keepsUnits: ReadonlySet<TransactionType> = new Set(['dividend', 'capital_gain_distribution', 'interest']);

function sumMoney(values: readonly (Money | null)[]): bigint {
  return values.reduce((sum: bigint, value) => sum + (value ?? 0n), 0n);
}

/** Returns whether two results agree to a cent, or to 0.01% of a large number, because prices are rounded. */
function isNear(stated: bigint, computed: bigint): boolean {
  return size(stated - computed) <= tolerance + size(computed) / 10_000n;
}

const tolerance = 2_000_000n;

function size(value: bigint): bigint {
  return value < 0n ? -value : value;
}
