import { openPool } from '../../src/db/connection.ts';

/** Runs one statement on its own connection and returns its rows. */
export async function query<Row extends object = object>(url: string, statement: string): Promise<Row[]> {
  const pool = openPool(url, 1);
  try {
    return [...(await pool.unsafe<Row[]>(statement))];
  } finally {
    await pool.end();
  }
}
