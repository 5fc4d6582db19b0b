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

/** Returns the error for a file whose lines were all rejected. */
export function noValidLine(what: string, rejects: readonly RejectedValue[]): Refusal {
  const [first] = rejects;
  const detail = `This file contains no ${what}. Line ${first?.line}: ${first?.reason}. Correct it and upload the file again.`;
  const errors = rejects.map(({ line, column, reason }) => ({
    ...{ code: 'invalid', detail: reason, line },
    ...(column === null ? {} : { column }),
  }));
  return new Refusal('invalid', detail, { errors });
}
