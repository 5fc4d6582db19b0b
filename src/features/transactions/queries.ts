import type { Sql } from '../../db/connection.ts';
import type { StoredSettings } from './elections.ts';
import type { TouchedRow } from './rows/queries.ts';
import type { StoredIdentity } from './staged/queries.ts';

/** Deletes a row but keeps its sources. Returns its identity and the books that it affected. */
export async function deleteKeepingSources(
  sql: Sql,
  taxpayerId: string,
  id: string,
): Promise<{ identity: StoredIdentity; touched: TouchedRow[] } | undefined> {
  const [gone] = await sql<(StoredIdentity & { on_day: string; keys: string[] })[]>`
    delete from transactions where taxpayer_id = ${taxpayerId} and id = ${id}
    returning id, fingerprint, occurrence, created_at, import_id, source_line, on_day,
      array_remove(array[asset_key, second_key, third_key, fourth_key], null) as keys`;
  if (gone === undefined) return undefined;
  return { identity: gone, touched: gone.keys.map((key) => ({ asset_key: key, day: gone.on_day })) };
}

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
