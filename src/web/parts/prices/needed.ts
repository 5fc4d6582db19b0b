import { request } from '../../api/api.ts';
import { csvLines } from '../../format/csv.ts';

/** A price that would value rows without a dollar amount. */
export interface MissingPrice {
  readonly date: string;
  readonly asset: string;
  /** The number of rows that it would value. */
  readonly rows: number;
  /** What it values in one of them: `100.00 EUR paid for BTC`. */
  readonly use: string;
}

export async function readNeededPrices(): Promise<readonly MissingPrice[]> {
  const lines = csvLines(await (await request('/v1/prices/needed', { method: 'GET' })).text()).slice(1);
  return lines.flatMap(({ cells: [date = '', asset = '', , rows = '', , use = ''] }) =>
    date === '' ? [] : [{ date, asset, rows: Number(rows), use }],
  );
}
