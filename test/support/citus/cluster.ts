import { openPool } from '../../../src/db/connection.ts';

/** The workers of the Citus on whose coordinator the tests run (`scripts/citus`), as `host:port`; none elsewhere. */
export const workers: readonly string[] = (process.env.LOTBOOK_TEST_CITUS_WORKERS ?? '')
  .split(' ')
  .filter((name) => name !== '');

/** Fewer than the 32 of Citus: each shard of each table is a table to make and to copy. */
const shards = 4;

/** Makes a cluster of an empty database: the same one on each worker, named to the coordinator. */
export async function joinWorkers(url: string): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  const name = pathname.slice(1);
  await Promise.all(
    workers.map(async (worker) => {
      await send(at(url, worker, 'postgres'), [
        `create database ${name} template template0 encoding 'UTF8' locale 'C'`,
      ]);
      await send(at(url, worker, name), ['create extension citus']);
    }),
  );
  await send(url, [
    'create extension citus',
    `alter database ${name} set citus.shard_count = ${shards}`,
    `select citus_set_coordinator_host('${hostname}', ${port})`,
    ...workers.map((worker) => `select citus_add_node('${worker.split(':')[0]}', ${worker.split(':')[1]})`),
  ]);
}

/** From now on the database is copied (`copyCluster`), and nobody opens it: Citus keeps a session in each of its databases. */
export async function closeTemplate(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await onServers(url, [
    `alter database ${name} allow_connections false`,
    `select pg_terminate_backend(pid, 5000::bigint) from pg_stat_activity where datname = '${name}'`,
  ]);
}

/** A copy on every server, shards and their places included. */
export async function copyCluster(url: string, template: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await onServers(url, [
    `create database ${name} template ${template}`,
    // A copy lacks what was set for the template by its name.
    ...(await settingsOf(url, template)).map((setting) => `alter database ${name} set ${setting}`),
  ]);
}

export async function dropCluster(url: string): Promise<void> {
  await onServers(url, [`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`]);
}

async function settingsOf(url: string, database: string): Promise<string[]> {
  const pool = openPool(at(url, undefined, 'postgres'), 1);
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
  await Promise.all([undefined, ...workers].map((worker) => send(at(url, worker, 'postgres'), statements)));
}

/** Of a worker, or of the coordinator itself. */
function at(url: string, worker: string | undefined, database: string): string {
  const address = new URL(url);
  if (worker !== undefined) [address.hostname, address.port] = worker.split(':') as [string, string];
  address.pathname = `/${database}`;
  return address.href;
}

async function send(url: string, statements: readonly string[]): Promise<void> {
  const pool = openPool(url, 1, { statement_timeout: 0 });
  try {
    for (const statement of statements) await pool.unsafe(statement);
  } finally {
    await pool.end({ timeout: 5 });
  }
}
