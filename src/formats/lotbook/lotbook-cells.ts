import type { Instant } from '../../base/day.ts';
import type { Money, Quantity } from '../../base/decimal.ts';
import { limits } from '../../base/limits.ts';
import {
  type AssetClass,
  assetClasses,
  type Box,
  boxes,
  type LotChoice,
  type Ratio,
  type Statement,
  type Term,
} from '../../engine/model.ts';
import type { HeaderColumns } from '../cells/cells.ts';
import { resolveCurrency } from '../cells/currency-signs.ts';
import { toRejectedOutcome } from '../cells/drafts.ts';
import { plainNumber, readCurrencySigns, saysNone } from '../cells/fields.ts';
import { type Rejection, rejections } from '../cells/reasons.ts';
import { readDay, readIsoTime, readTime, type Time } from '../cells/times.ts';
import type { Draft, Outcome, Row } from '../format.ts';
import type { LotbookColumn } from '../lotbook-columns.ts';
import type { ColumnIndexes } from './column-indexes.ts';
import { KnownWords } from './known-words.ts';
import { moneys, type Numbers, quantities, readLots, readRatio, unescapeFormula } from './lotbook-values.ts';
import { RowCells } from './row-cells.ts';

/**
 * Reads the cells of the current row by position. One object serves the whole file. A negative position means a missing
 * or unused column, which reads as empty. Keeps the first unreadable cell.
 */
export class LotbookCells {
  /** The zone for times without an offset. It also determines the day of every time. */
  timeZone = 'UTC';
  /** Whether a value of the row may exceed a limit. Numbers cannot, because they are parsed within the limits. */
  mayExceed = false;
  private row: Row = { line: 0, cells: [] };
  private readonly rowCells = new RowCells();
  private flaw: { readonly place: number; readonly column: string | null; readonly rejection: Rejection } | undefined;
  /** The currency signs and codes next to the amounts. */
  private signs: string[] = [];
  private readonly classes = new KnownWords(assetClasses);
  private readonly boxes = new KnownWords(boxes);
  private readonly terms = new KnownWords<Term>(['short', 'long']);
  private readonly rights = new KnownWords(['call', 'put', 'c', 'p']);
  /** Positions of repeated column names, by the position of the first one. */
  private readonly several: ReadonlyMap<number, readonly number[]>;

  constructor(private readonly columns: HeaderColumns) {
    const duplicateIndexes = columns.names
      .map((name) => columns.findColumnIndexes(name))
      .filter((same) => same.length > 1);
    this.several = new Map(duplicateIndexes.map(([first = -1, ...others]) => [first, others]));
  }

  open(row: Row, timeZone: string): void {
    this.row = row;
    this.rowCells.open(row);
    this.timeZone = timeZone;
    this.flaw = undefined;
    this.mayExceed = false;
    if (this.signs.length > 0) this.signs = [];
    if (row.flaw !== undefined) this.reject(row.flaw, rejections.malformedCell);
  }

  get count(): number {
    return this.rowCells.count;
  }

  /** Parses the usual time format only. Returns undefined for any other text, which may still be a time. */
  isoTime(columnIndex: number): Time | undefined {
    const { rowCells: cells, timeZone } = this;
    if (this.several.size > 0) return readIsoTime(this.text(columnIndex), timeZone, timeZone);
    cells.find(columnIndex);
    return readIsoTime(cells.source, timeZone, timeZone, cells.from, cells.to);
  }

  isEmpty(columnIndex: number): boolean {
    this.rowCells.find(columnIndex);
    return this.rowCells.from === this.rowCells.to;
  }

  get flawed(): boolean {
    return this.flaw !== undefined;
  }

  text(columnIndex: number): string {
    if (columnIndex < 0) return '';
    const text = this.rowCells.text(columnIndex);
    if (text.length > limits.nameCharacters) {
      this.mayExceed = true;
      if (text.length > limits.noteCharacters) {
        this.reject(columnIndex, rejections.tooLong(limits.noteCharacters));
        return '';
      }
    }
    if (this.several.size > 0) this.compare(columnIndex, text);
    return text;
  }

  /** Reads text that may begin like a spreadsheet formula. */
  freeText(columnIndex: number): string {
    return columnIndex < 0 ? '' : unescapeFormula(this.text(columnIndex));
  }

  /** Reads an amount that may be negative, because reversals are. */
  signedMoney(columnIndex: number): Money | null {
    return columnIndex < 0 ? null : this.number(columnIndex, moneys);
  }

  money(columnIndex: number): Money | null {
    return columnIndex < 0 ? null : this.positive(columnIndex, this.signedMoney(columnIndex));
  }

  quantity(columnIndex: number, needed: boolean): Quantity | null {
    if (columnIndex < 0) return null;
    const quantity = this.positive(columnIndex, this.number(columnIndex, quantities));
    if (quantity !== 0n) return quantity;
    if (needed) this.reject(columnIndex, rejections.notPositive);
    return null;
  }

  currency(columnIndex: number): string {
    if (columnIndex < 0) return 'USD';
    const text = this.freeText(columnIndex).toUpperCase();
    if (text === '' || text === 'USD') return 'USD';
    if (!/^[A-Z]{3}$/.test(text)) this.reject(columnIndex, rejections.malformedCurrency);
    return text;
  }

  /** Sets the draft's currency to the one next to its amounts. It must not contradict the currency column. */
  inCurrency(draft: Draft, columnIndex: number): Draft {
    if (this.signs.length === 0) return draft;
    const stated = columnIndex < 0 || this.isEmpty(columnIndex) ? '' : draft.currency;
    const currency = resolveCurrency(this.signs, stated);
    if (currency === undefined) this.reject(columnIndex, rejections.currencyConflict(this.signs, stated));
    return currency === undefined || currency === draft.currency ? draft : { ...draft, currency };
  }

  acquired(columnIndex: number): Statement['acquired'] {
    if (columnIndex < 0) return null;
    // Form 8949 prints these words if a lot has no single acquisition date.
    if (/^(?:various|inherited)$/i.test(this.freeText(columnIndex))) return null;
    const text = this.text(columnIndex);
    if (saysNone(text)) return null;
    const day = readDay(text);
    if (day === undefined) this.reject(columnIndex, rejections.unreadableDate);
    return day ?? null;
  }

  instant(columnIndex: number): Instant | null {
    const text = this.freeText(columnIndex);
    if (text === '') return null;
    const time = readTime(text, this.timeZone, this.timeZone);
    if (time === undefined) this.reject(columnIndex, rejections.unreadableTime);
    if (time === undefined || time.at !== null) return time?.at ?? null;
    return readTime(`${text} 00:00:00`, this.timeZone, this.timeZone)?.at ?? null;
  }

  assetClass(columnIndex: number): AssetClass | null {
    return this.choice(columnIndex, this.classes);
  }

  box(columnIndex: number): Box | null {
    return this.choice(columnIndex, this.boxes);
  }

  term(columnIndex: number): Term | null {
    return this.choice(columnIndex, this.terms);
  }

  right(columnIndex: number): 'call' | 'put' | null {
    const right = this.choice(columnIndex, this.rights);
    return right === null ? null : right.startsWith('c') ? 'call' : 'put';
  }

  ratio(columnIndex: number): Ratio | null {
    const text = this.freeText(columnIndex);
    if (text === '') return null;
    const ratio = readRatio(text);
    if (ratio === undefined) this.reject(columnIndex, rejections.lotbookRatio);
    this.mayExceed = true;
    return ratio ?? null;
  }

  lots(columnIndex: number): readonly LotChoice[] {
    const text = this.freeText(columnIndex);
    if (text === '') return noLots;
    const lots = readLots(text);
    if (lots === undefined) this.reject(columnIndex, rejections.lotbookLots);
    return lots ?? noLots;
  }

  /** Checks that an option has either a symbol, or an underlying and a right. */
  checkOption({ underlying, right }: Draft, indexes: ColumnIndexes): void {
    if (underlying !== '' && right !== null) return;
    this.reject(indexes.asset, rejections.lotbookOption);
  }

  /** Warns about values in money columns that the row's type does not use. Undefined in most rows. */
  leftOut(type: string, { unused }: ColumnIndexes): string | undefined {
    for (const { column, place: columnIndex } of unused) {
      if (this.isEmpty(columnIndex) || !/[1-9]/.test(this.rowCells.text(columnIndex))) continue;
      return `Check line ${this.row.line}: a row of type ${type} has no ${column}, so ${this.rowCells.text(columnIndex)} was ignored.`;
    }
    return undefined;
  }

  /** Rejects the row if the column is empty. */
  need(column: LotbookColumn, columnIndex: number): void {
    this.flaw ??= { place: columnIndex, column, rejection: rejections.requiredHere };
  }

  reject(columnIndex: number, rejection: Rejection): void {
    this.flaw ??= { place: columnIndex, column: null, rejection };
  }

  /** Rejects the row with its first reason. */
  refused(): Outcome {
    const flaw = this.flaw ?? { place: -1, column: null, rejection: rejections.unreadableRow };
    return this.rejected(flaw.place, flaw.rejection, flaw.column);
  }

  /** Rejects the row. `column` names a column that is missing from the header. */
  rejected(columnIndex: number, { code, reason }: Rejection, column: string | null = null): Outcome {
    const { line, cells } = this.row;
    return toRejectedOutcome({ line, column: this.columns.names[columnIndex] ?? column, code, reason, cells });
  }

  private compare(columnIndex: number, text: string): void {
    for (const other of this.several.get(columnIndex) ?? []) {
      if (this.rowCells.text(other) === text) continue;
      this.reject(columnIndex, rejections.columnsDiffer(this.columns.names[columnIndex] ?? ''));
    }
  }

  private number<T>(columnIndex: number, numbers: Numbers<T>): T | null {
    const cells = this.rowCells;
    cells.find(columnIndex);
    if (this.several.size === 0 && startsWithDigit(cells)) {
      const plain = numbers.parse(cells.source, cells.from, cells.to);
      if (plain !== undefined) return plain;
    }
    const text = this.text(columnIndex);
    if (saysNone(text)) return null;
    const value = numbers.read(text);
    if (value !== undefined) {
      this.note(columnIndex, readCurrencySigns(text), numbers.kind);
      return value;
    }
    if (plainNumber(text) === undefined) this.reject(columnIndex, rejections.unreadableNumber(numbers.kind));
    else this.reject(columnIndex, rejections.tooManyDigits(numbers));
    return null;
  }

  private note(columnIndex: number, signs: readonly string[], kind: string): void {
    if (signs.length === 0) return;
    if (kind === 'money') this.signs.push(...signs);
    else this.reject(columnIndex, rejections.quantityWithCurrency);
  }

  private positive<T extends bigint>(columnIndex: number, value: T | null): T | null {
    if (value === null || value >= 0n) return value;
    this.reject(columnIndex, rejections.negativeHere);
    return null;
  }

  private choice<Word extends string>(columnIndex: number, known: KnownWords<Word>): Word | null {
    const text = this.freeText(columnIndex);
    if (text === '') return null;
    const word = known.find(text);
    if (word === undefined) this.reject(columnIndex, rejections.unknownWord(known.words));
    return word ?? null;
  }
}

export const noLots: readonly LotChoice[] = [];

function startsWithDigit({ source, from }: RowCells): boolean {
  const code = source.charCodeAt(from);
  return code >= zero && code <= nine;
}

const [zero, nine] = [48, 57];
