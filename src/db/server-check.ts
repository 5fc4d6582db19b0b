import { type Database, openPool, serverRole } from './connection.ts';

/**
 * The reason why the PostgreSQL in DATABASE_URL cannot be used. Never contains the address, which may include a
 * password.
 */
export class ServerError extends Error {
  override readonly name = 'ServerError';
}

const versionMin = 15;

/** Checks once that a server responds, accepts our user and is new enough. */
export async function refuseUnfitServer(url: string): Promise<void> {
  const pool = openPool(url, 1);
  try {
    const [row] = await pool<{ version: string }[]>`select current_setting('server_version_num') as version`;
    const major = Math.floor(Number(row?.version) / 10_000);
    if (major < versionMin) {
      throw new ServerError(`DATABASE_URL is a PostgreSQL ${major}. Lotbook needs ${versionMin} or later.`);
    }
  } catch (error) {
    if (error instanceof ServerError) throw error;
    throw new ServerError(`The PostgreSQL of DATABASE_URL cannot be used: ${describeReason(error)}.`);
  } finally {
    await pool.end({ timeout: 1 });
  }
}

/** Returns whether an injected statement could use more privileges than those of the server's role. */
export async function mayDoMore(database: Database): Promise<boolean> {
  const [row] = await database.asService(
    (sql) => sql<{ more: boolean }[]>`
      select current_user <> ${serverRole} or rolsuper or rolbypassrls or rolcreaterole or exists (
        select from pg_class where relnamespace = 'public'::regnamespace and pg_has_role(session_user, relowner, 'member')
      ) as more
      from pg_roles where rolname = session_user`,
  );
  return row?.more !== false;
}

function describeReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.trim().replace(/\.$/, '') || 'it does not respond';
}

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
