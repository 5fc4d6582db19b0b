import type { Day, Instant } from '../base/day.ts';

/**
 * Columns of a history, a row a place. A million transactions as objects take half a gigabyte, as columns a tenth of it;
 * a column that no row states takes nothing.
 */

/** Texts of which a file has few: each is kept once, a row has its number. */
export class WordColumn<Word extends string | null> {
  private readonly words: Word[];
  private readonly numbers = new Map<Word, number>();
  private places: Int32Array | null = null;
  private last: Word;
  private lastNumber = 0;

  constructor(unstated: Word) {
    this.words = [unstated];
    this.numbers.set(unstated, 0);
    this.last = unstated;
  }

  set(row: number, word: Word): void {
    if (word === this.words[0]) return;
    this.places = withRoom(this.places, row, (length) => new Int32Array(length));
    this.places[row] = this.numberOf(word);
  }

  get(row: number): Word {
    return this.words[this.number(row)] as Word;
  }

  /** The same for the same word. */
  number(row: number): number {
    return this.places === null ? 0 : (this.places[row] ?? 0);
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
export class WholeColumn {
  private numbers: Int32Array | null = null;

  set(row: number, number: number): void {
    this.numbers = withRoom(this.numbers, row, (length) => new Int32Array(length));
    this.numbers[row] = number;
  }

  get(row: number): number {
    return this.numbers?.[row] ?? 0;
  }
}

export class DayColumn {
  private days: Int32Array | null = null;

  set(row: number, day: Day | null): void {
    if (day === null) return;
    this.days = withRoom(this.days, row, (length) => new Int32Array(length).fill(noDay));
    this.days[row] = day;
  }

  get(row: number): Day | null {
    const day = this.days === null ? noDay : (this.days[row] ?? noDay);
    return day === noDay ? null : (day as Day);
  }
}

const noDay = -2_147_483_648;

export class InstantColumn {
  private instants: Float64Array | null = null;

  set(row: number, instant: Instant | null): void {
    if (instant === null) return;
    this.instants = withRoom(this.instants, row, (length) => new Float64Array(length).fill(Number.NaN));
    this.instants[row] = instant;
  }

  get(row: number): Instant | null {
    const instant = this.instants === null ? Number.NaN : (this.instants[row] ?? Number.NaN);
    return Number.isNaN(instant) ? null : (instant as Instant);
  }
}

/** Integers of 128 bits, which hold every number that a file may state, in two halves; the upper one only where it says more. */
export class IntegerColumn<Integer extends bigint> {
  private lower: BigInt64Array | null = null;
  /** The same memory by halves of 32 bits. */
  private halves: Int32Array | null = null;
  private upper: BigInt64Array | null = null;
  private stated: Uint8Array | null = null;

  set(row: number, integer: Integer | null): void {
    if (integer === null) return;
    this.stated = withRoom(this.stated, row, (length) => new Uint8Array(length));
    const lower = withRoom(this.lower, row, (length) => new BigInt64Array(length));
    if (lower !== this.lower) this.halves = new Int32Array(lower.buffer);
    this.lower = lower;
    // An element takes the lowest 64 bits of what is given.
    this.lower[row] = integer;
    if (integer >= leastHalf && integer <= mostHalf) {
      this.stated[row] = halfStated;
      return;
    }
    this.stated[row] = wholeStated;
    this.upper = withRoom(this.upper, row, (length) => new BigInt64Array(length));
    this.upper[row] = integer >> halfBits;
  }

  isStated(row: number): boolean {
    return this.stated !== null && this.stated[row] !== undefined && this.stated[row] !== 0;
  }

  /** What is stated, as a double, without making an integer of it; no number where it is beyond 2⁵³. */
  near(row: number): number {
    if (this.halves === null || this.stated?.[row] !== halfStated) return Number.NaN;
    const near =
      (this.halves[2 * row + 1 - lowerHalf] ?? 0) * wordValues + ((this.halves[2 * row + lowerHalf] ?? 0) >>> 0);
    return Math.abs(near) <= Number.MAX_SAFE_INTEGER ? near : Number.NaN;
  }

  /** The limbs of what is stated, if it is above zero: the part above 40 bits; no number where it takes more than 53. */
  highLimb(row: number): number {
    const stated = this.stated === null ? 0 : this.stated[row];
    if (this.halves === null || stated === 0) return Number.NaN;
    const upper = this.halves[2 * row + 1 - lowerHalf] ?? 0;
    if (stated === halfStated) return upper < 0 ? Number.NaN : upper >>> 8;
    const above = Number(this.upper?.[row] ?? -1n);
    return above < 0 || above >= highest ? Number.NaN : above * 2 ** 24 + (upper >>> 8);
  }

  /** …and its low forty bits. */
  lowLimb(row: number): number {
    if (this.halves === null) return 0;
    const upper = this.halves[2 * row + 1 - lowerHalf] ?? 0;
    return (upper & 0xff) * wordValues + ((this.halves[2 * row + lowerHalf] ?? 0) >>> 0);
  }

  get(row: number): Integer | null {
    const stated = this.stated === null ? 0 : this.stated[row];
    if (this.lower === null || (stated !== halfStated && stated !== wholeStated)) return null;
    const lower = this.lower[row] ?? 0n;
    if (stated === halfStated || this.upper === null) return lower as Integer;
    return (((this.upper[row] ?? 0n) << halfBits) | BigInt.asUintN(64, lower)) as Integer;
  }
}

const [halfStated, wholeStated] = [1, 2];
const wordValues = 2 ** 32;
/** Of what is above 64 bits so much fits into a limb. */
const highest = 2 ** 29;
/** Where in memory the lower half of an element is: 0 on nearly every machine. */
const lowerHalf = new Int32Array(new BigInt64Array([1n]).buffer)[0] === 1 ? 0 : 1;
const halfBits = 64n;
const leastHalf = -(2n ** 63n);
const mostHalf = 2n ** 63n - 1n;

/** What few rows state, or what is another on each. */
export class ValueColumn<Value> {
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
}

interface Cells<Self> {
  readonly length: number;
  set(cells: Self): void;
}

/** The same cells where there is a place for the row, else twice as many. */
function withRoom<Array extends Cells<Array>>(
  cells: Array | null,
  row: number,
  make: (length: number) => Array,
): Array {
  if (cells !== null && row < cells.length) return cells;
  const grown = make(Math.max(firstLength, 2 ** Math.ceil(Math.log2(row + 1))));
  if (cells !== null) grown.set(cells);
  return grown;
}

const firstLength = 4096;
