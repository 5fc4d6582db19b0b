import { createHash } from 'node:crypto';
import { distribute } from './citus.ts';
import { type Database, openPool, type Sql, serverRole } from './connection.ts';
import { installJobQueue } from './job-schema.ts';
import { readMigrations } from './migration-files.ts' with { type: 'macro' };
import { type Migration, MigrationError, migrateAsOwner } from './migration-files.ts';
import { splitStatements } from './sql-statements.ts';

interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly hash: string;
}

/** An arbitrary number. It must be the same in every Lotbook. */
const migrationLock = 7_102_031;

/**
 * Applies the missing migrations in one transaction, under an advisory lock, so that servers that start together wait
 * for the first one. Returns the names of the applied migrations. `settles` is explained at `distribute`, which always
 * settles after a migration.
 */
export async function migrate(
  url: string,
  steps: readonly Migration[] = migrations,
  settles = false,
): Promise<string[]> {
  const applied = await applySteps(url, steps);
  await distribute(url, settles || applied.length > 0);
  await installJobQueue(url);
  return applied;
}

async function applySteps(url: string, steps: readonly Migration[]): Promise<string[]> {
  // Changing a large table may take a long time, and other servers wait for it.
  const pool = openPool(url, 1, { statement_timeout: 0, lock_timeout: 0, client_connection_check_interval: 0 });
  try {
    return await pool.begin(async (sql) => {
      await sql`select pg_advisory_xact_lock(${migrationLock})`;
      const missing = missingSteps(steps, await readApplied(sql));
      if (missing.length > 0) {
        await prepareChange(sql);
        await refuseToMakeRoles(sql);
        // Steps 0010 and 0013 call this function. It does nothing because distribute() places new tables after all
        // steps.
        await sql`create or replace function pg_temp.take_place(text) returns void language sql as 'select'`;
      }
      const isCluster = (await sql`select 1 from pg_extension where extname = 'citus'`).length > 0;
      for (const step of missing) {
        for (const statement of splitStatements(step.sql)) {
          const isLocal = isCluster && isColumnGrant(statement);
          if (isLocal) await sql`set local citus.enable_ddl_propagation = off`;
          await sql.unsafe(statement);
          if (isLocal) await sql`set local citus.enable_ddl_propagation = on`;
        }
        await sql`insert into schema_migrations (number, name, hash) values (${step.number}, ${step.name}, ${hashOf(step)})`;
      }
      await refuseWithoutRole(sql);
      return missing.map((step) => step.name);
    });
  } finally {
    await pool.end({ timeout: 5 });
  }
}

/**
 * Citus refuses grants on single columns of a distributed table. This runs them only on the coordinator, and
 * `distribute` copies them to the workers.
 */
function isColumnGrant(statement: string): boolean {
  return /^\s*(?:grant|revoke)\s(?:(?!\bon\b)[\w\s,])*\(/im.test(statement);
}

/** Returns the number of applied steps, which is zero in a new database. */
export async function appliedSteps(url: string): Promise<number> {
  const pool = openPool(url, 1);
  try {
    return await pool.begin(async (sql) => (await readApplied(sql)).length);
  } finally {
    await pool.end({ timeout: 5 });
  }
}

/** Returns whether the database has the schema of an earlier version, with some but not all steps applied. */
export async function lacksSteps(url: string): Promise<boolean> {
  const applied = await appliedSteps(url);
  return applied > 0 && applied < migrations.length;
}

/** Returns whether the schema matches this program, for `/readyz`. */
export async function schemaIsCurrent(database: Database): Promise<boolean> {
  const [row] = await database.asService(
    (sql) => sql<{ number: number }[]>`select max(number) as number from schema_migrations`,
  );
  return row?.number === migrations.at(-1)?.number;
}

/** Returns the applied steps, of which a new database has none. */
async function readApplied(sql: Sql): Promise<readonly AppliedMigration[]> {
  const [row] = await sql<{ isNew: boolean }[]>`select to_regclass('schema_migrations') is null as "isNew"`;
  if (row?.isNew === true) return [];
  // The server's own user reads the list of steps as the server's role.
  const [may] = await sql<{ read: boolean }[]>`select has_table_privilege('schema_migrations', 'select') as read`;
  if (may?.read !== true) await sql.unsafe(`set local role ${serverRole}`);
  const applied = await sql<AppliedMigration[]>`select number, name, hash from schema_migrations order by number`;
  await sql.unsafe('reset role');
  return applied;
}

async function prepareChange(sql: Sql): Promise<void> {
  const [row] = await sql<{ may: boolean }[]>`select has_schema_privilege('public', 'create') as may`;
  if (row?.may !== true) {
    throw new MigrationError(
      'The database schema does not match this version of Lotbook, and this database user may not change it. ' +
        migrateAsOwner,
    );
  }
  // Row-level security applies to the owner too. With this setting, a step that would skip rows fails instead.
  await sql`set local row_security = off`;
  await sql.unsafe(`
    create table if not exists schema_migrations (
      number integer not null constraint schema_migrations_pkey primary key,
      name text not null,
      hash text not null,
      applied_at timestamptz not null default now()
    )`);
}

/** Refuses a user that may not create roles if the roles are missing. Otherwise the first step would fail halfway. */
async function refuseToMakeRoles(sql: Sql): Promise<void> {
  const [row] = await sql<{ may: boolean; names: readonly string[]; user: string }[]>`
    select rolsuper or rolcreaterole as may, quote_ident(current_user) as user,
      array(select rolname::text from pg_roles where rolname in ('lotbook_app', ${serverRole})) as names
    from pg_roles where rolname = current_user`;
  if (row === undefined || row.may || row.names.length === 2) return;
  const missing = [
    ...(row.names.includes('lotbook_app') ? [] : ['create role lotbook_app nologin; ']),
    ...(row.names.includes(serverRole) ? [] : [`create role ${serverRole} nologin noinherit; `]),
  ];
  throw new MigrationError(
    `The database user may not create Lotbook's roles. Have an administrator run once: ${missing.join('')}` +
      `grant lotbook_app to ${serverRole}; grant ${serverRole} to ${row.user}`,
  );
}

/**
 * Returns the missing grant if an administrator created the roles for another database and did not grant them to this
 * user.
 */
async function refuseWithoutRole(sql: Sql): Promise<void> {
  const [row] = await sql<{ user: string }[]>`select quote_ident(current_user) as user`;
  try {
    await sql.unsafe(`set local role ${serverRole}; set local role lotbook_app; reset role`);
  } catch {
    throw new MigrationError(
      `The database user may not use Lotbook's roles. Have an administrator run: grant lotbook_app to ${serverRole}; ` +
        `grant ${serverRole} to ${row?.user}`,
    );
  }
}

function missingSteps(steps: readonly Migration[], applied: readonly AppliedMigration[]): readonly Migration[] {
  const known = new Map(steps.map((step) => [step.number, step]));
  for (const row of applied) {
    const step = known.get(row.number);
    if (step === undefined) {
      throw new MigrationError(
        `The database belongs to a newer version of Lotbook: it has ${row.name}, which this version does not know. Use the newer version.`,
      );
    }
    if (hashOf(step) !== row.hash && formerHashes.get(row.number) !== row.hash) {
      throw new MigrationError(
        `sql/${step.name}.sql differs from the step applied to this database. A released step never changes: the database belongs to a ` +
          'development version of Lotbook. Start that version, or use an empty database (DATABASE_URL, or a different DATA_DIR).',
      );
    }
  }
  const numbers = new Set(applied.map((row) => row.number));
  return steps.filter((step) => !numbers.has(step.number));
}

/**
 * The hash of an earlier text of a step that changed a database in the same way, by the number of the step. Citus refused
 * to run the earlier text.
 */
export const formerHashes: ReadonlyMap<number, string> = new Map([
  [26, '61db3c1f8c4d446acf2c7865830e87e784b0b3919a4316e94e85bff580f314f1'],
]);

/** Returns a hash of the text of a step. */
export function hashOf(step: Migration): string {
  return createHash('sha256').update(step.sql).digest('hex');
}

/** A macro: the bundler replaces the call with its result, so the binary contains the files. */
export const migrations = readMigrations();
