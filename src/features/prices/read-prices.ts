import { parseDay } from '../../base/day.ts';
import { formatQuantity, parseQuantity } from '../../base/decimal.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Row } from '../../formats/format.ts';
import { readRows, rowLimits } from '../../formats/rows.ts';
import type { GivenPrice } from './queries.ts';

export interface PricesRead {
  /** Of a day that the file tells twice, what it says last. */
  readonly prices: readonly GivenPrice[];
  readonly rows: number;
  readonly rejected: number;
  readonly rejects: readonly PriceReject[];
}

export interface PriceReject {
  readonly line: number;
  readonly column: string | null;
  readonly reason: string;
}

/** About half a million days; what is read is kept until the file has ended, so that nobody waits for a slow sender. */
const fileBytesMax = 16 * 1024 ** 2;
const rejectsToldMax = 100;
const assetLengthMax = 200;

/** Reads `date,asset,usd` as it comes: the header in any order and case, `currency` for `asset`. */
export async function readPrices(content: ReadableStream<Uint8Array>): Promise<PricesRead> {
  const prices = new Map<string, GivenPrice>();
  const rejects: PriceReject[] = [];
  let columns: Columns | undefined;
  let [rows, rejected] = [0, 0];
  for await (const batch of readRows(content, { ...rowLimits, fileBytesMax })) {
    for (const row of batch) {
      if (columns === undefined) {
        columns = columnsOf(row);
        continue;
      }
      rows += 1;
      const read = priceOf(row, columns);
      if ('reason' in read) {
        rejected += 1;
        if (rejects.length < rejectsToldMax) rejects.push(read);
      } else {
        prices.set(JSON.stringify([read.asset, read.day]), read);
      }
    }
  }
  return { prices: [...prices.values()], rows, rejected, rejects };
}

interface Columns {
  readonly date: number;
  readonly asset: number;
  readonly usd: number;
}

function columnsOf(header: Row): Columns {
  const names = header.cells.map((cell) =>
    cell
      .replace(/^\uFEFF/, '')
      .trim()
      .toLowerCase(),
  );
  const of = (...wanted: string[]): number => names.findIndex((name) => wanted.includes(name));
  const columns = { date: of('date'), asset: of('asset', 'currency'), usd: of('usd') };
  const missing = Object.entries(columns).flatMap(([name, at]) => (at === -1 ? [name] : []));
  if (missing.length === 0) return columns;
  const detail = `A file of prices begins with the header date,asset,usd. It has no column ${missing.join(', ')}.`;
  throw new Refusal('unknown_format', detail, { errors: [{ code: 'unknown_format', detail, line: header.line }] });
}

function priceOf(row: Row, columns: Columns): GivenPrice | PriceReject {
  const rejected = (column: string | null, reason: string): PriceReject => ({ line: row.line, column, reason });
  if (row.flaw !== undefined) return rejected(null, 'the quotes on this line do not close');
  const cell = (at: number): string => (row.cells[at] ?? '').trim();
  const [date, asset, text] = [cell(columns.date), cell(columns.asset), cell(columns.usd)];
  const day = parseDay(date);
  if (day === undefined) return rejected('date', 'this is no day of the years 1900 to 2100 as 2025-12-31');
  if (asset === '') return rejected('asset', 'this says not of what');
  if (asset.length > assetLengthMax) return rejected('asset', `this has more than ${assetLengthMax} characters`);
  if (asset === 'USD') return rejected('asset', 'a dollar is a dollar');
  const usd = parseQuantity(text);
  if (usd === undefined) return rejected('usd', 'a price is a plain decimal with at most 18 decimals');
  if (usd <= 0n) return rejected('usd', 'a price is more than zero');
  return { day: date, asset, usd: formatQuantity(usd) };
}
