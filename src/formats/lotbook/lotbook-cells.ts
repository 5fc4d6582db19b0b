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
import { contradictionOf, currencyOf } from '../cells/currency-signs.ts';
import { rejected } from '../cells/drafts.ts';
import { plainNumber, saysNone, signsIn } from '../cells/fields.ts';
import { tooLong, tooManyDigits, unreadable } from '../cells/number-kinds.ts';
import { requiredHere, unreadableDate } from '../cells/reasons.ts';
import { readDay, readIsoTime, readTime, type Time } from '../cells/times.ts';
import type { Draft, Outcome, Row } from '../format.ts';
import type { LotbookColumn } from '../lotbook-columns.ts';
import { KnownWords } from './known-words.ts';
import type { Places } from './lotbook-places.ts';
import { moneys, type Numbers, quantities, readLots, readRatio, unescaped } from './lotbook-values.ts';
import { RowCells } from './row-cells.ts';

/**
 * The cells of one row after another, by position: one object for the whole file. A negative position is a missing or
 * unused column and reads as empty. The first unreadable cell is remembered.
 */
export class LotbookCells {
  /** The zone of times without an offset, in which all times are dated. */
  timeZone = 'UTC';
  private row: Row = { line: 0, cells: [] };
  private readonly rowCells = new RowCells();
  private flaw: { readonly place: number; readonly column: string | null; code: string; reason: string } | undefined;
  /** The currency signs and codes next to the amounts. */
  private signs: string[] = [];
  private readonly classes = new KnownWords(assetClasses);
  private readonly boxes = new KnownWords(boxes);
  private readonly terms = new KnownWords<Term>(['short', 'long']);
  private readonly rights = new KnownWords(['call', 'put', 'c', 'p']);
  /** The other positions of a column name that occurs several times, by the first position. */
  private readonly several: ReadonlyMap<number, readonly number[]>;

  constructor(private readonly columns: HeaderColumns) {
    const places = columns.names.map((name) => columns.placesOf(name)).filter((same) => same.length > 1);
    this.several = new Map(places.map(([first = -1, ...others]) => [first, others]));
  }

  open(row: Row, timeZone: string): void {
    this.row = row;
    this.rowCells.open(row);
    this.timeZone = timeZone;
    this.flaw = undefined;
    if (this.signs.length > 0) this.signs = [];
    if (row.flaw === undefined) return;
    const reason = 'Text follows a closing quote, so it is unclear where this cell ends';
    this.reject(row.flaw, 'malformed_cell', reason);
  }

  /** The number of cells of the row. */
  get count(): number {
    return this.rowCells.count;
  }

  /** Undefined if the cell is not in the usual time format, though it may still be a time. */
  isoTime(place: number): Time | undefined {
    const { rowCells: cells, timeZone } = this;
    if (this.several.size > 0) return readIsoTime(this.text(place), timeZone, timeZone);
    cells.find(place);
    return readIsoTime(cells.source, timeZone, timeZone, cells.from, cells.to);
  }

  isEmpty(place: number): boolean {
    this.rowCells.find(place);
    return this.rowCells.from === this.rowCells.to;
  }

  get flawed(): boolean {
    return this.flaw !== undefined;
  }

  text(place: number): string {
    if (place < 0) return '';
    const text = this.rowCells.text(place);
    if (text.length > limits.noteCharacters) {
      this.reject(place, 'too_long', tooLong);
      return '';
    }
    if (this.several.size > 0) this.compare(place, text);
    return text;
  }

  /** Text that may begin like a formula. */
  freeText(place: number): string {
    return place < 0 ? '' : unescaped(this.text(place));
  }

  /** An amount. Reversals are negative. */
  signedMoney(place: number): Money | null {
    return place < 0 ? null : this.number(place, moneys);
  }

  money(place: number): Money | null {
    return place < 0 ? null : this.positive(place, this.signedMoney(place));
  }

  quantity(place: number, needed: boolean): Quantity | null {
    if (place < 0) return null;
    const quantity = this.positive(place, this.number(place, quantities));
    if (quantity !== 0n) return quantity;
    if (needed) this.reject(place, 'not_positive', 'This must be more than zero');
    return null;
  }

  currency(place: number): string {
    if (place < 0) return 'USD';
    const text = this.freeText(place).toUpperCase();
    if (text === '' || text === 'USD') return 'USD';
    if (!/^[A-Z]{3}$/.test(text)) this.reject(place, 'bad_currency', 'A currency has three letters, like USD');
    return text;
  }

  /** The draft in the currency next to its amounts, which must not contradict the currency column. */
  inCurrency(draft: Draft, place: number): Draft {
    if (this.signs.length === 0) return draft;
    const stated = place < 0 || this.isEmpty(place) ? '' : draft.currency;
    const currency = currencyOf(this.signs, stated);
    if (currency === undefined) this.reject(place, 'bad_currency', contradictionOf(this.signs, stated));
    return currency === undefined || currency === draft.currency ? draft : { ...draft, currency };
  }

  acquired(place: number): Statement['acquired'] {
    if (place < 0) return null;
    // Form 8949 prints these words if there is no single date.
    if (/^(?:various|inherited)$/i.test(this.freeText(place))) return null;
    const text = this.text(place);
    if (saysNone(text)) return null;
    const day = readDay(text);
    if (day === undefined) this.reject(place, 'bad_date', unreadableDate);
    return day ?? null;
  }

  instant(place: number): Instant | null {
    const text = this.freeText(place);
    if (text === '') return null;
    const time = readTime(text, this.timeZone, this.timeZone);
    if (time === undefined) this.reject(place, 'bad_date', 'This is not a date or time we can read');
    if (time === undefined || time.at !== null) return time?.at ?? null;
    return readTime(`${text} 00:00:00`, this.timeZone, this.timeZone)?.at ?? null;
  }

  assetClass(place: number): AssetClass | null {
    return this.choice(place, this.classes);
  }

  box(place: number): Box | null {
    return this.choice(place, this.boxes);
  }

  term(place: number): Term | null {
    return this.choice(place, this.terms);
  }

  right(place: number): 'call' | 'put' | null {
    const right = this.choice(place, this.rights);
    return right === null ? null : right.startsWith('c') ? 'call' : 'put';
  }

  ratio(place: number): Ratio | null {
    const text = this.freeText(place);
    if (text === '') return null;
    const ratio = readRatio(text);
    if (ratio === undefined) this.reject(place, 'bad_ratio', 'Write a ratio like 3:1 or 0.7');
    return ratio ?? null;
  }

  lots(place: number): readonly LotChoice[] {
    const text = this.freeText(place);
    if (text === '') return noLots;
    const lots = readLots(text);
    if (lots === undefined)
      this.reject(place, 'bad_lots', 'Write lots like b3:10;b1:5: the id of the opening row, then the quantity');
    return lots ?? noLots;
  }

  /** Checks that an option has a symbol, or an underlying and a right. */
  checkOption({ underlying, right }: Draft, at: Places): void {
    if (underlying !== '' && right !== null) return;
    const reason = 'Write an option like AAPL 2025-01-17 C 150, or fill in "underlying" and "right"';
    this.reject(at.asset, 'bad_option', reason);
  }

  /** A warning about values in money columns that the row's type ignores. Undefined in nearly all rows. */
  leftOut(type: string, { unused }: Places): string | undefined {
    for (const { column, place } of unused) {
      if (this.isEmpty(place) || !/[1-9]/.test(this.rowCells.text(place))) continue;
      return `Check line ${this.row.line}: a row of type ${type} has no ${column}, so ${this.rowCells.text(place)} was ignored.`;
    }
    return undefined;
  }

  /** Requires the column. The row is rejected if it is empty. */
  need(column: LotbookColumn, place: number): void {
    this.flaw ??= { place, column, code: 'missing', reason: requiredHere };
  }

  reject(place: number, code: string, reason: string): void {
    this.flaw ??= { place, column: null, code, reason };
  }

  /** The rejection of the row with the first reason. */
  refused(): Outcome {
    const flaw = this.flaw ?? { place: -1, column: null, code: 'unreadable', reason: 'This row cannot be read' };
    return this.rejected(flaw.place, flaw.code, flaw.reason, flaw.column);
  }

  /** `column` names a column that the header does not have. */
  rejected(place: number, code: string, reason: string, column: string | null = null): Outcome {
    const { line, cells } = this.row;
    return rejected({ line, column: this.columns.names[place] ?? column, code, reason, cells });
  }

  private compare(place: number, text: string): void {
    for (const other of this.several.get(place) ?? []) {
      if (this.rowCells.text(other) === text) continue;
      const name = this.columns.names[place] ?? '';
      this.reject(place, 'ambiguous_column', `Several columns are named "${name}", and their values differ`);
    }
  }

  private number<T>(place: number, numbers: Numbers<T>): T | null {
    const cells = this.rowCells;
    cells.find(place);
    if (this.several.size === 0 && startsWithDigit(cells)) {
      const plain = numbers.parse(cells.source, cells.from, cells.to);
      if (plain !== undefined) return plain;
    }
    const text = this.text(place);
    if (saysNone(text)) return null;
    const value = numbers.read(text);
    if (value !== undefined) {
      this.note(place, signsIn(text), numbers.kind);
      return value;
    }
    if (plainNumber(text) === undefined) this.reject(place, 'bad_number', unreadable(numbers.kind));
    else this.reject(place, 'too_many_digits', tooManyDigits(numbers));
    return null;
  }

  private note(place: number, signs: readonly string[], kind: string): void {
    if (signs.length === 0) return;
    if (kind === 'money') this.signs.push(...signs);
    else this.reject(place, 'bad_currency', 'A quantity cannot have a currency sign');
  }

  private positive<T extends bigint>(place: number, value: T | null): T | null {
    if (value === null || value >= 0n) return value;
    this.reject(place, 'negative', 'This cannot be negative. The type sets the direction');
    return null;
  }

  private choice<Word extends string>(place: number, known: KnownWords<Word>): Word | null {
    const text = this.freeText(place);
    if (text === '') return null;
    const word = known.find(text);
    if (word === undefined) this.reject(place, 'unknown_word', `This must be one of: ${known.words.join(', ')}`);
    return word ?? null;
  }
}

const noLots: readonly LotChoice[] = [];

function startsWithDigit({ source, from }: RowCells): boolean {
  const code = source.charCodeAt(from);
  return code >= zero && code <= nine;
}

const [zero, nine] = [48, 57];
