import { type ConnectionPool, openPool } from '../connection.ts';
import { MigrationError } from '../migration-files.ts';
import { grantColumns } from './column-grants.ts';
import { listTablesPlaced, type TablePlacement, tablePlacements, taxpayerColumn } from './places.ts';
import { onWorkers } from './workers.ts';

/** Any number, but the same in every Lotbook, and not that of the migrations or the jobs. */
const distributionLock = 7_102_033;
/** The progress is in a separate schema. If a server is killed, the next one continues. */
const schema = 'distribution';
/** Settings that the server's statements need, in its sessions and on the workers. */
const settings: Readonly<Record<string, string>> = {
  // The role and the taxpayer of a transaction reach the workers.
  'citus.propagate_set_commands': 'local',
  // Our statements read and write rows of one taxpayer, all on one worker (sql/0002_ledger.sql, 0003_gains.sql) …
  'citus.enable_unsafe_triggers': 'on',
  // … in separate statements.
  'citus.allow_nested_distributed_execution': 'on',
  // Users are not changed after a query to all workers, which a transaction uses to find the books of one.
  'citus.multi_shard_modify_mode': 'sequential',
  // All writes go through the coordinator. Otherwise a write to a reference table first takes a lock on a worker, and
  // `on conflict` is refused there to a role that may only insert, like that of shared prices.
  'citus.allow_modifications_from_workers_to_replicated_tables': 'off',
  // The default of our sessions, which they do not pass on to the workers.
  timezone: 'UTC',
};

/**
 * If the database has the extension Citus, places each table (places.ts); otherwise does nothing. Finished steps are
 * not repeated, so it can be killed at any moment and run any number of times. Returns the tables that it placed.
 *
 * `settles`: the workers also get the settings and the grants, needed after adding a worker or moving shards. Not done
 * at each start, because it would take a second and fail while a worker is unavailable.
 */
export async function distribute(url: string, settles: boolean): Promise<string[]> {
  const pool = openPool(url, 1, { statement_timeout: 0, lock_timeout: 0, client_connection_check_interval: 0 });
  const alone = await pool.reserve();
  try {
    const rows = await alone`select 1 from pg_extension where extname = 'citus'`;
    if (rows.length === 0) return [];
    await alone`select pg_advisory_lock(${distributionLock})`;
    const open = await unplaced(alone);
    const isUnplaced = open.length > 0 || (await hasKeysAside(alone));
    if (isUnplaced) await refuseToStrangers(alone);
    if (!isUnplaced && !(settles && (await mayChangeTables(alone)))) return [];
    await applySettings(alone);
    if (isUnplaced) await placeAll(alone, open);
    else await grantColumns(alone);
    return open;
  } finally {
    alone.release();
    await pool.end({ timeout: 5 });
  }
}

type AloneConnection = Awaited<ReturnType<ConnectionPool['reserve']>>;

/**
 * The order that Citus needs: a table with a foreign key to a non-distributed table is refused, and a reference table
 * moves all tables that its keys refer to.
 */
async function placeAll(sql: AloneConnection, open: readonly string[]): Promise<void> {
  if (open.length > 0) await setKeysAside(sql, open);
  const inOrder = (placement: TablePlacement) => listTablesPlaced(placement).filter((table) => open.includes(table));
  for (const table of inOrder('taxpayer')) await placeTable(sql, table, distributing(table));
  for (const table of inOrder('everywhere')) await placeTable(sql, table, `select create_reference_table('${table}')`);
  await freeLocalRows(sql);
  await sendFunctions(sql);
  await grantColumns(sql);
  await takeKeysBack(sql);
}

/** Existing rows are copied to the workers, where triggers must not count them again. */
async function placeTable(sql: AloneConnection, table: string, statement: string): Promise<void> {
  const rows = await sql.unsafe(`select 1 from ${table} limit 1`);
  await sql.unsafe('begin');
  try {
    if (rows.length > 0) await sql.unsafe('set local session_replication_role = replica');
    await sql.unsafe(statement);
    await sql.unsafe('commit');
  } catch (error) {
    await sql.unsafe('rollback');
    throw error;
  }
}

function distributing(table: string): string {
  const beside = table === 'taxpayers' ? 'none' : 'taxpayers';
  return `select create_distributed_table('${table}', '${taxpayerColumn(table)}', colocate_with => '${beside}')`;
}

async function applySettings(sql: AloneConnection): Promise<void> {
  const [row] = await sql<{ database: string }[]>`select quote_ident(current_database()) as database`;
  for (const [name, value] of Object.entries(settings)) {
    const statement = `alter database ${row?.database} set ${name} = '${value}'`;
    await sql.unsafe(`set ${name} = '${value}'`);
    await sql.unsafe(statement);
    await onWorkers(sql, statement);
  }
  // A worker accepts only roles that can sign in, and the coordinator connects with the role of the transaction.
  const roles = await sql<{ name: string }[]>`
    select rolname as name from pg_roles where rolname in ('lotbook_app', 'lotbook_server') and not rolcanlogin`;
  for (const { name } of roles) await sql.unsafe(`alter role ${name} login`);
}

/** Returns tables that are only on the coordinator and should not be. */
async function unplaced(sql: AloneConnection): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and not exists (select from citus_tables t where t.table_name = c.oid)`;
  return rows
    .map(({ name }) => name)
    .filter((name) => tablePlacements[name] !== undefined && tablePlacements[name] !== 'coordinator');
}

/** Drops the foreign keys from and to these tables, and records them. */
async function setKeysAside(sql: AloneConnection, tables: readonly string[]): Promise<void> {
  await sql.unsafe('begin');
  try {
    await sql.unsafe(`
      create schema if not exists ${schema};
      create table if not exists ${schema}.keys_aside (
        of_table text not null, name text not null, definition text not null, primary key (of_table, name)
      )`);
    const keys = await sql<{ table: string; name: string }[]>`
      insert into ${sql(schema)}.keys_aside (of_table, name, definition)
      select t.relname, n.conname, pg_get_constraintdef(n.oid)
      from pg_constraint n join pg_class t on t.oid = n.conrelid join pg_class r on r.oid = n.confrelid
      where n.contype = 'f' and t.relnamespace = 'public'::regnamespace
        and (t.relname = any(${tables as string[]}::text[]) or r.relname = any(${tables as string[]}::text[]))
      returning of_table as "table", name`;
    for (const { table, name } of keys) await sql`alter table ${sql(table)} drop constraint ${sql(name)}`;
    await sql.unsafe('commit');
  } catch (error) {
    await sql.unsafe('rollback');
    throw error;
  }
}

/** Set from before the first table moves until everything is done. */
async function hasKeysAside(sql: AloneConnection): Promise<boolean> {
  const [row] = await sql<
    { isThere: boolean }[]
  >`select to_regclass(${`${schema}.keys_aside`}) is not null as "isThere"`;
  return row?.isThere === true;
}

async function mayChangeTables(sql: AloneConnection): Promise<boolean> {
  const [row] = await sql<{ may: boolean }[]>`select has_schema_privilege('public', 'create') as may`;
  return row?.may === true;
}

async function refuseToStrangers(sql: AloneConnection): Promise<void> {
  if (await mayChangeTables(sql)) return;
  throw new MigrationError(
    'The tables are not distributed yet, and this database user may not do that. Run "lotbook migrate" first, with the ' +
      'DATABASE_URL of the owner.',
  );
}

async function takeKeysBack(sql: AloneConnection): Promise<void> {
  const keys = await sql<{ table: string; name: string; definition: string }[]>`
    select of_table as "table", name, definition from ${sql(schema)}.keys_aside order by of_table, name`;
  for (const { table, name, definition } of keys) {
    await sql.unsafe('begin');
    try {
      await sql.unsafe(`alter table "${table}" add constraint "${name}" ${definition}`);
      await sql`delete from ${sql(schema)}.keys_aside where of_table = ${table} and name = ${name}`;
      await sql.unsafe('commit');
    } catch (error) {
      await sql.unsafe('rollback');
      throw error;
    }
  }
  await sql.unsafe(`drop schema ${schema} cascade`);
}

/** Earlier rows remain on the coordinator, invisible. Rows that are deleted later must not remain there. */
async function freeLocalRows(sql: AloneConnection): Promise<void> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from citus_tables t join pg_class c on c.oid = t.table_name
    where c.relnamespace = 'public'::regnamespace and t.citus_table_type in ('distributed', 'reference') and pg_relation_size(c.oid) > 0`;
  for (const { name } of rows) await sql.unsafe(`select truncate_local_data_after_distributing_table('${name}')`);
}

/** Citus creates a function on the workers if the tables that it names exist there. */
async function sendFunctions(sql: AloneConnection): Promise<void> {
  const rows = await sql<{ definition: string }[]>`
    select pg_get_functiondef(p.oid) as definition from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by p.oid`;
  for (const { definition } of rows) await sql.unsafe(definition);
}
