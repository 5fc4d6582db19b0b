import type { Money } from '../base/decimal.ts';
import type { Row } from './format.ts';
import type { SummaryRows } from './stated-result-columns.ts';
import type { TotalCells } from './stated-totals.ts';

/** A summary row and the sums that it may equal. */
interface SummaryComparison {
  readonly row: Row;
  readonly column: string;
  readonly stated: Money;
  readonly computed: readonly bigint[];
}

interface StatedRow {
  readonly row: Row;
  readonly key: string;
  readonly stated: Money;
  readonly either: bigint;
}

/**
 * Compares a section that contains each asset's realized gain with the gains from its trades in another section. Skips
 * an asset with trades in another currency, or with gains from corporate actions.
 */
export class StatedSummaries {
  private readonly stated: StatedRow[] = [];
  private readonly sums = new Map<string, bigint>();
  private readonly spoiled = new Set<string>();
  private readonly others: string[] = [];
  private currency = '';

  constructor(
    private readonly rule: SummaryRows,
    private readonly cells: TotalCells,
  ) {}

  add(row: Row): void {
    const { section, sums, beside, currency } = this.rule;
    if (currency.name.test(this.cells.text(row, currency.nameColumn)))
      this.currency = this.cells.text(row, currency.valueColumn).toUpperCase();
    const label = row.cells[0]?.trim();
    if (label === section) this.state(row);
    if (label === sums.section && sums.of.says.test(this.cells.text(row, sums.of.column))) this.sum(row);
    if (label === beside.section && (this.cells.money(row, beside.column) ?? 0n) !== 0n)
      this.others.push(this.cells.text(row, beside.names));
  }

  finish(): SummaryComparison[] {
    return this.stated.splice(0).flatMap(({ row, key, stated, either }) => {
      const asset = key.slice(key.lastIndexOf('\n') + 1);
      const isNamed = this.others.some((text) => text.includes(asset));
      if (this.spoiled.has(key) || isNamed) return [];
      const computed = this.sums.get(key) ?? 0n;
      return [{ row, column: this.rule.column, stated, computed: [computed, computed + either, computed - either] }];
    });
  }

  private state(row: Row): void {
    const { column, by, totals, either } = this.rule;
    const stated = this.cells.money(row, column);
    const [first = ''] = by;
    if (stated === null || by.some((one) => this.cells.text(row, one) === '')) return;
    if (totals.test(this.cells.text(row, first))) return;
    const otherMoney = either === undefined ? null : this.cells.money(row, either);
    this.stated.push({ row, key: this.keyOf(row), stated, either: otherMoney ?? 0n });
  }

  private sum(row: Row): void {
    const { column, currency } = this.rule.sums;
    const key = this.keyOf(row);
    const gain = this.cells.text(row, column) === '' ? 0n : this.cells.money(row, column);
    const rowCurrency = this.cells.text(row, currency).toUpperCase();
    const isOther = rowCurrency !== '' && rowCurrency !== (this.currency === '' ? 'USD' : this.currency);
    if (gain === null || isOther) this.spoiled.add(key);
    else this.sums.set(key, (this.sums.get(key) ?? 0n) + gain);
  }

  private keyOf(row: Row): string {
    return this.rule.by.map((column) => this.cells.text(row, column)).join('\n');
  }
}
