import type { Cents } from '../base/decimal.ts';
import type { Line } from '../engine/model.ts';
import { lettersOf } from '../engine/rules/lines/columns.ts';
import { addCents } from './figures.ts';
import { boxOrder, eachRow, type FormRow, type RowChoices } from './lines.ts';
import { paperBox, sumFormRows } from './pages.ts';
import type { ReportBooks } from './report.ts';

/** Yields the rows to write on Form 8949: all lines, or totals if the user chose an exception in the instructions. */
export function* listedRows(books: ReportBooks): Generator<FormRow> {
  if (books.choices?.exception2 !== true) {
    yield* detailedRows(books);
    return;
  }
  const { statements, apart } = buildStatements(books);
  for (const box of boxOrder) {
    yield* apart.filter((row) => row.box === box);
    for (const statement of statements) if (statement.total.box === box) yield statement.total;
  }
}

/** Returns the number of rows that `listedRows` yields. */
export function countRows(books: ReportBooks): number {
  // The summary contains the number, so a year with a million lines is not read just to count them.
  if (isRowALine(books)) return books.summary.total.count;
  let count = 0;
  for (const _row of listedRows(books)) count += 1;
  return count;
}

/** Returns whether each line becomes exactly one row, so that rows can be written as the lines arrive. */
export function isRowALine({ choices = {} }: ReportBooks): boolean {
  const { merge = 'none', exception1, exception2, digitalAssets } = choices;
  return merge === 'none' && exception1 !== true && exception2 !== true && digitalAssets !== 'left_out';
}

export function pickRowChoices({ wholeDollars, choices = {} }: ReportBooks): RowChoices {
  const { columnB, merge } = choices;
  return {
    wholeDollars,
    ...(columnB === undefined ? {} : { columnB }),
    ...(merge === undefined ? {} : { merge }),
  };
}

/**
 * Separates the lines for Exception 1 (i8949), which have basis reported to the IRS, no adjustment and no code. The
 * books do not contain the discount and withholding boxes of Form 1099, so the user must check them. `listed` contains
 * the lines that require Form 8949.
 */
export function sortedLines({ lines, choices }: ReportBooks): {
  direct: readonly Line[];
  listed: readonly Line[];
} {
  if (choices?.exception1 !== true) return { direct: [], listed: lines };
  const isDirect = (line: Line): boolean =>
    'ADGJ'.includes(line.disposal.box) && line.code === '' && line.adjustment === 0n;
  return { direct: lines.filter(isDirect), listed: lines.filter((line) => !isDirect(line)) };
}

/** A broker's lines in one box, and the row with their totals. */
interface BrokerStatement {
  readonly total: FormRow;
  readonly rows: readonly FormRow[];
}

/**
 * Builds the rows for Exception 2 (i8949): "a separate row for each broker", with code M and its lines' other codes.
 * Deferrals in a qualified opportunity fund and their inclusion (Z, Y) are never combined.
 */
export function buildStatements(books: ReportBooks): {
  statements: readonly BrokerStatement[];
  apart: readonly FormRow[];
} {
  const rows = [...detailedRows(books)];
  const isApart = ({ code }: FormRow): boolean => /[YZ]/.test(code);
  const groups = Map.groupBy(
    rows.filter((row) => !isApart(row)),
    (row) => `${row.box}\n${row.lines[0].disposal.account}`,
  );
  const statements = [...groups.values()].flatMap(([first, ...others]): BrokerStatement[] =>
    first === undefined ? [] : [{ total: totalRow([first, ...others]), rows: [first, ...others] }],
  );
  return { statements, apart: rows.filter(isApart) };
}

function detailedRows(books: ReportBooks): Generator<FormRow> {
  const { listed } = sortedLines(books);
  const isPaper = ({ disposal }: Line): boolean => paperBox(disposal.box) === disposal.box;
  const reported = books.choices?.digitalAssets === 'left_out' ? listed.filter(isPaper) : listed;
  return eachRow(reported, pickRowChoices(books));
}

/** "Enter the name of the broker followed by 'see attached statement' in column (a). Leave columns (b) and (c) blank." */
function totalRow(rows: readonly [FormRow, ...FormRow[]]): FormRow {
  const [first] = rows;
  const { proceeds, basis, adjustment } = sumFormRows(rows);
  const { account } = first.lines[0].disposal;
  return {
    box: first.box,
    term: first.term,
    lines: [first.lines[0], ...rows.flatMap((row) => row.lines).slice(1)],
    description: `${account} see attached statement`,
    acquired: '',
    sold: '',
    proceeds,
    basis,
    code: lettersOf(`M${rows.map((row) => row.code).join('')}`),
    adjustment,
    gain: (proceeds - basis + adjustment) as Cents,
    expired: null,
    basisUnknown: rows.some((row) => row.basisUnknown),
  };
}

/**
 * Returns instructions for filing the statement behind rows of totals (code M) if the return is filed electronically.
 * The lines are sent along as a PDF, or by mail with Form 8453 (i8949, Exception 2, "E-file"). Empty if there are no
 * such rows.
 */
export function mailingInstructions(books: ReportBooks): readonly string[] {
  if (books.choices?.exception2 !== true) return [];
  const { statements } = buildStatements(books);
  if (statements.length === 0) return [];
  const named = boxOrder.filter((box) => statements.some(({ total }) => total.box === box));
  const count = statements.length === 1 ? 'the statement' : `the ${statements.length} statements`;
  return [
    `If you e-file the totals of ${named.length === 1 ? 'box' : 'boxes'} ${named.join(', ')} (code M), the IRS must also receive the lines. If your program allows it, attach ${count} behind Form 8949 in the Form 8949 PDF to the return as a PDF. Otherwise check "Form 8949" on Form 8453, attach the same pages, and mail them within 3 business days after the IRS accepts the return. Form 8453 itself is not in this file: download it from irs.gov/Form8453.`,
  ];
}

/**
 * Returns a function that computes the wash sale part of (g): all of it if W is the only code, or else the sum of the
 * row's wash sales. Null if there is none.
 */
export function createWashPartLookup({ washSales }: ReportBooks): (row: FormRow) => Cents | null {
  const byDisposal = Map.groupBy(washSales, (wash) => wash.disposalId);
  return (row) => {
    if (!row.code.includes('W')) return null;
    const washes = row.lines.flatMap((line) => byDisposal.get(line.disposal.id) ?? []);
    const amount = row.code === 'W' ? row.adjustment : addCents(washes.map((wash) => wash.disallowed));
    return amount === 0n ? null : amount;
  };
}
