import { join } from 'node:path';
import { openPool } from '../../src/db/connection.ts';
import { initialize, startServer, stopServer, superuser } from '../../src/db/postgres-server.ts';
import { runnerFor } from '../../src/db/unprivileged-runner.ts';

export interface Cluster {
  /** The coordinator's address. */
  readonly url: string;
  /** `host:port` of each worker. */
  readonly workers: readonly string[];
  stop(): Promise<void>;
}

const host = '127.0.0.1';
const nodes = ['coordinator', 'worker1', 'worker2'] as const;
/** Settings for each server in a cluster. */
export const clusterSettings = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  // Each connection to the coordinator keeps up to two connections to a worker.
  max_connections: '600',
  max_prepared_transactions: '1200',
};
/** Prefers speed over durability because nothing outlives the run. */
const settings = {
  ...clusterSettings,
  // Citus must be first in the list.
  shared_preload_libraries: `${clusterSettings.shared_preload_libraries},pg_stat_statements`,
  listen_addresses: host,
  shared_buffers: '128MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/** Returns the running cluster of a coordinator. Databases for tests are created next to the one in the address. */
export async function joinCluster(url: string): Promise<Cluster | { readonly lacks: readonly string[] }> {
  const pool = openPool(url, 1);
  try {
    const extensions = await pool`select 1 from pg_extension where extname = 'citus'`;
    const workers =
      extensions.length === 0
        ? []
        : await pool<{ name: string }[]>`
            select nodename || ':' || nodeport as name from pg_dist_node
            where noderole = 'primary' and isactive and groupid <> 0 order by groupid`;
    if (workers.length > 0) return { url, workers: workers.map(({ name }) => name), stop: async () => {} };
    return { lacks: ['DATABASE_URL is not a Citus coordinator with workers. No test was run on it.'] };
  } finally {
    await pool.end({ timeout: 5 });
  }
}

/**
 * Starts three servers on local ports that trust one another. test/support/citus/cluster.ts turns them into a cluster.
 */
export async function startCluster(programs: string, folder: string): Promise<Cluster> {
  const started: { readonly cluster: string; readonly pid: number; readonly port: number }[] = [];
  for (const name of nodes) {
    const cluster = join(folder, name);
    const files = {
      programs,
      cluster,
      socketFolder: join(folder, `${name}-socket`),
      log: join(folder, `${name}.log`),
      runner: runnerFor(cluster, programs),
    };
    initialize(files, ['--no-sync']);
    const port = freePort();
    const { pid } = await startServer(files, { ...settings, port: String(port) });
    started.push({ cluster, pid, port });
  }
  const [coordinator, ...workers] = started;
  return {
    url: `postgres://${superuser}@${host}:${coordinator?.port}/postgres`,
    workers: workers.map(({ port }) => `${host}:${port}`),
    stop: async () => {
      for (const { cluster, pid } of started) await stopServer(cluster, pid);
    },
  };
}

/**
 * Turns an empty database into a cluster: creates the same database on each worker and adds the workers to the
 * coordinator.
 */
export async function joinWorkers(url: string, workers: readonly string[], shards: number): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  const name = pathname.slice(1);
  await Promise.all(
    workers.map(async (worker) => {
      await send(addressOnServer(url, worker, 'postgres'), [
        `create database ${name} template template0 encoding 'UTF8' locale 'C'`,
      ]);
      await send(addressOnServer(url, worker, name), ['create extension citus']);
    }),
  );
  await send(url, [
    'create extension citus',
    `alter database ${name} set citus.shard_count = ${shards}`,
    `select citus_set_coordinator_host('${hostname}', ${port})`,
    ...workers.map((worker) => `select citus_add_node('${worker.split(':')[0]}', ${worker.split(':')[1]})`),
  ]);
}

/** Opens a database on a worker or on the coordinator. */
export function addressOnServer(url: string, worker: string | undefined, database: string): string {
  const address = new URL(url);
  if (worker !== undefined) [address.hostname, address.port] = worker.split(':') as [string, string];
  address.pathname = `/${database}`;
  return address.href;
}

export async function send(url: string, statements: readonly string[]): Promise<void> {
  const pool = openPool(url, 1, { statement_timeout: 0 });
  try {
    for (const statement of statements) await pool.unsafe(statement);
  } finally {
    await pool.end({ timeout: 5 });
  }
}

function freePort(): number {
  const taken = Bun.listen({ hostname: host, port: 0, socket: { data: () => {} } });
  const { port } = taken;
  taken.stop(true);
  return port;
}
