import type { Cents } from '../base/decimal.ts';
import type { Box } from '../engine/model.ts';
import { addCents } from './figures.ts';
import type { FormRow } from './lines.ts';

/** One page of Form 8949: a part, a box, the rows that fit on that year's form, and their totals. */
export interface FormPage {
  readonly part: 1 | 2;
  readonly box: Box;
  readonly rows: readonly FormRow[];
  /** The amounts on line 2: the sums of the page's printed cells. */
  readonly totals: RowTotals;
}

interface RowTotals {
  readonly proceeds: Cents;
  readonly basis: Cents;
  readonly adjustment: Cents;
  readonly gain: Cents;
}

/**
 * Returns the rows per page: 14 through tax year 2024, 11 from 2025 (measured on the forms; 2023 has the same layout as
 * 2022 and 2024).
 */
function rowsPerPage(year: number): number {
  return year <= 2024 ? 14 : 11;
}

/**
 * Yields one set of pages per box: "if more than one box applies, complete a separate Form 8949 for each" (Form 8949,
 * Parts I, II). Rows arrive box by box, and only one page is kept in memory.
 */
export function* eachPage(rows: Iterable<FormRow>, year: number): Generator<FormPage> {
  let onPage: FormRow[] = [];
  for (const row of rows) {
    const [first] = onPage;
    if (first !== undefined && (first.box !== row.box || onPage.length === rowsPerPage(year))) {
      yield buildFormPage(first.box, onPage);
      onPage = [];
    }
    onPage.push(row);
  }
  const [first] = onPage;
  if (first !== undefined) yield buildFormPage(first.box, onPage);
}

function buildFormPage(box: Box, rows: readonly FormRow[]): FormPage {
  return { part: formPartOf(box), box, rows, totals: sumFormRows(rows) };
}

export function sumFormRows(rows: readonly FormRow[]): RowTotals {
  return {
    proceeds: addCents(rows.map((row) => row.proceeds)),
    basis: addCents(rows.map((row) => row.basis)),
    adjustment: addCents(rows.map((row) => row.adjustment)),
    gain: addCents(rows.map((row) => row.gain)),
  };
}

export function formPartOf(box: Box): 1 | 2 {
  return 'ABCGHI'.includes(box) ? 1 : 2;
}

/**
 * Returns the box for a program that supports only A–F. A digital asset becomes "not reported to you", because C or F
 * makes no false statement about a Form 1099-B, unlike A, B, D or E.
 */
export function paperBox(box: Box): Box {
  return 'ABCDEF'.includes(box) ? box : formPartOf(box) === 1 ? 'C' : 'F';
}
