import { openPool } from '../../../src/db/connection.ts';
import { buildUrl, runningServer } from '../../../src/db/postgres-server.ts';

/** A digest of all rows of each table except the list of migrations. */
export type WholeDatabase = ReadonlyMap<string, string>;

export async function wholeDatabase(ownerUrl: string): Promise<WholeDatabase> {
  const pool = openPool(ownerUrl, 1);
  try {
    const tables = await pool<{ name: string }[]>`
      select tablename::text as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'`;
    const found = new Map<string, string>();
    for (const { name } of tables) {
      const [row] = await pool<{ text: string }[]>`
        select count(*) || ' ' || coalesce(sum(hashtextextended(x::text, 0)), 0) as text from ${pool(name)} x`;
      found.set(name, row?.text ?? '');
    }
    return found;
  } finally {
    await pool.end({ timeout: 5 });
  }
}

/** Returns the URL for the owner of the database in a cluster. */
export function addressIn(cluster: string): string {
  const server = runningServer(cluster);
  if (server === null) throw new Error(`No PostgreSQL runs on ${cluster}.`);
  return buildUrl(server, 'lotbook');
}
