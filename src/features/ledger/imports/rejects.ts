import { csvRecord, startsFormula } from '../../../base/csv.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { splitLoose } from '../../../formats/rows/records.ts';
import { recordsAt } from '../../../formats/rows/source-text.ts';
import { type FetchedBytes, withBytes } from '../blobs/read.ts';
import type { StageScope } from '../transactions/rows/rows.queries.ts';
import { piecesAt } from '../transactions/texts.ts';
import { type RejectRow, selectRejects } from './imports.queries.ts';

const rowsPerRead = 1_000;

/**
 * Returns the rejected lines as CSV, so that users can correct and import them. Each row contains the line number, the
 * column and the reason, followed by the cells under the header of the file.
 */
export function rejectsCsv(deps: Deps, scope: StageScope, header: readonly string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const rows = rejectRows(deps, scope);
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(csvRecord(['line', 'column', 'reason', ...header].map(safe))));
    },
    async pull(controller) {
      const { done, value } = await rows.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value.map(rejectLine).join('')));
    },
    async cancel() {
      await rows.return(undefined);
    },
  });
}

async function* rejectRows(deps: Deps, scope: StageScope): AsyncGenerator<RejectRow[]> {
  let after = { line: 0, number: 0 };
  for (;;) {
    const from = after;
    const rows = await withBytes(deps, scope.taxpayerId, async (sql, bytes) =>
      withCells(sql, bytes, scope, await selectRejects(sql, scope, from, rowsPerRead)),
    );
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (rows.length < rowsPerRead || last === undefined) return;
    after = last;
  }
}

/**
 * Fills in the cells of rejected lines. Lines rejected because of their content have no stored cells, so the cells are
 * read from the stored text of the file.
 */
export async function withCells<Row extends Pick<RejectRow, 'line' | 'cells'>>(
  sql: Sql,
  bytes: FetchedBytes,
  scope: StageScope,
  rows: readonly Row[],
): Promise<Row[]> {
  const lines = rows.filter(({ cells }) => cells.length === 0).map(({ line }) => line);
  if (lines.length === 0) return [...rows];
  const cellsAt = new Map<number, string[]>();
  for (const piece of await piecesAt(sql, bytes, scope, lines)) {
    for (const [line, text] of recordsAt(piece, lines)) cellsAt.set(line, splitLoose(text, piece.delimiter).cells);
  }
  return rows.map((row) => (row.cells.length > 0 ? row : { ...row, cells: cellsAt.get(row.line) ?? [] }));
}

function rejectLine(row: RejectRow): string {
  return csvRecord([String(row.line), row.column_name ?? '', row.reason, ...row.cells].map(safe));
}

/** Prefixes text that a spreadsheet would execute with an apostrophe. Does not change text that looks like a number. */
function safe(cell: string): string {
  const isFormula = startsFormula(cell) && !/^[+-]?[\d.,]+$/.test(cell);
  return isFormula ? `'${cell}` : cell;
}
