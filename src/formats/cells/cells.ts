import type { Day } from '../../base/day.ts';
import type { Money, Quantity } from '../../base/decimal.ts';
import { limits } from '../../base/limits.ts';
import type { Draft, Outcome, ReadingContext, Row } from '../format.ts';
import { isNamed, isSignOf, resolveCurrency, signWithoutUnit } from './currency-signs.ts';
import {
  findFault,
  isTakenBack,
  isWithoutMoney,
  read,
  type StatedFields,
  toDraft,
  toRejectedOutcome,
  toSkippedOutcome,
  withoutNoValue,
  withWarning,
} from './drafts.ts';
import { effectiveDays, effectiveDaysMax } from './effective-dates.ts';
import {
  type NumberStyle,
  readCurrencySigns,
  readMoney,
  readMoneyRounded,
  readQuantity,
  readQuantityRounded,
  saysNone,
  toPlainNumber,
} from './fields.ts';
import { type HeaderColumns, normalizeHeader } from './header-columns.ts';
import { moneyNumber, type NumberKind, quantityNumber, readNumberOfKind } from './number-kinds.ts';
import { type Rejection, rejections } from './reasons.ts';
import { dayOfRow } from './row-day.ts';
import { type DateOrder, readDay, readEpoch, readTime, type Time } from './times.ts';

export { HeaderColumns, normalizeHeader } from './header-columns.ts';

/** A source's date and number conventions that differ from US services. */
export interface Conventions {
  /** The zone for times without an offset. Default: the taxpayer's time zone. */
  readonly zone?: string;
  readonly dates?: DateOrder;
  readonly numbers?: NumberStyle;
  /** The mapping's date column. */
  readonly dateColumn?: string;
}

/** Reads one row by its column names. Keeps the first unreadable cell, which makes the result a rejection. */
export class Cells {
  private flaw: { readonly column: string | null; readonly rejection: Rejection } | undefined;
  /** The currency signs and codes next to the amounts. Undefined in most rows. */
  private signs: { readonly column: string; readonly signs: readonly string[] }[] | undefined;
  /** The first money column with a nonzero value. */
  private paid: string | undefined;
  /** A contradiction between two values in the row. Undefined in most rows. */
  private warning: string | undefined;
  /** The absolute values of quantities that have a minus sign. Undefined if there are none. */
  private outgoing: bigint[] | undefined;
  /** The row's day, set when its date cell is read. Rejected rows keep it. */
  private dated: Day | undefined;

  constructor(
    readonly row: Row,
    private readonly columns: HeaderColumns,
    private readonly context: ReadingContext,
    private readonly conventions: Conventions = {},
  ) {
    if (row.flaw !== undefined) {
      this.reject(columns.names[row.flaw] ?? null, rejections.malformedCell);
    }
  }

  get line(): number {
    return this.row.line;
  }

  private get dates(): DateOrder | undefined {
    return this.context.dates ?? this.conventions.dates;
  }

  has(name: string): boolean {
    return this.columns.has(name);
  }

  text(name: string): string {
    const columnIndexes = this.columns.findColumnIndexes(name);
    const first = columnIndexes[0];
    if (first === undefined) return '';
    const text = (this.row.cells[first] ?? '').trim();
    if (text.length > limits.noteCharacters) {
      this.reject(name, rejections.tooLong(limits.noteCharacters));
      return '';
    }
    for (let other = 1; other < columnIndexes.length; other++) {
      if ((this.row.cells[columnIndexes[other] ?? first] ?? '').trim() !== text) {
        this.reject(name, rejections.columnsDiffer(name));
      }
    }
    return text;
  }

  /** Returns null if the cell is empty or unreadable. An unreadable cell rejects the row. */
  money(name: string): Money | null {
    return this.ofCurrency(name, this.number(name, readMoney, moneyNumber));
  }

  quantity(name: string): Quantity | null {
    return this.ofUnit(name, this.number(name, readQuantity, quantityNumber));
  }

  /** Same as `money`, but rounds, because some sources print more digits than a money value can hold. */
  roundedMoney(name: string): Money | null {
    return this.ofCurrency(name, this.number(name, readMoneyRounded, moneyNumber));
  }

  roundedQuantity(name: string): Quantity | null {
    return this.ofUnit(name, this.number(name, readQuantityRounded, quantityNumber));
  }

  /**
   * Reads a price with any number of decimals, as a plain decimal. Returns null if the cell is empty or not a number.
   */
  price(name: string): string | null {
    return this.parsePrice(name, this.text(name), this.conventions.numbers);
  }

  /** Same as `price`, for text derived from the cell. */
  parsePrice(name: string, text: string, style?: NumberStyle): string | null {
    return this.ofCurrency(name, toPlainNumber(text, style) ?? null);
  }

  /** Returns the currency next to the number in this cell. '' if it is unknown or missing. */
  currencyBeside(name: string): string {
    const signs = readCurrencySigns(this.text(name));
    return signs.length === 0 ? '' : (resolveCurrency(signs, '') ?? '');
  }

  /** Records a quantity that has a minus sign, because income with a negative quantity would leave the account. */
  addOutgoing(units: bigint): void {
    this.outgoing = [...(this.outgoing ?? []), -units];
  }

  /** Records the currency signs and codes in a money column. */
  addCurrency(name: string, signs: readonly string[]): void {
    if (signs.length > 0) this.signs = [...(this.signs ?? []), { column: name, signs }];
  }

  /**
   * Returns the currency shown next to the row's amounts. Rejects the row if it differs between amounts or from the
   * `stated` one ('' for none).
   */
  currencyOfRow(stated: string): string {
    const [first] = this.signs ?? [];
    if (first === undefined) return stated;
    const otherSigns = (this.signs ?? []).flatMap(({ signs }) => signs);
    const agreed = resolveCurrency(otherSigns, stated);
    if (agreed === undefined) this.reject(first.column, rejections.currencyConflict(otherSigns, stated));
    return agreed ?? stated;
  }

  /** Rejects the row if the number in this cell has the sign of a currency other than `unit`. */
  needUnit(name: string, unit: string): void {
    const other = readCurrencySigns(this.text(name)).find((sign) => !isSignOf(sign, unit));
    if (other !== undefined) this.reject(name, rejections.inOtherCurrency(other, unit));
  }

  /** Reads a required date or instant. `zone` applies to times without an offset. Default: the taxpayer's time zone. */
  time(name: string, zone = this.conventions.zone ?? this.context.timeZone): Time | null {
    return this.parseTime(name, this.text(name), zone);
  }

  /**
   * Same as `time`, for an event that a broker books in the evening, such as a split at 8:25 PM. Uses the broker's day
   * in `zone`, wherever the taxpayer lives.
   */
  bookedTime(name: string, zone: string): Time | null {
    const time = readTime(this.text(name), zone, zone, this.dates);
    if (time === undefined) return this.time(name, zone);
    this.dated ??= time.on;
    return time.at === null ? time : { ...time, zone };
  }

  /** Same as `time`, for text combined from several cells. Errors refer to the column `name`. */
  parseTime(name: string, text: string, zone = this.conventions.zone ?? this.context.timeZone): Time | null {
    if (text === '') {
      this.reject(name, rejections.dateMissing);
      return null;
    }
    const time = readTime(text, zone, this.context.timeZone, this.dates);
    if (time === undefined) this.reject(name, rejections.unreadableDate);
    this.dated ??= time?.on;
    return time ?? null;
  }

  /**
   * Same as `time`, but returns the day after "as of" if the row's text contains one, because that is the effective day
   * of trades, assignments and distributions. That day must be within the year before the row's date.
   */
  effectiveTime(name: string, texts: readonly string[], zone?: string): Time | null {
    return this.effective(zone === undefined ? this.time(name) : this.time(name, zone), texts);
  }

  /** Same as `effectiveTime`, for a time that is already parsed. */
  effective(time: Time | null, texts: readonly string[]): Time | null {
    if (time === null) return null;
    for (const text of texts) {
      const [day, other] = effectiveDays(this.text(text), time.on, this.dates);
      if (day === undefined) continue;
      if (other !== undefined || day > time.on || time.on - day > effectiveDaysMax) {
        this.reject(text, rejections.asOfTooFar);
        return null;
      }
      this.dated = day;
      return day === time.on ? time : { at: null, on: day };
    }
    return time;
  }

  /** Reads a required number of seconds or milliseconds since 1970. */
  epoch(name: string): Time | null {
    const time = readEpoch(this.text(name), this.context.timeZone);
    if (time === undefined) this.reject(name, rejections.notEpoch);
    this.dated ??= time?.on;
    return time ?? null;
  }

  day(name: string): Day | null {
    const text = this.text(name);
    if (saysNone(text)) return null;
    const day = readDay(text, this.dates);
    if (day === undefined) this.reject(name, rejections.unreadableDate);
    return day ?? null;
  }

  /** Records an error and continues. `read` later rejects the row with its first error. */
  reject(column: string | null, rejection: Rejection): void {
    this.flaw ??= { column: column === null ? null : this.getHeaderName(column), rejection };
  }

  /** Rejects the row if the value is missing. */
  need<T>(name: string, value: T | null): T | null {
    if (value === null) this.reject(name, rejections.requiredHere);
    return value;
  }

  /** Returns the row's draft, or its rejection if a cell was unreadable. */
  read(time: Time | null, ...stated: readonly StatedFields[]): Outcome {
    const valued = stated.map(withoutNoValue);
    const drafts = this.signs === undefined ? valued : valued.map((one) => this.inCurrency(one));
    for (const one of drafts) {
      if (this.outgoing !== undefined && isTakenBack(one, this.outgoing)) this.reject(null, rejections.negativeIncome);
      if (this.paid !== undefined && isWithoutMoney(one)) this.reject(this.paid, rejections.moneyLeft);
      const fault = findFault(one);
      if (fault !== undefined) this.reject(null, fault);
    }
    if (this.flaw !== undefined || time === null) return this.refused();
    return read(this.line, ...drafts.map((one) => this.warned(toDraft(this.line, time, one))));
  }

  /** Treats the amount as the value of shares instead of a cash payment. */
  acceptValue(): void {
    this.paid = undefined;
  }

  /** Adds a warning about two contradictory values in the row. The row is still imported. */
  warn(disagreement: string): void {
    this.warning ??= `Check line ${this.line}: ${disagreement}.`;
  }

  /** Adds the warning to the draft and to its note. */
  warned(draft: Draft): Draft {
    return this.warning === undefined ? draft : withWarning(draft, this.warning);
  }

  /** Skips the row. A row with an unreadable cell is still rejected. */
  skip(reason: string): Outcome {
    return this.flaw === undefined ? toSkippedOutcome(this.line, reason) : this.refused();
  }

  /** Rejects the row with the first recorded reason. */
  refused(): Outcome {
    const { column, rejection } = this.flaw ?? { column: null, rejection: rejections.unreadableRow };
    return this.rejected(column, rejection);
  }

  rejected(column: string | null, { code, reason, manual }: Rejection): Outcome {
    // The row parser's own flaw already names the column as the file does.
    const name = column === null ? null : this.getHeaderName(column);
    const { line, cells } = this.row;
    return toRejectedOutcome({
      line,
      column: name,
      code,
      reason,
      ...(manual ? { manual } : {}),
      cells,
      ...this.dayRejected(cells),
    });
  }

  /** Returns the day of a rejected row: the one already read, or else the most likely one in its cells. */
  private dayRejected(cells: readonly string[]): { readonly on?: Day } {
    if (this.dated !== undefined) return { on: this.dated };
    const { timeZone: taxZone } = this.context;
    const { zone = taxZone, dateColumn } = this.conventions;
    const names = this.columns.names.map(normalizeHeader);
    const mapped = dateColumn === undefined ? undefined : normalizeHeader(dateColumn);
    const on = dayOfRow(cells, { names, mapped, zone, taxZone, dates: this.dates });
    return on === null ? {} : { on };
  }

  /** The header names as written in the file. */
  get columnNames(): readonly string[] {
    return this.columns.names;
  }

  get flawed(): boolean {
    return this.flaw !== undefined;
  }

  /** Returns the header name as written in the file. */
  private getHeaderName(column: string): string {
    const columnIndex = this.columns.findColumnIndexes(column)[0];
    return (columnIndex === undefined ? undefined : this.columns.names[columnIndex]) ?? column;
  }

  /** Records the currency next to an amount as the row's currency. */
  private ofCurrency<T>(name: string, value: T | null): T | null {
    if (typeof value === 'bigint' && value !== 0n) this.paid ??= name;
    if (value !== null) this.addCurrency(name, readCurrencySigns(this.text(name)));
    return value;
  }

  /**
   * Rejects the row if the sign next to a quantity belongs to an asset that the row does not mention. Example: `$5` in
   * a row that never mentions dollars.
   */
  private ofUnit<T extends bigint>(name: string, value: T | null): T | null {
    if (value !== null && value < 0n) this.addOutgoing(value);
    const signs = value === null ? [] : readCurrencySigns(this.text(name));
    if (signs.length === 0) return value;
    const columnIndex = this.columns.findColumnIndexes(name)[0];
    const unknown = signWithoutUnit(signs, this.row.cells.toSpliced(columnIndex ?? -1, 1));
    if (unknown === undefined) return value;
    this.reject(name, rejections.unitNotMentioned(unknown));
    return null;
  }

  /** Converts the draft to the currency shown next to its amounts. */
  private inCurrency(stated: StatedFields): StatedFields {
    const { currency = 'USD', amount, fee, fmv, basis } = stated;
    if ([amount, fee, fmv, basis].every((value) => (value ?? null) === null)) return stated;
    // Formats pass USD if the row names no currency.
    const agreed = this.currencyOfRow(currency === 'USD' && !isNamed(currency, this.row.cells) ? '' : currency);
    return agreed === '' || agreed === currency ? stated : { ...stated, currency: agreed };
  }

  private number<T extends bigint>(
    name: string,
    readNumber: (text: string) => T | undefined,
    kind: NumberKind,
  ): T | null {
    const text = this.text(name);
    if (saysNone(text)) return null;
    const read = readNumberOfKind(text, readNumber, { kind, style: this.conventions.numbers });
    if (typeof read !== 'object') return read;
    this.reject(name, read);
    return null;
  }
}
