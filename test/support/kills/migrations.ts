import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { tradesCsv } from '../../../scripts/bench/trades.ts';
import { openPool } from '../../../src/db/connection.ts';
import { joinEmbedded, openEmbedded } from '../../../src/db/embedded.ts';
import { appliedSteps, migrate, migrations } from '../../../src/db/migrate.ts';
import { runningServer } from '../../../src/db/postgres-server.ts';
import { dataFolder, type Folder, serve, stop } from '../process.ts';
import { calm, Ground, signal, type Victim } from './ground.ts';
import type { Kill } from './kill.ts';
import { done, spawnCommand } from './operations.ts';
import { clusterOf, postgresIn } from './restores.ts';
import { differenceOf } from './state.ts';
import { addressIn, type WholeDatabase, wholeDatabase } from './whole-database.ts';

const operation = 'migration of a database with rows';
/** The database has these migrations but none of the later ones. */
const stepsBefore = 8;
const pollMilliseconds = 5;

interface Prepared {
  /** A stopped database after the earlier migrations. */
  readonly older: Folder;
  readonly migrated: WholeDatabase;
  /** From the start of PostgreSQL until the end of the command. */
  milliseconds: number;
}

/** Kills a migration, or its PostgreSQL, at a random moment. Then the server starts on the database. */
export async function* killMigrations(kills: number, random: () => number): AsyncGenerator<Kill> {
  if (kills === 0) return;
  const older = await olderDatabase();
  try {
    const prepared = await migrateWhole(older);
    for (let round = 0; round < kills; round++) {
      const victim = (['command', 'command', 'session', 'postmaster'] as const)[round % 4] ?? 'command';
      yield await killMigration(prepared, victim, random());
    }
  } finally {
    await older.remove();
  }
}

async function killMigration(prepared: Prepared, victim: Exclude<Victim, 'server'>, share: number): Promise<Kill> {
  const faults: string[] = [];
  const folder = readCopy(prepared.older);
  try {
    const command = spawnCommand({ folder }, ['migrate']);
    while (folder.postgres() === null && command.exitCode === null) await Bun.sleep(pollMilliseconds);
    const milliseconds = share * prepared.milliseconds;
    await Bun.sleep(milliseconds);
    const isMidway = command.exitCode === null;
    prepared.milliseconds *= isMidway ? 1.02 : 0.85;
    if (victim === 'command') command.kill('SIGKILL');
    else if (victim === 'postmaster') signal(folder.postgres()?.pid ?? 0);
    else await signalSession(folder);
    await command.exited;

    const steps = await stepsLeft(folder);
    if (steps !== stepsBefore && steps !== migrations.length) faults.push(`${steps} steps were applied`);
    const serving = await serve(folder, calm).catch((error: unknown) => String(error));
    if (typeof serving === 'string') faults.push(`the server did not start: ${serving.slice(0, 300)}`);
    else {
      const different = differenceOf(await wholeDatabase(addressIn(clusterOf(folder))), prepared.migrated);
      if (different.length > 0) faults.push(`rows differ: ${different.join(', ')}`);
      const { code } = await stop(serving.process);
      if (code !== 0) faults.push(`the server stopped with ${code}`);
    }
    const left = postgresIn(folder);
    if (left.length > 0) faults.push(`PostgreSQL still runs in ${left.join(', ')}`);
    const isAll = steps === migrations.length;
    return { operation, victim, milliseconds, isMidway, left: isAll ? 'all' : 'nothing', isReported: false, faults };
  } finally {
    await folder.remove();
  }
}

/** Kills one session. PostgreSQL then ends all sessions and restarts by itself. */
async function signalSession(folder: Folder): Promise<void> {
  const address = addressIfRunning(folder);
  // The command and its PostgreSQL have ended.
  if (address === null) return;
  const pool = openPool(address, 1);
  try {
    const [row] = await pool<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = 'lotbook' and pid <> pg_backend_pid() and backend_type = 'client backend'
      order by (state <> 'idle') desc, state_change desc limit 1`;
    signal(row?.pid ?? 0);
  } catch {
    // PostgreSQL does not accept sessions yet, or no longer does.
  } finally {
    await pool.end({ timeout: 1 }).catch(() => {});
  }
}

function addressIfRunning(folder: Folder): string | null {
  return runningServer(clusterOf(folder)) === null ? null : addressIn(clusterOf(folder));
}

/** Returns the number of migrations in the database. A running PostgreSQL keeps running for the server to adopt it. */
async function stepsLeft(folder: Folder): Promise<number> {
  for (let tries = 0; tries < 100; tries++, await Bun.sleep(100)) {
    const address = addressIfRunning(folder);
    if (address === null) break;
    const steps = await appliedSteps(address).catch(() => null);
    if (steps !== null) return steps;
  }
  const embedded = await joinEmbedded(join(folder.path, 'data'));
  try {
    return await appliedSteps(embedded.ownerUrl);
  } finally {
    await embedded.close();
  }
}

async function migrateWhole(older: Folder): Promise<Prepared> {
  const folder = readCopy(older);
  const command = spawnCommand({ folder }, ['migrate']);
  while (folder.postgres() === null && command.exitCode === null) await Bun.sleep(pollMilliseconds);
  const started = performance.now();
  if ((await command.exited) !== 0) throw new Error(`migrate: ${await new Response(command.stderr).text()}`);
  const milliseconds = performance.now() - started;
  const serving = await serve(folder, calm);
  const migrated = await wholeDatabase(addressIn(clusterOf(folder)));
  await stop(serving.process);
  await folder.remove();
  return { older, migrated, milliseconds };
}

/**
 * Returns a database with current books in the tables of the earlier migrations, with open links in a table that a
 * later migration moves.
 */
async function olderDatabase(): Promise<Folder> {
  const ground = await Ground.open();
  for (const account of ['Broker', 'Other broker']) {
    const person = await ground.register();
    const csv = tradesCsv(2_000).replaceAll('Broker', account);
    await done(ground, person, { method: 'POST', path: '/v1/transactions/import', body: csv });
    await done(ground, person, { method: 'POST', path: '/v1/tax/years/2023/lock' });
    await done(ground, person, { method: 'POST', path: '/v1/tax/reports', body: { year: 2023 } });
  }
  const folder = dataFolder();
  mkdirSync(join(folder.path, 'data'), { mode: 0o711 });
  const embedded = await openEmbedded(join(folder.path, 'data'));
  await migrate(embedded.ownerUrl, migrations.slice(0, stepsBefore));
  await copyRows(addressIn(clusterOf(ground.folder)), embedded.ownerUrl);
  await embedded.close();
  await ground.close();
  return folder;
}

/** Copies the rows of each table that both databases have, limited to the columns that both have. */
async function copyRows(from: string, to: string): Promise<void> {
  const source = openPool(from, 1);
  const target = openPool(to, 1, { session_replication_role: 'replica' });
  try {
    const columns = `
      select table_name::text as table, array_agg(column_name::text order by ordinal_position) as names
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
        and table_name <> 'schema_migrations' group by table_name`;
    type Columns = { table: string; names: string[] };
    const there = new Map((await source.unsafe<Columns[]>(columns)).map(({ table, names }) => [table, names]));
    for (const { table, names } of await target.unsafe<Columns[]>(columns)) {
      const shared = names.filter((name) => there.get(table)?.includes(name));
      if (shared.length === 0) continue;
      const list = shared.map((name) => `"${name}"`).join(', ');
      const [row] = await source.unsafe<{ rows: string | null }[]>(
        `select json_agg(x)::text as rows from (select ${list} from ${table}) x`,
      );
      if (row?.rows === null || row === undefined) continue;
      await target.unsafe(
        `insert into ${table} (${list}) overriding system value select ${list} from json_populate_recordset(null::${table}, $1::text::json)`,
        [row.rows],
      );
    }
    await target`
      insert into password_resets (token_hash, user_id, expires_at)
      select sha256(email::bytea), id, now() + interval '1 day' from users`;
  } finally {
    await Promise.all([source.end({ timeout: 5 }), target.end({ timeout: 5 })]);
  }
}

function readCopy(folder: Folder): Folder {
  const copy = dataFolder();
  if (!existsSync(join(folder.path, 'data'))) throw new Error('There is no database to copy.');
  Bun.spawnSync(['cp', '-a', join(folder.path, 'data'), join(copy.path, 'data')]);
  return copy;
}
