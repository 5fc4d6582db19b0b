import type { Cents } from '../base/decimal.ts';
import type { Line } from '../engine/model.ts';
import { lettersOf } from '../engine/rules/lines/columns.ts';
import { boxOrder, eachRow, type FormRow, type RowChoices } from './lines.ts';
import { paperBox, sumFormRows } from './pages.ts';
import type { ReportBooks } from './report.ts';

/** The rows of Form 8949 to write: all lines, or totals if an exception of its instructions is chosen. */
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

/** The number of those rows. */
export function countRows(books: ReportBooks): number {
  // The summary has the number, so a year of a million lines is not read for it.
  if (isRowALine(books)) return books.summary.total.count;
  let count = 0;
  for (const _row of listedRows(books)) count += 1;
  return count;
}

/** Whether each line is a row of its own and none is left out. Such rows can be written as the lines arrive. */
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
 * Exception 1 (i8949): basis reported to the IRS, nothing to adjust, no code. The discount and withholding boxes of
 * Form 1099 are not in the books, so the user must check them. `listed`: the lines that need Form 8949.
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

/** The lines of one broker in one box, and the row of their totals. */
export interface BrokerStatement {
  readonly total: FormRow;
  readonly rows: readonly FormRow[];
}

/**
 * Exception 2 (i8949): "a separate row for each broker", with code M and the other codes of its lines. Deferrals into a
 * qualified opportunity fund and their inclusion (Z, Y) are never combined.
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
