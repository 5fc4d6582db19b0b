import type { Day, Instant } from '../../base/day.ts';
import { behind, type Column, type ColumnState, doubles, wholes, withRoom } from './cells.ts';

/**
 * Columns of a history, a row a place. A million transactions as objects take half a gigabyte, as columns a tenth of it;
 * a column that no row states takes nothing.
 */

/** Texts of which a file has few: each is kept once, a row has its number. */
export class WordColumn<Word extends string | null> implements Column {
  private words: Word[];
  private readonly numbers = new Map<Word, number>();
  private places: Int32Array<SharedArrayBuffer> | null = null;
  private last: Word;
  private lastNumber = 0;

  constructor(unstated: Word) {
    this.words = [unstated];
    this.numbers.set(unstated, 0);
    this.last = unstated;
  }

  set(row: number, word: Word): void {
    if (word === this.words[0]) return;
    this.places = withRoom(this.places, row, wholes);
    this.places[row] = this.numberOf(word);
  }

  get(row: number): Word {
    return this.words[this.number(row)] as Word;
  }

  /** The same for the same word. */
  number(row: number): number {
    return this.places === null ? 0 : (this.places[row] ?? 0);
  }

  get state(): ColumnState {
    return { cells: [this.places], values: this.words };
  }

  adopt({ cells: [places], values }: ColumnState): void {
    this.places = places as typeof this.places;
    this.words = [...(values as Word[])];
    this.numbers.clear();
    for (const [number, word] of this.words.entries()) this.numbers.set(word, number);
    [this.last, this.lastNumber] = [this.words[0] as Word, 0];
  }

  append({ cells: [others], values }: ColumnState, row: number, count: number): void {
    if (others === null || others === undefined) return;
    const numbers = (values as Word[]).map((word) => this.numberOf(word));
    this.places = withRoom(this.places, row + count - 1, wholes);
    for (let at = 0; at < count; at++) this.places[row + at] = numbers[Number(others[at] ?? 0)] ?? 0;
  }

  private numberOf(word: Word): number {
    if (word === this.last) return this.lastNumber;
    let number = this.numbers.get(word);
    if (number === undefined) {
      number = this.words.length;
      this.words.push(word);
      this.numbers.set(word, number);
    }
    this.last = word;
    this.lastNumber = number;
    return number;
  }
}

/** Whole numbers of 32 bits, stated on every row. */
export class WholeColumn implements Column {
  private numbers: Int32Array<SharedArrayBuffer> | null = null;

  set(row: number, number: number): void {
    this.numbers = withRoom(this.numbers, row, wholes);
    this.numbers[row] = number;
  }

  get(row: number): number {
    return this.numbers?.[row] ?? 0;
  }

  get state(): ColumnState {
    return { cells: [this.numbers], values: null };
  }

  adopt({ cells: [numbers] }: ColumnState): void {
    this.numbers = numbers as typeof this.numbers;
  }

  append({ cells: [others] }: ColumnState, row: number, count: number): void {
    this.numbers = behind(this.numbers, others as typeof this.numbers, row, count, wholes);
  }
}

export class DayColumn implements Column {
  private days: Int32Array<SharedArrayBuffer> | null = null;

  set(row: number, day: Day | null): void {
    if (day === null) return;
    this.days = withRoom(this.days, row, noDays);
    this.days[row] = day;
  }

  get(row: number): Day | null {
    const day = this.days === null ? noDay : (this.days[row] ?? noDay);
    return day === noDay ? null : (day as Day);
  }

  get state(): ColumnState {
    return { cells: [this.days], values: null };
  }

  adopt({ cells: [days] }: ColumnState): void {
    this.days = days as typeof this.days;
  }

  append({ cells: [others] }: ColumnState, row: number, count: number): void {
    this.days = behind(this.days, others as typeof this.days, row, count, noDays);
  }
}

const noDay = -2_147_483_648;
const noDays = (length: number) => wholes(length).fill(noDay);

export class InstantColumn implements Column {
  private instants: Float64Array<SharedArrayBuffer> | null = null;

  set(row: number, instant: Instant | null): void {
    if (instant === null) return;
    this.instants = withRoom(this.instants, row, noInstants);
    this.instants[row] = instant;
  }

  get(row: number): Instant | null {
    const instant = this.instants === null ? Number.NaN : (this.instants[row] ?? Number.NaN);
    return Number.isNaN(instant) ? null : (instant as Instant);
  }

  get state(): ColumnState {
    return { cells: [this.instants], values: null };
  }

  adopt({ cells: [instants] }: ColumnState): void {
    this.instants = instants as typeof this.instants;
  }

  append({ cells: [others] }: ColumnState, row: number, count: number): void {
    this.instants = behind(this.instants, others as typeof this.instants, row, count, noInstants);
  }
}

const noInstants = (length: number) => doubles(length).fill(Number.NaN);

/** What few rows state, or what is another on each. */
export class ValueColumn<Value> implements Column {
  private values: Value[] | null = null;

  constructor(private readonly unstated: Value) {}

  set(row: number, value: Value): void {
    if (value === this.unstated) return;
    this.values ??= [];
    this.values[row] = value;
  }

  get(row: number): Value {
    return this.values === null ? this.unstated : (this.values[row] ?? this.unstated);
  }

  get state(): ColumnState {
    return { cells: [], values: this.values };
  }

  adopt({ values }: ColumnState): void {
    this.values = values as Value[] | null;
  }

  append({ values }: ColumnState, row: number): void {
    for (const [at, value] of (values ?? []).entries()) if (value !== undefined) this.set(row + at, value as Value);
  }
}
