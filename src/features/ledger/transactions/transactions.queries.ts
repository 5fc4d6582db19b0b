import type { Sql } from '../../../db/connection.ts';
import type { StoredSettings } from './elections.ts';

/** Returns whether the finalized allocation includes any of these rows. */
export async function isAllocated(sql: Sql, taxpayerId: string, ids: readonly string[]): Promise<boolean> {
  const rows = await sql`
    select from allocations where taxpayer_id = ${taxpayerId} and transactions && ${ids as string[]}::uuid[]`;
  return rows.length > 0;
}

export async function selectElections(
  sql: Sql,
  taxpayerId: string,
): Promise<{ settings: StoredSettings; time_zone: string }> {
  const [row] = await sql<{ settings: StoredSettings; time_zone: string }[]>`
    select settings, time_zone from taxpayers where id = ${taxpayerId}`;
  if (row === undefined) throw new Error('The taxpayer has no row.');
  return row;
}
