import { appendFileSync, mkdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { type ConnectionPool, openPool, type Sql } from '../../src/db/connection.ts';
import { packagedPostgres } from '../../src/db/postgres-programs.ts';
import { initialize, isAlive, startServer, superuser } from '../../src/db/postgres-server.ts';
import { runnerFor } from '../../src/db/unprivileged-runner.ts';
import { clusterSettings, joinWorkers } from '../citus/cluster.ts';
import { findPrograms } from '../citus/programs.ts';
import { addresses, addressOfNode, backNetwork } from './network.ts';

/** The PostgreSQL that all nodes share over the network. It keeps everything that it acknowledged. */
export interface Server {
  readonly url: string;
  /** Connects as the database owner, bypassing row-level security. */
  readonly pool: ConnectionPool;
  asOwner<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Returns the open sessions of a node, as PostgreSQL sees them. */
  findSessions(node: number): Promise<readonly number[]>;
  /**
   * Fills the disk of PostgreSQL except for about 200 kB. The returned function frees the space, and restarts
   * PostgreSQL if it stopped.
   */
  fillDisk(): Promise<() => Promise<void>>;
  /** The Citus workers, or an empty list without Citus. */
  readonly workers: readonly RunningServer[];
  /**
   * SIGQUIT stops PostgreSQL immediately, and SIGKILL without warning. In both cases the next start recovers from the
   * WAL.
   */
  restart(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void>;
}

const port = 5432;
const settings = {
  listen_addresses: addresses.back,
  max_connections: '200',
  shared_buffers: '256MB',
  min_wal_size: '64MB',
  max_wal_size: '256MB',
};
const tries = 40;

/** One PostgreSQL in the run. */
export interface RunningServer {
  isAlive(): boolean;
  stop(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  start(): Promise<void>;
}

interface DatabaseOptions {
  /** Whether PostgreSQL runs on a separate disk, which can be filled. */
  readonly isSmall: boolean;
  readonly isCluster: boolean;
}

/** Starts a database. `folder` must be accessible to users other than root. */
export async function startDatabase(folder: string, { isSmall, isCluster }: DatabaseOptions): Promise<Server> {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  if (isSmall) mountDisk(disk);
  const programs = isCluster ? citusPrograms() : packagedPostgres();
  const more = isCluster ? clusterSettings : {};
  const main = await startOne(programs, join(disk, 'cluster'), folder, { ...settings, ...more, port: String(port) });
  const workerPorts = isCluster ? [port + 1, port + 2] : [];
  const workers = await Promise.all(
    workerPorts.map((own) =>
      startOne(programs, join(disk, `worker${own}`), folder, { ...settings, ...more, port: String(own) }),
    ),
  );
  const address = (name: string): string => `postgres://${superuser}@${addresses.back}:${port}/${name}`;
  const first = openPool(address('postgres'), 1);
  await first.unsafe(`create database lotbook template template0 encoding 'UTF8' locale 'C'`);
  await first.end();
  const url = address('lotbook');
  if (isCluster)
    await joinWorkers(
      url,
      workerPorts.map((own) => `${addresses.back}:${own}`),
      shards,
    );
  const pool = openPool(url, 2, { application_name: 'operator' });
  return {
    url,
    pool,
    asOwner: async (work) => (await pool.begin(async (sql) => [await work(sql)] as const))[0] as never,
    findSessions: async (node) => {
      const rows = await pool<{ pid: number }[]>`
        select pid from pg_stat_activity where client_addr = ${addressOfNode(node, 'back')}::inet`;
      return rows.map((row) => row.pid);
    },
    workers,
    restart: async (signal) => {
      await main.stop(signal);
      await main.start();
    },
    fillDisk: async () => {
      const filler = join(disk, 'filler');
      // Other writers may have taken the space that was free a moment ago.
      for (let left = freeBytes; !fill(filler, disk, left); left += freeBytes) await Bun.sleep(10);
      return async () => {
        rmSync(filler);
        if (!main.isAlive()) await main.start();
      };
    },
  };
}

const shards = 4;

function citusPrograms(): string {
  const programs = findPrograms();
  if ('programs' in programs) return programs.programs;
  throw new Error(programs.lacks.join(' '));
}

async function startOne(
  programs: string,
  cluster: string,
  folder: string,
  own: Readonly<Record<string, string>>,
): Promise<RunningServer> {
  const files = {
    programs,
    cluster,
    socketFolder: join(folder, `s${own.port}`),
    log: join(folder, `postgres${own.port}.log`),
    runner: runnerFor(cluster, programs),
  };
  initialize(files);
  appendFileSync(join(cluster, 'pg_hba.conf'), `\nhost all all ${backNetwork} trust\n`);
  let { pid } = await startServer(files, own);
  return {
    isAlive: () => isAlive(pid),
    stop: async (signal) => {
      process.kill(pid, signal);
      while (isAlive(pid)) await Bun.sleep(20);
    },
    start: async () => {
      // After a SIGKILL, the remaining processes still hold the shared memory for a moment.
      for (let left = tries; ; left--) {
        const started = await startServer(files, own).catch((error: unknown) => {
          if (left === 0) throw error;
          return null;
        });
        if (started !== null) {
          pid = started.pid;
          return;
        }
        await Bun.sleep(250);
      }
    },
  };
}

function fill(filler: string, disk: string, left: number): boolean {
  const { bavail, bsize } = statfsSync(disk);
  const bytes = Math.max(bsize, bavail * bsize - left);
  return Bun.spawnSync(['fallocate', '--length', String(bytes), filler]).exitCode === 0;
}

/** Enough space for the books in a run, but too little for imports after the disk is full. */
const [diskMegabytes, freeBytes] = [700, 200_000];

function mountDisk(folder: string): void {
  const { exitCode, stderr } = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'tmpfs', folder]);
  if (exitCode !== 0) throw new Error(`A small disk cannot be mounted here: ${stderr.toString().trim()}`);
}
