import { openPool } from '../../src/db/connection.ts';

/** Runs one statement over a connection of its own, and returns its rows. */
export async function query<Row extends object = object>(url: string, statement: string): Promise<Row[]> {
  const pool = openPool(url, 1);
  try {
    return [...(await pool.unsafe<Row[]>(statement))];
  } finally {
    await pool.end();
  }
}
