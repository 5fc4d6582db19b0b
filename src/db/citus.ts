import { type ConnectionPool, openPool, type Sql } from './connection.ts';
import { MigrationError, migrateAsOwner } from './migration-files.ts';

/** An arbitrary number. It must be the same in every Lotbook, and differ from the numbers for migrations and jobs. */
const distributionLock = 7_102_033;
/** The progress is stored in a separate schema. If a server is killed, the next one continues. */
const schema = 'distribution';
/** Settings that the server's statements need, in its sessions and on the workers. */
const settings: Readonly<Record<string, string>> = {
  // Passes the role and the taxpayer of a transaction to the workers.
  'citus.propagate_set_commands': 'local',
  // Our statements read and write rows of one taxpayer, all on one worker (sql/0002_ledger.sql, 0003_gains.sql) …
  'citus.enable_unsafe_triggers': 'on',
  // … in separate statements.
  'citus.allow_nested_distributed_execution': 'on',
  // Users are not changed after a query to all workers, which a transaction runs to find a user's books.
  'citus.multi_shard_modify_mode': 'sequential',
  // All writes go through the coordinator. Otherwise a write to a reference table first locks it on a worker, and the
  // worker refuses `on conflict` to a role that may only insert, such as the role for shared prices.
  'citus.allow_modifications_from_workers_to_replicated_tables': 'off',
  // The default of our sessions, which they do not pass on to the workers.
  timezone: 'UTC',
};

/**
 * Places each table (`tablePlacements`) if the database has the Citus extension, and does nothing otherwise. Finished
 * steps are not repeated, so this function can be killed at any moment and run any number of times. Returns the tables
 * that it placed.
 *
 * If `settles` is true, the workers also get the settings and the grants, which is necessary after adding a worker or
 * moving shards. A normal start does not settle because that would take a second and fail while a worker is
 * unavailable.
 */
export async function distribute(url: string, settles: boolean): Promise<string[]> {
  const pool = openPool(url, 1, { statement_timeout: 0, lock_timeout: 0, client_connection_check_interval: 0 });
  const alone = await pool.reserve();
  try {
    const rows = await alone`select 1 from pg_extension where extname = 'citus'`;
    if (rows.length === 0) return [];
    await alone`select pg_advisory_lock(${distributionLock})`;
    const open = await findUnplacedTables(alone);
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
 * Uses the order that Citus needs: it refuses a table with a foreign key to a non-distributed table, and a reference
 * table moves all tables that its keys refer to.
 */
async function placeAll(sql: AloneConnection, open: readonly string[]): Promise<void> {
  if (open.length > 0) await setKeysAside(sql, open);
  const inOrder = (placement: TablePlacement) => listTablesPlaced(placement).filter((table) => open.includes(table));
  for (const table of inOrder('taxpayer')) await placeTable(sql, table, buildDistribution(table));
  for (const table of inOrder('everywhere')) await placeTable(sql, table, `select create_reference_table('${table}')`);
  await freeLocalRows(sql);
  await sendFunctions(sql);
  await grantColumns(sql);
  await takeKeysBack(sql);
}

/**
 * Places a table with the triggers off. Existing rows are copied to the workers, where triggers must not count them
 * again.
 */
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

function buildDistribution(table: string): string {
  const colocation = table === 'taxpayers' ? 'none' : 'taxpayers';
  return `select create_distributed_table('${table}', '${taxpayerColumn(table)}', colocate_with => '${colocation}')`;
}

async function applySettings(sql: AloneConnection): Promise<void> {
  const [row] = await sql<{ database: string }[]>`select quote_ident(current_database()) as database`;
  for (const [name, value] of Object.entries(settings)) {
    const statement = `alter database ${row?.database} set ${name} = '${value}'`;
    await sql.unsafe(`set ${name} = '${value}'`);
    await sql.unsafe(statement);
    await onWorkers(sql, statement);
  }
  // A worker accepts only roles that can sign in, and the coordinator connects with the transaction's role.
  const roles = await sql<{ name: string }[]>`
    select rolname as name from pg_roles where rolname in ('lotbook_app', 'lotbook_server') and not rolcanlogin`;
  for (const { name } of roles) await sql.unsafe(`alter role ${name} login`);
}

/** Returns tables that are only on the coordinator but should not be. */
async function findUnplacedTables(sql: AloneConnection): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and not exists (select from citus_tables t where t.table_name = c.oid)`;
  return rows
    .map(({ name }) => name)
    .filter((name) => tablePlacements[name] !== undefined && tablePlacements[name] !== 'coordinator');
}

/** Drops and records the foreign keys from and to these tables. */
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

/** Returns true from before the first table moves until all tables are placed. */
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
    `The tables are not distributed yet, and this database user may not do that. ${migrateAsOwner}`,
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

/**
 * Earlier rows remain on the coordinator, where they are invisible. Rows that are deleted later must not remain there.
 */
async function freeLocalRows(sql: AloneConnection): Promise<void> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from citus_tables t join pg_class c on c.oid = t.table_name
    where c.relnamespace = 'public'::regnamespace and t.citus_table_type in ('distributed', 'reference') and pg_relation_size(c.oid) > 0`;
  for (const { name } of rows) await sql.unsafe(`select truncate_local_data_after_distributing_table('${name}')`);
}

/** Citus creates a function on the workers only if the tables that the function names exist there. */
async function sendFunctions(sql: AloneConnection): Promise<void> {
  const rows = await sql<{ definition: string }[]>`
    select pg_get_functiondef(p.oid) as definition from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by p.oid`;
  for (const { definition } of rows) await sql.unsafe(definition);
}

/**
 * The location of a table's rows in a Citus cluster:
 * - `taxpayer`: on the taxpayer's worker, with all other rows of that taxpayer.
 * - `everywhere`: a full copy on every node (a reference table), for data that taxpayer rows refer to.
 * - `coordinator`: only on the coordinator, for data that no taxpayer row refers to.
 */
type TablePlacement = 'taxpayer' | 'everywhere' | 'coordinator';

/** The location of every table in sql/. Add new tables here (test/db/citus/table-placements.test.ts). */
export const tablePlacements: Readonly<Record<string, TablePlacement>> = {
  ...placeTables('taxpayer', [
    'taxpayers clients audit_entries sign_in_failures idempotency_keys',
    // The ledger
    'blobs imports import_events import_rejects proposed_rows import_texts import_groups import_mappings transactions',
    'transaction_sources staged row_aliases possible_duplicates account_assignments account_questions asset_names undone_imports undone_rows undone_texts connections connection_pages edits edited_rows resolutions ledgers',
    // The gains
    'books checkpoints lots lot_versions disposals wash_sales incomes contracts_1256 issues gifts book_years year_summaries',
    'calculations allocations year_locks review_steps review_notes locked_lines',
    // Prices, balances, reports, messages
    'prices valuations balances balance_sources reports report_books messages ai_usage ai_consents notifications',
    'muted_notifications notified_subjects',
  ]),
  ...placeTables('everywhere', ['shared_prices']),
  ...placeTables('coordinator', [
    // People, their sign-in methods, and the books that they have access to
    'users memberships digests invitations subscriptions devices sessions programs program_connections access_tokens identities',
    'totp_keys passkeys recovery_codes one_time_tokens account_guesses account_deletions deleted_accounts',
    // Internal data of the server
    'schema_migrations stripe_events wrong_guesses server_secrets',
  ]),
};

/** Returns the distribution column of a taxpayer table. Rows with the same value are on one worker. */
export function taxpayerColumn(table: string): string {
  return table === 'taxpayers' ? 'id' : 'taxpayer_id';
}

export function listTablesPlaced(placement: TablePlacement): string[] {
  return Object.keys(tablePlacements).filter((table) => tablePlacements[table] === placement);
}

function placeTables(placement: TablePlacement, lines: readonly string[]): Record<string, TablePlacement> {
  return Object.fromEntries(lines.flatMap((line) => line.split(' ')).map((table) => [table, placement]));
}

/** Runs one statement on each Citus worker. */
async function onWorkers(sql: Awaited<ReturnType<ConnectionPool['reserve']>>, statement: string): Promise<void> {
  const [failed] = await sql<{ node: string; result: string }[]>`
    select nodename as node, result from run_command_on_workers(${statement}) where not success`;
  if (failed !== undefined) throw new MigrationError(`Citus worker ${failed.node} refuses: ${failed.result}`);
}

/**
 * Ends an `insert … select` into a table with generated numbers. A Citus cluster assigns the numbers on the coordinator
 * and copies such rows to their worker by COPY, which row-level security refuses. If the statement has a `returning`
 * clause, Citus copies the rows as an intermediate result that the worker reads.
 */
export const numbered = (sql: Sql) => sql`${sql.unsafe(numberedText)}`;

export const numberedText = 'returning 1';

/**
 * Copies grants on single columns from the coordinator to the workers. Citus before 13.1 copies only grants on whole
 * tables when it distributes a table, moves a shard or adds a worker. Here, each worker grants whatever its tables and
 * shards lack.
 */
async function grantColumns(sql: Awaited<ReturnType<ConnectionPool['reserve']>>): Promise<void> {
  const tables = [...listTablesPlaced('taxpayer'), ...listTablesPlaced('everywhere')];
  const [grants] = await sql<{ list: string }[]>`
    select coalesce(jsonb_agg(jsonb_build_array(c.relname, x.privilege_type, a.attname, r.rolname)), '[]')::text as list
    from pg_attribute a join pg_class c on c.oid = a.attrelid and not a.attisdropped, aclexplode(a.attacl) x join pg_roles r on r.oid = x.grantee
    where c.relnamespace = 'public'::regnamespace and c.relname = any(${tables}::text[])`;
  // Triggers on a shard refer to the original tables, which each worker also has. Propagation is off because Citus
  // refuses such a grant otherwise.
  await onWorkers(
    sql,
    `do $do$
    declare
      missing record;
    begin
      set local citus.enable_ddl_propagation = off;
      for missing in
        with grants as (
          select g ->> 0 as name, g ->> 1 as privilege, g ->> 2 as column, g ->> 3 as role
          from jsonb_array_elements('${grants?.list ?? '[]'}'::jsonb) g
        ), relations as (
          select c.relname as name, c.oid::regclass as relation from pg_class c
          where c.relnamespace = 'public'::regnamespace
          union all
          select c.relname, shard_name(s.logicalrelid, s.shardid)::regclass
          from pg_dist_shard s join pg_class c on c.oid = s.logicalrelid join pg_dist_placement p on p.shardid = s.shardid
          where p.groupid = (select groupid from pg_dist_local_group)
        )
        select r.relation, g.role, string_agg(format('%s (%I)', g.privilege, g.column), ', ') as privileges
        from grants g join relations r on r.name = g.name
        where not has_column_privilege(g.role, r.relation, g.column, g.privilege)
        group by r.relation, g.role
      loop
        execute format('grant %s on %s to %I', missing.privileges, missing.relation, missing.role);
      end loop;
    end $do$`,
  );
}
