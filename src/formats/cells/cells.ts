import type { Day } from '../../base/day.ts';
import type { Money, Quantity } from '../../base/decimal.ts';
import type { Outcome, ReadingContext, Row } from '../format.ts';
import { draftOf, faultIn, read, rejected, type Stated, skipped } from './drafts.ts';
import {
  type NumberStyle,
  numberIn,
  readMoney,
  readMoneyRounded,
  readQuantity,
  readQuantityRounded,
  saysNone,
} from './fields.ts';
import { type DateOrder, readDay, readEpoch, readTime, type Time } from './times.ts';

/** How a source writes dates and numbers, where it differs from US services. */
export interface Conventions {
  /** The zone of times without offset. Default: the taxpayer's. */
  readonly zone?: string;
  readonly dates?: DateOrder;
  readonly numbers?: NumberStyle;
}

/** The form in which headers are compared: without case, blanks and invisible characters. */
export function normalizeHeader(name: string): string {
  return name
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, '')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase();
}

/**
 * The places of the columns of a header row. Of two columns of one name the first is read, and the other must agree.
 */
export class HeaderColumns {
  readonly names: readonly string[];
  private readonly places = new Map<string, readonly number[]>();

  constructor(header: Row) {
    this.names = header.cells.map((cell) => cell.trim());
    this.names.forEach((name, index) => {
      const key = normalizeHeader(name);
      if (key === '') return;
      this.places.set(key, [...(this.places.get(key) ?? []), index]);
    });
  }

  has(name: string): boolean {
    return this.places.has(normalizeHeader(name));
  }

  /** The first of some spellings that the header has. Otherwise the first spelling. */
  pick(...names: readonly [string, ...string[]]): string {
    return names.find((name) => this.has(name)) ?? names[0];
  }

  placesOf(name: string): readonly number[] {
    // Readers look up the same few spellings on every row: they are cached as written.
    const known = this.places.get(name);
    if (known !== undefined) return known;
    const places = this.places.get(normalizeHeader(name)) ?? [];
    this.places.set(name, places);
    return places;
  }
}

/** One row under its header. The first unreadable cell is remembered, so that the row is rejected. */
export class Cells {
  private flaw: { column: string | null; code: string; reason: string } | undefined;

  constructor(
    readonly row: Row,
    private readonly columns: HeaderColumns,
    private readonly context: ReadingContext,
    private readonly conventions: Conventions = {},
  ) {
    if (row.flaw !== undefined) {
      const reason = 'text follows a closing quote, so that the end of the cell is not certain';
      this.reject(columns.names[row.flaw] ?? null, 'malformed_cell', reason);
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
    const places = this.columns.placesOf(name);
    const first = places[0];
    if (first === undefined) return '';
    const text = (this.row.cells[first] ?? '').trim();
    for (let other = 1; other < places.length; other++) {
      if ((this.row.cells[places[other] ?? first] ?? '').trim() !== text) {
        this.reject(name, 'ambiguous_column', `there are several columns "${name}" and they disagree`);
      }
    }
    return text;
  }

  /** Null where the cell is empty or cannot be read. In the second case the row is rejected. */
  money(name: string): Money | null {
    return this.number(name, readMoney, 'money', 8);
  }

  quantity(name: string): Quantity | null {
    return this.number(name, readQuantity, 'quantity', 18);
  }

  /** For sources that print more digits than money has. */
  roundedMoney(name: string): Money | null {
    return this.number(name, readMoneyRounded, 'money', 8);
  }

  roundedQuantity(name: string): Quantity | null {
    return this.number(name, readQuantityRounded, 'quantity', 18);
  }

  /** A date or an instant. It must be there. `zone` is the zone of times without offset. Default: the taxpayer's. */
  time(name: string, zone = this.conventions.zone ?? this.context.timeZone): Time | null {
    return this.timeOf(name, this.text(name), zone);
  }

  /** As `time`, for a text made of several cells. Errors name the column `name`. */
  timeOf(name: string, text: string, zone = this.conventions.zone ?? this.context.timeZone): Time | null {
    if (text === '') {
      this.reject(name, 'missing', 'the date is missing');
      return null;
    }
    const time = readTime(text, zone, this.context.timeZone, this.dates);
    if (time === undefined) this.reject(name, 'bad_date', 'this is no date between 1900 and 2100 in a shape we know');
    return time ?? null;
  }

  /** Seconds or milliseconds since 1970. Must be there. */
  epoch(name: string): Time | null {
    const time = readEpoch(this.text(name), this.context.timeZone);
    if (time === undefined) this.reject(name, 'bad_date', 'this is no count of seconds or milliseconds since 1970');
    return time ?? null;
  }

  day(name: string): Day | null {
    const text = this.text(name);
    if (saysNone(text)) return null;
    const day = readDay(text, this.dates);
    if (day === undefined) this.reject(name, 'bad_date', 'this is no date between 1900 and 2100 in a shape we know');
    return day ?? null;
  }

  /** Notes a flaw and reads on. In the end the row is rejected by its first flaw. */
  reject(column: string | null, code: string, reason: string): void {
    this.flaw ??= { column: column === null ? null : this.nameOf(column), code, reason };
  }

  /** A value that must be there: without it the row is rejected. */
  need<T>(name: string, value: T | null): T | null {
    if (value === null) this.reject(name, 'missing', 'this kind of row needs it');
    return value;
  }

  /** The draft of the row, or its rejection because a cell could not be read. */
  read(time: Time | null, ...stated: readonly Stated[]): Outcome {
    for (const one of stated) {
      const fault = faultIn(one);
      if (fault !== undefined) this.reject(null, fault.code, fault.reason);
    }
    if (this.flaw !== undefined || time === null) return this.refused();
    return read(this.line, ...stated.map((one) => draftOf(this.line, time, one)));
  }

  /** Skips the row. A row with an unreadable cell is rejected all the same. */
  skip(reason: string): Outcome {
    return this.flaw === undefined ? skipped(this.line, reason) : this.refused();
  }

  /** The rejection of the row, with the first reason found. */
  refused(): Outcome {
    const { column, code, reason } = this.flaw ?? { column: null, code: 'unreadable', reason: 'it cannot be read' };
    return this.rejected(column, code, reason);
  }

  rejected(column: string | null, code: string, reason: string): Outcome {
    // The column of a flaw is already written as in the file.
    const name = column === null ? null : this.nameOf(column);
    return rejected({ line: this.row.line, column: name, code, reason, cells: this.row.cells });
  }

  get flawed(): boolean {
    return this.flaw !== undefined;
  }

  /** The header as the file writes it. */
  private nameOf(column: string): string {
    const place = this.columns.placesOf(column)[0];
    return (place === undefined ? undefined : this.columns.names[place]) ?? column;
  }

  private number<T>(
    name: string,
    readNumber: (text: string) => T | undefined,
    kind: string,
    decimals: number,
  ): T | null {
    const text = this.text(name);
    if (saysNone(text)) return null;
    // Nearly all numbers are plain and the same in every style, except with a decimal comma: they are read directly.
    const direct = this.conventions.numbers === 'decimal comma' ? undefined : readNumber(text);
    if (direct !== undefined) return direct;
    const plain = numberIn(text, this.conventions.numbers);
    const value = plain === undefined ? undefined : readNumber(plain);
    if (value !== undefined) return value;
    if (plain === undefined) this.reject(name, 'bad_number', `this is no ${kind} in a shape we know`);
    else
      this.reject(name, 'too_many_digits', `a ${kind} has at most 20 digits before the point and ${decimals} after it`);
    return null;
  }
}
