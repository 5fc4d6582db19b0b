import type { Database, Sql } from '../../../db/connection.ts';
import { writeHeader, writeLine } from '../../../formats/sources/lotbook.ts';
import { type ExportCursor, type ExportRow, hasOwnZones, hasTimes, selectInOrder } from './list.queries.ts';
import { readRestatements, restate, setValues } from './resolutions.ts';
import { toStatedTransaction } from './rows.ts';

const rowsPerRead = 2_000;

/**
 * Streams all transactions as Lotbook CSV. The rows are in the order in which the books process them, so that line
 * numbers preserve the order. Reads page by page. The books may change during the export, but each row is written once.
 */
export function exportCsv(database: Database, taxpayerId: string, timeZone: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const lines = exportLines((work) => database.asTaxpayer(taxpayerId, work, { readOnly: true }), taxpayerId, timeZone);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await lines.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
}

type Read = <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;

/** Yields the CSV in chunks of many lines. */
export async function* exportLines(read: Read, taxpayerId: string, timeZone: string): AsyncGenerator<string> {
  // Writes time zones only if needed. If all times are in UTC, they can be omitted, because UTC is the default.
  const zoned = await read((sql) => (timeZone === 'UTC' ? hasOwnZones(sql, taxpayerId) : hasTimes(sql, taxpayerId)));
  yield writeHeader(zoned);
  let after: ExportCursor | null = null;
  for (;;) {
    const from: ExportCursor | null = after;
    const rows: readonly ExportRow[] = await read((sql) => selectInOrder(sql, taxpayerId, from, rowsPerRead));
    const answered = await read((sql) => readRestatements(sql, taxpayerId));
    yield rows
      .flatMap((row) => {
        const zone = row.at === null ? '' : (row.time_zone ?? timeZone);
        // Applies the taxpayer's answers, so that importing the file elsewhere produces the same books.
        const lines = setValues(restate([toStatedTransaction(row)], answered), answered);
        return lines.map((one) => (zoned ? writeLine(one, zone) : writeLine(one)));
      })
      .join('');
    const last = rows.at(-1);
    if (rows.length < rowsPerRead || last === undefined) return;
    after = last;
  }
}
