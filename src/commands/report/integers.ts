import { behind, bytes, type Column, type ColumnState, integers, withRoom } from './cells.ts';

/** Integers of 128 bits, which hold every number that a file may state, in two halves; the upper one only where it says more. */
export class IntegerColumn<Integer extends bigint> implements Column {
  private lower: BigInt64Array<SharedArrayBuffer> | null = null;
  private upper: BigInt64Array<SharedArrayBuffer> | null = null;
  /** The same memory by halves of 32 bits. */
  private halves: Int32Array | null = null;
  private upperHalves: Int32Array | null = null;
  private stated: Uint8Array<SharedArrayBuffer> | null = null;

  set(row: number, integer: Integer | null): void {
    if (integer === null) return;
    this.stated = withRoom(this.stated, row, bytes);
    const lower = withRoom(this.lower, row, integers);
    if (lower !== this.lower) this.layLower(lower);
    // An element takes the lowest 64 bits of what is given.
    lower[row] = integer;
    if (integer >= leastHalf && integer <= mostHalf) {
      this.stated[row] = halfStated;
      return;
    }
    this.stated[row] = wholeStated;
    const upper = withRoom(this.upper, row, integers);
    if (upper !== this.upper) this.layUpper(upper);
    upper[row] = integer >> halfBits;
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
    const above = this.upperHalves?.[2 * row + lowerHalf] ?? -1;
    const isWithin = this.upperHalves?.[2 * row + 1 - lowerHalf] === 0 && above >= 0 && above < highest;
    return isWithin ? above * 2 ** 24 + (upper >>> 8) : Number.NaN;
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

  get state(): ColumnState {
    return { cells: [this.lower, this.upper, this.stated], values: null };
  }

  adopt({ cells: [lower, upper, stated] }: ColumnState): void {
    this.layLower(lower as typeof this.lower);
    this.layUpper(upper as typeof this.upper);
    this.stated = stated as typeof this.stated;
  }

  append({ cells: [lower, upper, stated] }: ColumnState, row: number, count: number): void {
    this.layLower(behind(this.lower, lower as typeof this.lower, row, count, integers));
    this.layUpper(behind(this.upper, upper as typeof this.upper, row, count, integers));
    this.stated = behind(this.stated, stated as typeof this.stated, row, count, bytes);
  }

  private layLower(lower: typeof this.lower): void {
    this.lower = lower;
    this.halves = lower === null ? null : new Int32Array(lower.buffer);
  }

  private layUpper(upper: typeof this.upper): void {
    this.upper = upper;
    this.upperHalves = upper === null ? null : new Int32Array(upper.buffer);
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
