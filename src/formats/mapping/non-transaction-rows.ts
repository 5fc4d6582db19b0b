import { type HeaderColumns, normalizeHeader } from '../cells/cells.ts';
import { saysNone, toPlainNumber } from '../cells/fields.ts';
import type { Row } from '../format.ts';
import { fieldSet, type MappedField, type Mapping } from './mapping.ts';
import { isTotalWord } from './type-words.ts';

/**
 * Recognizes table rows that are not transactions: titles, totals, footers, repeated headers and continuation lines.
 */
export class NonTransactionRows {
  private readonly headerKey: string;
  private readonly dateIndex: number;
  private readonly numberIndexes: readonly number[];
  private readonly carriedIndexes: readonly number[];
  private above: Row | undefined;

  constructor(
    private readonly mapping: Mapping,
    header: Row,
    columns: HeaderColumns,
  ) {
    this.headerKey = keyOf(header);
    const findFieldIndexes = (fields: ReadonlySet<MappedField>): number[] =>
      Object.entries(mapping.columns).flatMap(([column, field]) =>
        fields.has(field) ? columns.findColumnIndexes(column) : [],
      );
    this.dateIndex = findFieldIndexes(new Set(['date']))[0] ?? -1;
    this.numberIndexes = findFieldIndexes(numberFields);
    this.carriedIndexes = findFieldIndexes(carriedFields);
  }

  /** Fills a row that has no date with the values it inherits from the row above. */
  fillDown(row: Row): Row {
    if (this.mapping.fillDown !== true || !this.isDateless(row) || this.above === undefined || !this.hasNumbers(row)) {
      if (!this.isDateless(row)) this.above = row;
      return row;
    }
    const cells = row.cells.slice();
    for (const columnIndex of this.carriedIndexes)
      if ((cells[columnIndex] ?? '').trim() === '') cells[columnIndex] = this.above.cells[columnIndex] ?? '';
    return { ...row, cells };
  }

  /** Returns undefined if the row is or could be a transaction. */
  reasonToSkip(row: Row): string | undefined {
    const filled = row.cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
    const [first = ''] = filled;
    if (keyOf(row) === this.headerKey) return 'Repeated header';
    const date = (row.cells[this.dateIndex] ?? '').trim();
    if (/\d/.test(date)) return undefined;
    if (isTotalWord(first)) return 'Total or footer row';
    if (filled.length === 1 && toPlainNumber(first) === undefined) return 'Line of text';
    return date === '' && !this.hasNumbers(row) ? 'Continuation of the row above' : undefined;
  }

  private isDateless(row: Row): boolean {
    return (row.cells[this.dateIndex] ?? '').trim() === '';
  }

  private hasNumbers(row: Row): boolean {
    return this.numberIndexes.some(
      (columnIndex) => /\d/.test(row.cells[columnIndex] ?? '') && !saysNone(row.cells[columnIndex] ?? ''),
    );
  }
}

const numberFields = fieldSet(
  ['quantity', 'amount', 'total', 'price', 'fee', 'debit', 'credit', 'sentQuantity'],
  ['receivedQuantity', 'basis', 'fmv'],
);
const carriedFields = fieldSet(['date', 'time', 'account', 'asset', 'pair', 'type', 'currency', 'quote']);

function keyOf(row: Row): string {
  return row.cells.map(normalizeHeader).join('\n');
}
