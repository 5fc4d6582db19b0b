import { request } from '../../api/api.ts';
import { csvLines } from '../../format/csv.ts';

/** A price that would value rows without a dollar amount. */
export interface MissingPrice {
  readonly date: string;
  readonly asset: string;
  /** The number of rows that it would value. */
  readonly rows: number;
}

export async function readNeededPrices(): Promise<readonly MissingPrice[]> {
  const lines = csvLines(await (await request('/v1/prices/needed', { method: 'GET' })).text()).slice(1);
  return lines.flatMap(({ cells: [date = '', asset = '', , rows = ''] }) =>
    date === '' ? [] : [{ date, asset, rows: Number(rows) }],
  );
}
