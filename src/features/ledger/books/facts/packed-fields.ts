import { quantityDecimals } from '../../../../base/decimal.ts';
import { fitsLimbs, highOf, type Limbs, lowOf, scaledLimbs } from '../../../../engine/events/limbs.ts';
import { parseQuantityColumn } from '../../transactions/rows/columns.ts';

/** Reads packed rows field by field. Parses numbers in place, without creating a string for each. */
export class Fields {
  at = 0;
  #sign = 1;
  #digits = 0;
  #decimals = 0;

  constructor(private readonly text: string) {}

  word(): string {
    if (this.text.charCodeAt(this.at) === fieldEndCode) {
      this.at++;
      return '';
    }
    const end = this.text.indexOf(fieldEnd, this.at);
    const word = this.text.slice(this.at, end === -1 ? this.text.length : end);
    this.at += word.length + 1;
    return word;
  }

  /** Skips these fields if they come next. */
  skip(fields: string): boolean {
    if (!this.text.startsWith(fields, this.at)) return false;
    this.at += fields.length;
    return true;
  }

  since(at: number): string {
    return this.text.slice(at, this.at);
  }

  /**
   * Reads a number and scales it to an integer with the given number of decimals. Returns NaN if the result is not a
   * whole number or exceeds the precision of a double.
   */
  readScaled(decimals: number, unstated: number): number {
    const from = this.at;
    if (!this.#readNumber(decimals)) return this.at === from + 1 ? unstated : Number.NaN;
    const scaled = this.#digits * (powers[decimals - this.#decimals] as number);
    return scaled <= Number.MAX_SAFE_INTEGER ? this.#sign * scaled : Number.NaN;
  }

  /** Reads a positive quantity. Returns null if the field is empty or too large for `Limbs`. */
  limbs(): Limbs | null {
    const from = this.at;
    if (this.#readNumber(quantityDecimals)) {
      if (this.#sign * this.#digits <= 0) return null;
      return scaledLimbs(this.#digits, quantityDecimals - this.#decimals);
    }
    const quantity = parseQuantityColumn(this.text.slice(from, this.at - 1) || '0');
    return quantity > 0n && fitsLimbs(quantity) ? { high: highOf(quantity), low: lowOf(quantity) } : null;
  }

  /** True if only one empty field is left in the row. */
  get isEndOfRow(): boolean {
    return this.at === this.text.length || this.text.charCodeAt(this.at) === rowEndCode;
  }

  /** Returns all remaining fields of a row. Null if there are too many. */
  row(): string[] | null {
    const words = Array.from({ length: fieldsOfRow - 1 }, () => this.word());
    const end = this.text.indexOf(rowEnd, this.at);
    const last = this.text.slice(this.at, end === -1 ? this.text.length : end);
    this.at += last.length;
    words.push(last);
    return last.includes(fieldEnd) ? null : words;
  }

  /** Moves to the next row. Returns false if there is none. */
  nextRow(): boolean {
    if (this.at >= this.text.length) return false;
    this.at++;
    return true;
  }

  /**
   * Skips the field. Returns whether it is a number with at most 15 digits and at most the given number of decimals.
   */
  #readNumber(decimalsMax: number): boolean {
    const { text } = this;
    let at = this.at;
    let digits = 0;
    let point = -1;
    this.#sign = text.charCodeAt(at) === minus ? -1 : 1;
    if (this.#sign === -1) at++;
    const first = at;
    for (; ; at++) {
      const code = text.charCodeAt(at);
      if (code >= zero && code <= nine) digits = digits * 10 + (code - zero);
      else if (code === dot && point === -1) point = at;
      else break;
    }
    this.#digits = digits;
    this.#decimals = point === -1 ? 0 : at - point - 1;
    if (text.charCodeAt(at) !== fieldEndCode || at === first || digits >= digitsEnd || this.#decimals > decimalsMax) {
      this.word();
      return false;
    }
    this.at = at + 1;
    return true;
  }
}

const [fieldEnd, rowEnd] = ['\u001f', '\u001e'];
const [fieldEndCode, rowEndCode] = [0x1f, 0x1e];
const fieldsOfRow = 14;
const [minus, dot, zero, nine] = [45, 46, 48, 57];
/** The first integer with more than 15 digits. A double represents every smaller integer exactly. */
const digitsEnd = 1e15;
const powers = Array.from({ length: quantityDecimals + 1 }, (_, exponent) => 10 ** exponent);
