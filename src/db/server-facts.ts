import { openPool } from './connection.ts';

/** Facts about a database for operators. */
export interface ServerFacts {
  readonly version: string;
  readonly now: Date;
  readonly connections: number;
  readonly connectionsMax: number;
  /** The existing Lotbook roles. */
  readonly roles: readonly string[];
  /** Installed and available extensions, limited to those that matter here. */
  readonly extensions: readonly string[];
  readonly bytes: number;
}

export async function readServerFacts(ownerUrl: string): Promise<ServerFacts> {
  const pool = openPool(ownerUrl, 1);
  try {
    const [facts] = await pool<(Omit<ServerFacts, 'bytes'> & { readonly bytes: string })[]>`
      select current_setting('server_version') as version, clock_timestamp() as now,
        (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as connections,
        current_setting('max_connections')::integer as "connectionsMax",
        array(select rolname::text from pg_roles where rolname in ('lotbook_app', 'lotbook_server') order by 1) as roles,
        array(select name::text from pg_available_extensions where name in ('amcheck', 'citus') order by 1) as extensions,
        pg_database_size(current_database()) as bytes`;
    if (facts === undefined) throw new Error('PostgreSQL returned no information about itself.');
    return { ...facts, bytes: Number(facts.bytes) };
  } finally {
    await pool.end({ timeout: 1 });
  }
}
