import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { openPool, type Sql } from '../../src/db/connection.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

/**
 * Proves that row-level security separates taxpayers in every table of the catalog. New tables are included
 * automatically.
 */
const mine = '0191b1a0-0000-7000-8000-00000000000a';
const theirs = '0191b1a0-0000-7000-8000-00000000000b';

interface Table {
  readonly name: string;
  /** The column that names the taxpayer. */
  readonly tenant: string;
}

let books: TestDatabase;
let tables: readonly Table[] = [];

beforeAll(async () => {
  books = await testDatabase();
  tables = await readTables();
  for (const table of tables) await insertRows(table);
});
afterAll(() => books.drop());

describe('a taxpayer', () => {
  test('has tables, so the other tests are not vacuous', () => {
    expect(tables.map((table) => table.name)).toContain('taxpayers');
    expect(tables.map((table) => table.name)).toContain('memberships');
  });

  test('sees only its own rows', async () => {
    for (const { name, tenant } of tables) {
      const rows = await asMe(`select ${tenant} as tenant from ${name}`);
      if (rows === 'refused') continue;
      expect({ name, tenants: rows.map((row) => row.tenant) }).toEqual({ name, tenants: [mine] });
    }
  });

  test('changes and deletes only its own rows', async () => {
    for (const { name, tenant } of tables) {
      for (const statement of [
        `update ${name} set ${tenant} = ${tenant} where ${tenant} = '${theirs}' returning ${tenant} as tenant`,
        `delete from ${name} where ${tenant} = '${theirs}' returning ${tenant} as tenant`,
      ]) {
        const rows = await asMe(statement);
        expect({ statement, harmed: rows === 'refused' ? [] : rows }).toEqual({ statement, harmed: [] });
      }
    }
  });

  test("cannot write a row into another taxpayer's books, or move one there", async () => {
    for (const table of tables) {
      expect(await asMe(await insertStatement(table, theirs))).toBe('refused');
      expect(
        await asMe(`update ${table.name} set ${table.tenant} = '${theirs}' where ${table.tenant} = '${mine}'`),
      ).toBe('refused');
    }
  });

  test('sees no rows if the taxpayer setting is empty', async () => {
    for (const { name, tenant } of tables) {
      const rows = await asMe(`select ${tenant} as tenant from ${name}`, `set local app.taxpayer = ''`);
      expect({ name, seen: rows === 'refused' ? 0 : rows.length }).toEqual({ name, seen: 0 });
    }
  });
});

test('the application role sees no rows in any table unless a taxpayer is set', async () => {
  for (const { name } of tables) {
    const seen = await books.database
      .asService(async (sql) => {
        await sql.unsafe('set local role lotbook_app');
        return (await sql.unsafe(`select 1 from ${name}`)).length;
      })
      .catch(refusedOrThrow);
    expect({ name, seen: seen === 'refused' ? 0 : seen }).toEqual({ name, seen: 0 });
  }
});

test('every table with a taxpayer column has a row-level security policy that also applies to the table owner', async () => {
  expect(await unwalled()).toEqual([]);
});

test('a new table without row-level security is detected', async () => {
  const undo = new Error('undo');
  const added = {
    'a table without row-level security': 'create table more (taxpayer_id uuid primary key)',
    'a table whose owner sees all rows':
      'create table more (taxpayer_id uuid primary key); alter table more enable row level security',
    'a table without a policy':
      'create table more (taxpayer_id uuid primary key); alter table more enable row level security, force row level security',
    'a table with a policy that allows all rows': `create table more (taxpayer_id uuid primary key);
      alter table more enable row level security, force row level security;
      create policy own on more using (true)`,
  };
  for (const [what, statement] of Object.entries(added)) {
    let found: readonly string[] = [];
    await books
      .asOwner(async (sql) => {
        await sql.unsafe(statement);
        found = await unwalled(sql);
        throw undo;
      })
      .catch((reason: unknown) => {
        if (reason !== undo) throw reason;
      });
    expect([what, found]).toEqual([what, ['more']]);
  }
});

/**
 * Functions that run with the owner's rights: a trigger function that deletes the books of a deleted taxpayer and
 * cannot be called directly, and two functions that read shared prices.
 */
const owned = ['forget_ledger() trigger', 'list_shared_prices', 'shared_price'];

test('no other function or view runs as its owner and bypasses row-level security', async () => {
  const found = await books.asOwner(
    (sql) => sql<{ name: string; path: string | null }[]>`
      select proname || case when prorettype = 'trigger'::regtype then '() trigger' else '' end as name,
        (select setting from unnest(proconfig) setting where setting like 'search_path=%') as path
      from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
      union all
      select relname::text, null from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
        and ${sql.unsafe(notOfExtension)}`,
  );
  expect(found.map(({ name }) => name).sort()).toEqual(owned);
  for (const { name, path } of found) expect([name, path]).toEqual([name, 'search_path=public, pg_temp']);
});

test("the application's role owns nothing and cannot access tables without a taxpayer column", async () => {
  const reached = await books.asOwner(
    (sql) => sql<{ name: string; owned: boolean }[]>`
      select relname::text as name, pg_get_userbyid(relowner) = 'lotbook_app' as owned
      from pg_class join pg_namespace n on n.oid = relnamespace
      where nspname = 'public' and relkind in ('r', 'p', 'v', 'm') and ${sql.unsafe(notOfExtension)}
        and has_any_column_privilege('lotbook_app', pg_class.oid, 'select, insert, update')`,
  );
  const known = new Set(tables.map((table) => table.name));
  expect(reached.filter((row) => row.owned || !known.has(row.name))).toEqual([]);
});

test('every unique key of a table with a taxpayer column starts with that column, so the table can be sharded', async () => {
  const keys = await books.asOwner(
    (sql) => sql<{ table: string; key: string; first: string }[]>`
      select t.relname::text as "table", i.relname::text as key, a.attname::text as first
      from pg_index x
      join pg_class t on t.oid = x.indrelid
      join pg_class i on i.oid = x.indexrelid
      join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
      where x.indisunique and t.relnamespace = 'public'::regnamespace`,
  );
  const tenants = new Map(tables.map((table) => [table.name, table.tenant]));
  const astray = keys.filter((key) => tenants.has(key.table) && key.first !== tenants.get(key.table));
  expect(astray).toEqual([]);
});

/**
 * Returns the tables with a taxpayer column that lack row-level security, forced row-level security, or a policy that
 * limits all roles to the current taxpayer.
 */
async function unwalled(inside?: Sql): Promise<string[]> {
  const statement = `
    select c.relname::text as name
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped
      and (a.attname = 'taxpayer_id' or (c.relname = 'taxpayers' and a.attname = 'id'))
      and not (c.relrowsecurity and c.relforcerowsecurity and exists (
        select from pg_policy p
        where p.polrelid = c.oid and p.polcmd = '*' and p.polroles = '{0}'
          and pg_get_expr(p.polqual, p.polrelid) ~ format('^\\(%s = .*current_taxpayer\\(\\)', a.attname)))
    order by 1`;
  const run = (sql: Sql) => sql.unsafe<{ name: string }[]>(statement);
  const rows = await (inside === undefined ? books.asOwner(run) : run(inside));
  return rows.map(({ name }) => name);
}

async function readTables(): Promise<Table[]> {
  return books.asOwner(
    (sql) => sql<Table[]>`
      select c.relname::text as name, a.attname::text as tenant
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped
        and (a.attname = 'taxpayer_id' or (c.relname = 'taxpayers' and a.attname = 'id'))
      order by c.relname`,
  );
}

/**
 * Inserts one row for each of the two taxpayers, without check constraints and triggers, so that sample values are
 * enough. This database is a private copy.
 */
async function insertRows(table: Table): Promise<void> {
  const pool = openPool(books.url, 1);
  try {
    const checks = await pool<{ name: string }[]>`
      select conname::text as name from pg_constraint where contype = 'c' and conrelid = ${table.name}::regclass`;
    for (const check of checks) await pool.unsafe(`alter table ${table.name} drop constraint "${check.name}"`);
    // Disables triggers so that the rows do not depend on rows in other tables.
    const statements = [await insertStatement(table, mine), await insertStatement(table, theirs)];
    await pool.begin(async (sql) => {
      // `set local` also reaches the workers of a Citus cluster.
      await sql`set local session_replication_role = replica`;
      for (const statement of statements) await sql.unsafe(statement);
    });
  } finally {
    await pool.end();
  }
}

async function insertStatement(table: Table, owner: string): Promise<string> {
  const columns = await books.asOwner(
    (sql) => sql<{ name: string; type: string }[]>`
      select a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type
      from pg_attribute a
      where a.attrelid = ${table.name}::regclass and a.attnum > 0 and not a.attisdropped and a.attnotnull
        and not a.atthasdef and a.attidentity = '' and a.attname <> ${table.tenant}`,
  );
  const names = [table.tenant, ...columns.map((column) => `"${column.name}"`)];
  const values = [`'${owner}'`, ...columns.map((column) => createSample(column.type))];
  return `insert into ${table.name} (${names.join(', ')}) values (${values.join(', ')})`;
}

function createSample(type: string): string {
  if (type.endsWith('[]')) return `'{}'::${type}`;
  const values: Record<string, string> = {
    uuid: 'gen_random_uuid()',
    text: `'x'`,
    boolean: 'false',
    date: `date '2024-01-02'`,
    'timestamp with time zone': 'now()',
    jsonb: `'{}'`,
    bytea: `'\\x00'`,
    inet: `'127.0.0.1'`,
  };
  const value = values[type] ?? (/^(?:integer|bigint|smallint|numeric)/.test(type) ? '1' : undefined);
  if (value === undefined) throw new Error(`Add a sample value of type ${type} to createSample.`);
  return value;
}

/** Runs a statement as my taxpayer and rolls it back. Returns its rows, or `refused` if the database refused it. */
async function asMe(statement: string, before = ''): Promise<'refused' | readonly { tenant: string }[]> {
  const undo = new Error('undo');
  let rows: 'refused' | readonly { tenant: string }[] = [];
  await books.database
    .asTaxpayer(mine, async (sql) => {
      if (before !== '') await sql.unsafe(before);
      rows = await sql.unsafe<{ tenant: string }[]>(statement).catch(refusedOrThrow);
      throw undo;
    })
    .catch((reason: unknown) => {
      if (reason !== undo) throw reason;
    });
  return rows;
}

/**
 * Returns `refused` if a grant is missing or a policy refuses the statement (insufficient_privilege), or if Citus
 * refuses to move a row between taxpayers. Otherwise, rethrows the error.
 */
function refusedOrThrow(reason: unknown): 'refused' {
  if (!(reason instanceof Error && 'code' in reason)) throw reason;
  if (reason.code === '42501' || reason.message === 'modifying the partition value of rows is not allowed')
    return 'refused';
  throw reason;
}

/** Excludes the views of extensions, such as the Citus views that list tables and shards. */
const notOfExtension = `not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = pg_class.oid and d.deptype = 'e')`;
