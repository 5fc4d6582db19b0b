import { chmodSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Database, openPool, type Sql } from '../../src/db/connection.ts';
import { migrate } from '../../src/db/migrate.ts';
import { packagedPostgres } from '../../src/db/postgres-programs.ts';
import { buildUrl, initialize, startServer } from '../../src/db/postgres-server.ts';
import { runnerFor } from '../../src/db/unprivileged-runner.ts';
import { closeTemplate, copyCluster, dropCluster, joinWorkers, workers } from './citus/cluster.ts';
import { whenProcessEnds } from './process-end.ts';

/**
 * Gives every test file its own database: a copy of a template to which the migrations were applied once. The first
 * test that needs the server starts it, and it stops when the process ends. LOTBOOK_TEST_DATABASE_URL names another
 * server to use (its user must be able to create databases and roles).
 */
export interface TestDatabase {
  readonly database: Database;
  readonly url: string;
  /**
   * Runs one transaction as the owner of the tables, without row-level security, to inspect data and to create data
   * that no request can create.
   */
  asOwner<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  drop(): Promise<void>;
}

export async function testDatabase(): Promise<TestDatabase> {
  const url = await emptyDatabase(await template());
  const database = connect({ url: url, directUrl: null }, { connectionsMax: 8 });
  const owner = openPool(url, 2, { application_name: 'owner' });
  return {
    database,
    url,
    asOwner: async (work) => (await owner.begin(async (sql) => [await work(sql)] as const))[0] as never,
    drop: async () => {
      await Promise.all([database.close(), owner.end({ timeout: 5 })]);
      await dropDatabase(url);
    },
  };
}

/**
 * Makes all taxpayers in the database use the same row ids, for tests that compare the books of two taxpayers including
 * ids.
 */
export async function nameRowsAlike(books: Pick<TestDatabase, 'asOwner'>): Promise<void> {
  await books.asOwner((sql) => sql.unsafe("alter table taxpayers alter column id_key set default '\\x01'"));
}

/** Creates a new database, empty or as a copy of `source`, and returns its URL. */
export async function emptyDatabase(source = 'template0'): Promise<string> {
  serial += 1;
  const name = `${prefix}_${serial}`;
  const url = addressWith(await serverAddress(), name);
  if (workers.length > 0 && source !== 'template0') await copyCluster(url, source);
  // Copying the files takes half as long as the default strategy, which writes every page to the log.
  else await administer(`create database ${name} template ${source} strategy file_copy encoding 'UTF8' locale 'C'`);
  return url;
}

export async function dropDatabase(url: string): Promise<void> {
  if (workers.length > 0) await dropCluster(url);
  else await administer(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`);
}

/**
 * Stops our own server without waiting for the end of the process. A given server keeps running, so this removes the
 * databases of this process from it.
 */
export async function stopTestServer(): Promise<void> {
  if (starting === undefined) return;
  const { address, own } = await starting;
  if (own !== null) {
    own.stop();
    while (existsSync(own.folder)) await Bun.sleep(20);
  } else {
    const left = await administer<{ name: string }>(
      `select datname as name from pg_database where starts_with(datname, '${prefix}')`,
    );
    for (const { name } of left) await dropDatabase(addressWith(address, name));
  }
  starting = undefined;
}

const given = process.env.LOTBOOK_TEST_DATABASE_URL;
const prefix = `lotbook_test_${process.pid}_${Math.floor(performance.timeOrigin).toString(36)}`;
let serial = 0;
let starting: Promise<TestServer> | undefined;
let templateReady: Promise<string> | undefined;

function template(): Promise<string> {
  templateReady ??= (async () => {
    await administer(`create database ${prefix} template template0 encoding 'UTF8' locale 'C'`);
    const url = addressWith(await serverAddress(), prefix);
    if (workers.length > 0) await joinWorkers(url);
    await migrate(url);
    if (workers.length > 0) await closeTemplate(url);
    return prefix;
  })();
  return templateReady;
}

async function serverAddress(): Promise<string> {
  starting ??= given === undefined ? startTestServer() : Promise.resolve({ address: given, own: null });
  return (await starting).address;
}

interface TestServer {
  readonly address: string;
  /** Null for a given server. */
  readonly own: { readonly folder: string; readonly stop: () => void } | null;
}

/** Other programs may keep the machine busy. */
const startMilliseconds = 150_000;

async function startTestServer(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'lotbook-test-'));
  chmodSync(folder, 0o755);
  const cluster = join(folder, 'cluster');
  const programs = packagedPostgres();
  const runner = runnerFor(cluster, programs);
  const files = {
    programs,
    cluster,
    socketFolder: join(folder, 's'),
    log: join(folder, 'log'),
    runner,
  };
  initialize(files, ['--no-sync']);
  // Prefers speed over durability, because no data here outlives the run.
  const unsafe = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };
  const counted = { shared_preload_libraries: 'pg_stat_statements' };
  const settings = { ...unsafe, ...counted, autovacuum: 'off', max_wal_size: '4GB' };
  const server = await startServer(files, settings, null, startMilliseconds);
  const stop = await whenProcessEnds(stopAndRemove, String(server.pid), folder);
  return { address: buildUrl(server, 'postgres'), own: { folder, stop } };
}

/** Waits up to ten seconds for the server to remove its file, the last thing that it does. */
const stopAndRemove = `
  kill -QUIT "$1"
  for wait in $(seq 100); do [ -e "$2/cluster/postmaster.pid" ] && sleep 0.1; done
  rm -rf "$2"`;

async function administer<Row extends object>(statement: string): Promise<readonly Row[]> {
  const pool = openPool(await serverAddress(), 1, { statement_timeout: 0 });
  try {
    return await pool.unsafe<Row[]>(statement);
  } finally {
    await pool.end({ timeout: 5 });
  }
}

function addressWith(address: string, database: string): string {
  const url = new URL(address);
  url.pathname = `/${database}`;
  return url.href;
}
