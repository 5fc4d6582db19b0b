import { Refusal } from '../base/refusal.ts';
import type { Row } from '../formats/format.ts';

/** A line without a valid value in a CSV list, such as prices or balances. */
export interface RejectedValue {
  readonly line: number;
  readonly column: string | null;
  readonly reason: string;
}

export const rejectsShownMax = 100;

export const openQuote = 'a quotation mark on this line is not closed';
export const invalidDay = 'the date must be from 1900 to 2100, like 2025-12-31';

export function invalidDecimal(what: string): string {
  return `the ${what} must be a number like 1250.50, with at most 20 digits before the decimal point and 18 after it`;
}

export function parseColumnNames({ cells }: Row): string[] {
  return cells.map((cell) =>
    cell
      .replace(/^\uFEFF/, '')
      .trim()
      .toLowerCase(),
  );
}

/** Collects the lines of a CSV list: the first value of each key, and the lines that repeat one or are rejected. */
export class ListedValues<Value> {
  rows = 0;
  rejected = 0;
  /** The number of lines that repeat an earlier line. */
  repeated = 0;
  readonly rejects: RejectedValue[] = [];
  readonly #known = new Map<string, { readonly value: Value; readonly line: number }>();

  /** A line states a `noun`, such as a price. Its amount is in `column`. */
  constructor(
    readonly noun: string,
    readonly column: string & keyof Value,
  ) {}

  /** Adds a valid line. Rejects it if an earlier line has another amount for the same key. */
  add(line: number, key: string, value: Value): void {
    const known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, { value, line });
    else if (known.value[this.column] === value[this.column]) this.repeated += 1;
    else {
      const reason = `line ${known.line} has a different ${this.noun}, ${known.value[this.column]}, for the same day`;
      this.reject({ line, column: this.column, reason });
    }
  }

  reject(one: RejectedValue): void {
    this.rejected += 1;
    if (this.rejects.length < rejectsShownMax) this.rejects.push(one);
  }

  /** Returns the values. Throws if all lines were rejected. */
  end(): Value[] {
    if (this.rows > 0 && this.rejected === this.rows) throw noValidLine(this.noun, this.rejects);
    return [...this.#known.values()].map(({ value }) => value);
  }
}

/** Returns the error for a file whose lines were all rejected. */
function noValidLine(what: string, rejects: readonly RejectedValue[]): Refusal {
  const [first] = rejects;
  const detail = `This file contains no ${what}. Line ${first?.line}: ${first?.reason}. Correct it and upload the file again.`;
  const errors = rejects.map(({ line, column, reason }) => ({
    ...{ code: 'invalid', detail: reason, line },
    ...(column === null ? {} : { column }),
  }));
  return new Refusal('invalid', detail, { errors });
}
