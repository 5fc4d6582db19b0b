import { addressOnServer, joinWorkers as joinWorkersOf, send } from '../../../scripts/citus/cluster.ts';
import { openPool } from '../../../src/db/connection.ts';

/** The first migration with the current placement of taxpayer tables. Later ones also run on existing clusters. */
export const firstPlaced = 20;

/**
 * The workers of the Citus cluster on whose coordinator the tests run (`scripts/citus`), as `host:port`. Empty without
 * a cluster.
 */
export const workers: readonly string[] = (process.env.LOTBOOK_TEST_CITUS_WORKERS ?? '')
  .split(' ')
  .filter((name) => name !== '');

/** Fewer than Citus's default of 32, because each shard is a separate table that must be created and copied. */
const shards = 4;

/**
 * Makes an empty database a cluster: creates the same one on each worker and registers the workers with the
 * coordinator.
 */
export function joinWorkers(url: string): Promise<void> {
  return joinWorkersOf(url, workers, shards);
}

/**
 * Closes the template. From now on the database is only copied (`copyCluster`) and not opened, because Citus keeps a
 * session in each of its databases.
 */
export async function closeTemplate(url: string): Promise<void> {
  await onServers(url, endSessions(new URL(url).pathname.slice(1)));
}

/** Copies the database on every server, including shards and their placements. */
export async function copyCluster(url: string, template: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await onServers(url, [
    `create database ${name} template ${template}`,
    // A copy lacks the settings made for the template by name.
    ...(await fetchSettings(url, template)).map((setting) => `alter database ${name} set ${setting}`),
  ]);
}

export async function dropCluster(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const statements = [...endSessions(name), `drop database if exists ${name} with (force)`];
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await onServers(url, statements);
    } catch (error) {
      // On a busy machine, a Citus session takes longer to end than PostgreSQL waits.
      const isInUse = error instanceof Error && 'code' in error && error.code === objectInUse;
      if (!isInUse || attempt === dropAttemptsMax) throw error;
    }
  }
}

const objectInUse = '55006';
const dropAttemptsMax = 5;

/**
 * Ends the sessions of a database and refuses new ones, because Citus restarts its own sessions even while a `drop`
 * waits for them to end.
 */
function endSessions(database: string): string[] {
  return [
    `update pg_database set datallowconn = false where datname = '${database}'`,
    `select pg_terminate_backend(pid, 5000::bigint) from pg_stat_activity where datname = '${database}'`,
  ];
}

async function fetchSettings(url: string, database: string): Promise<string[]> {
  const pool = openPool(addressOnServer(url, undefined, 'postgres'), 1);
  try {
    const rows = await pool<{ setting: string }[]>`
      select unnest(s.setconfig) as setting from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
      where d.datname = ${database} and s.setrole = 0`;
    return rows.map(({ setting }) => setting.replace(/=(.*)$/s, ` = '$1'`));
  } finally {
    await pool.end({ timeout: 5 });
  }
}

async function onServers(url: string, statements: readonly string[]): Promise<void> {
  await Promise.all(
    [undefined, ...workers].map((worker) => send(addressOnServer(url, worker, 'postgres'), statements)),
  );
}
