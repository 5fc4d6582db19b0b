import type { Money } from '../base/decimal.ts';
import type { Outcome, Row } from './format.ts';
import type { TotalRows } from './stated-result-columns.ts';

/** Reads cells. Money is null if the cell is empty or unreadable. */
export interface TotalCells {
  text(row: Row, column: string): string;
  money(row: Row, column: string): Money | null;
}

/**
 * A total in the file and the sums that it may equal: of the rows since the last total, or of all rows, possibly
 * without rejected ones.
 */
interface TotalComparison {
  readonly row: Row;
  readonly column: string;
  readonly stated: Money;
  readonly computed: readonly bigint[];
}

type Amounts = ReadonlyMap<string, Money | null>;

/** Adds up the columns of a file and compares its total rows with the sums. */
export class StatedTotals {
  /** The sums since the last total, and those of the whole file, by identifying cells. */
  private readonly sums = new Map<string, Sums>();
  private readonly whole = new Map<string, Sums>();
  /** Totals that come before the rows they add up. */
  private readonly early: Row[] = [];
  /** Rows whose outcome is not known yet, by line. */
  private readonly waiting = new Map<number, { readonly key: string; readonly amounts: Amounts }>();

  constructor(
    private readonly rule: TotalRows,
    private readonly cells: TotalCells,
  ) {}

  isTotal(row: Row): boolean {
    const { column, says, unless } = this.rule;
    const isOther = unless?.says.test(this.cells.text(row, unless.column)) === true;
    const text = column === null ? row.cells.find((cell) => cell.trim() !== '')?.trim() : this.cells.text(row, column);
    return !isOther && says.test(text ?? '');
  }

  add(row: Row): void {
    const { of, sums: columns } = this.rule;
    if (of !== undefined && !of.says.test(this.cells.text(row, of.column))) return;
    const amounts = new Map(columns.map((column) => [column, this.readStatedAmount(row, column)]));
    const key = this.keyOf(row);
    for (const all of [this.sums, this.whole]) {
      const sums = all.get(key) ?? new Sums();
      all.set(key, sums);
      sums.add(amounts);
    }
    this.waiting.set(row.line, { key, amounts });
  }

  /** Files may exclude rows from their totals that are rejected or skipped here, so both sums are kept. */
  settle({ lines, kind }: Outcome): void {
    for (const line of lines) {
      const row = this.waiting.get(line);
      this.waiting.delete(line);
      if (row === undefined || kind === 'read') continue;
      for (const sums of [this.sums, this.whole]) sums.get(row.key)?.leaveOut(kind, row.amounts);
    }
  }

  beginSection(): void {
    this.sums.clear();
  }

  compare(row: Row): TotalComparison[] {
    const { isOfRowsAbove = false, sums: columns } = this.rule;
    if (this.whole.size === 0) {
      if (!isOfRowsAbove) this.early.push(row);
      return [];
    }
    const key = this.keyOf(row);
    const among = (isOfRowsAbove ? [this.sums] : [this.sums, this.whole]).flatMap((sums) => this.findSums(sums, row));
    const comparisons = columns.flatMap((column) => {
      const stated = this.cells.money(row, column);
      const computed = among.flatMap((sums) => sums.of(column));
      return stated === null || computed.length === 0 ? [] : [{ row, column, stated, computed }];
    });
    this.sums.delete(key);
    return comparisons;
  }

  /** Returns the totals that come before the rows they add up. */
  finish(): TotalComparison[][] {
    return this.early.splice(0).map((row) => this.compare(row));
  }

  private findSums(sums: ReadonlyMap<string, Sums>, row: Row): Sums[] {
    const { by = [], isOfAllIfEmpty = false } = this.rule;
    const cells = by.map((column) => this.cells.text(row, column));
    if (!isOfAllIfEmpty || !cells.includes('')) return [sums.get(this.keyOf(row)) ?? []].flat();
    const parts = [...sums].filter(([key]) =>
      key.split('\n').every((cell, at) => ['', cell].includes(cells[at] ?? '')),
    );
    return parts.length === 0 ? [] : [Sums.addParts(parts.map(([, part]) => part))];
  }

  private keyOf(row: Row): string {
    return (this.rule.by ?? []).map((column) => this.cells.text(row, column)).join('\n');
  }

  /** Returns null if the cell is unreadable, and zero if it is empty. */
  private readStatedAmount(row: Row, column: string): Money | null {
    if (row.flaw !== undefined) return null;
    return this.cells.text(row, column) === '' ? (0n as Money) : this.cells.money(row, column);
  }
}

/** Adds up columns, with and without rejected or skipped rows. */
class Sums {
  private readonly all = new Map<string, bigint | null>();
  private readonly leftOut = { rejected: new Map<string, bigint>(), skipped: new Map<string, bigint>() };

  add(amounts: ReadonlyMap<string, bigint | null>): void {
    for (const [column, amount] of amounts) {
      const sum = this.all.get(column);
      this.all.set(column, amount === null || sum === null ? null : (sum ?? 0n) + amount);
    }
  }

  static addParts(parts: readonly Sums[]): Sums {
    const whole = new Sums();
    for (const part of parts) {
      whole.add(part.all);
      for (const kind of ['rejected', 'skipped'] as const) whole.leaveOut(kind, part.leftOut[kind]);
    }
    return whole;
  }

  leaveOut(kind: 'rejected' | 'skipped', amounts: ReadonlyMap<string, bigint | null>): void {
    const sums = this.leftOut[kind];
    for (const [column, amount] of amounts) sums.set(column, (sums.get(column) ?? 0n) + (amount ?? 0n));
  }

  /** Returns the possible sums. Empty if a cell in the column is unreadable. */
  of(column: string): bigint[] {
    const sum = this.all.get(column) ?? null;
    const [rejected, skipped] = [this.leftOut.rejected.get(column) ?? 0n, this.leftOut.skipped.get(column) ?? 0n];
    return sum === null ? [] : [sum, sum - rejected, sum - skipped, sum - rejected - skipped];
  }
}
