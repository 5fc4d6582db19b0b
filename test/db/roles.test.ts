import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect, type Database, openPool, type Sql } from '../../src/db/connection.ts';
import { migrate } from '../../src/db/migrate.ts';
import { mayDoMore } from '../../src/db/server-check.ts';
import { dropDatabase, emptyDatabase, type TestDatabase, testDatabase } from '../support/database.ts';

/**
 * Checks what an injected statement in a taxpayer's transaction can do: at worst what lotbook_server may do. Uses the
 * databases described in OPERATIONS.md: one whose server has its own user, and one whose server connects as the owner
 * of the tables.
 */
const [mine, theirs] = [crypto.randomUUID(), crypto.randomUUID()];

let books: TestDatabase;
let login: string;
let served: Database;
beforeAll(async () => {
  books = await testDatabase();
  login = `server_of_${new URL(books.url).pathname.slice(1)}`;
  await books.asOwner(async (sql) => {
    await sql.unsafe(`create role ${login} login password 'secret' noinherit; grant lotbook_server to ${login}`);
    for (const id of [mine, theirs]) {
      await sql`insert into taxpayers (id, created_by, name) values (${id}, ${id}, 'before')`;
      await sql`
        insert into transactions (taxpayer_id, id, type, on_day, account, asset, asset_class, currency, line, asset_key, note, created_at)
        values (${id}, ${id}, 'buy', '2024-01-02', 'A', 'X', 'stock', 'USD', 1, 'stock:X', 'private', now())`;
      await sql`insert into resolutions (taxpayer_id, id, issue_id, action, transaction_id, given, note, issue, asset_key, from_day, created_at)
        values (${id}, ${id}, 'x', 'accept', ${id}, '{}', '', '{}', 'stock:X', '2024-01-02', now())`;
      await sql`insert into prices (taxpayer_id, asset, day, usd, created_at) values (${id}, 'X', '2024-01-02', 1, now())`;
    }
  });
  served = connect({ url: withUser(books.url, login), directUrl: null }, { connectionsMax: 2 });
});
afterAll(async () => {
  await served.close();
  await books.asOwner((sql) => sql.unsafe(`drop role ${login}`));
  await books.drop();
});

const ways = ['', 'reset role', 'set role none', 'set role lotbook_server', 'set session authorization default'];

describe.each(ways)('after an injected "%s"', (way) => {
  test('the transaction cannot switch to a superuser or an owner', async () => {
    const [row] = await smuggled(
      way,
      (sql) => sql`
        select current_user as role, (select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb from pg_roles where rolname = current_user) as strong,
          (select count(*)::integer from pg_class where relnamespace = 'public'::regnamespace and pg_has_role(current_user, relowner, 'member')) as owned`,
    );
    expect(['lotbook_app', 'lotbook_server', login]).toContain(row?.role);
    expect(row).toMatchObject({ strong: false, owned: 0 });
    expect(await refusal(way, `set role ${await ownerName()}`)).toBe('42501');
  });

  test('the transaction cannot read files, run programs, alter tables or disable row-level security', async () => {
    for (const statement of [
      `select pg_read_file('/etc/passwd')`,
      `select pg_ls_dir('/')`,
      `create temporary table lines (line text); copy lines from '/etc/passwd'`,
      `create temporary table lines (line text); copy lines from program 'id'`,
      'alter table transactions add column more text',
      'alter table transactions no force row level security',
      'alter table transactions disable row level security',
      'create policy more on transactions using (true)',
      'drop policy own on transactions',
      'alter function current_taxpayer() stable',
      'create table more (a text)',
      'create role more superuser',
      `alter role lotbook_server bypassrls`,
      'drop table prices',
      'truncate transactions',
      `update schema_migrations set number = 0`,
    ]) {
      expect({ statement, refused: await refusal(way, statement) }).toEqual({ statement, refused: '42501' });
    }
  });

  test("the transaction changes other users' books only as the server may", async () => {
    for (const statement of [
      `update transactions set note = 'read' where taxpayer_id = '${theirs}' returning 1`,
      `delete from transactions where taxpayer_id = '${theirs}' returning 1`,
      `select note from transactions where taxpayer_id = '${theirs}'`,
      `select * from prices where taxpayer_id = '${theirs}'`,
      `select given from resolutions where taxpayer_id = '${theirs}'`,
      `update taxpayers set settings = '{}' where id = '${theirs}' returning 1`,
      `update ledgers set content = content + 1 where taxpayer_id = '${theirs}' returning 1`,
      `select settings from taxpayers where id = '${theirs}'`,
      `select body from idempotency_keys where taxpayer_id = '${theirs}'`,
    ]) {
      const reached = await smuggled(way, (sql) => sql.unsafe(statement)).catch(codeOf);
      expect({ statement, reached: reached === '42501' ? [] : [...reached] }).toEqual({ statement, reached: [] });
    }
  });
});

test("the server's role reads only the columns of other users' books that are granted to it by name", async () => {
  const readable = await served.asService(
    (sql) => sql<{ column: string }[]>`
      select c.relname || '.' || a.attname as column
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relname in ('transactions', 'lots', 'disposals', 'reports', 'messages', 'notifications')
        and has_column_privilege('lotbook_server', c.oid, a.attnum, 'select')
      order by 1`,
  );
  expect(readable.map((row) => row.column)).toEqual([
    'notifications.sequence',
    'notifications.taxpayer_id',
    ...['amount', 'asset', 'currency', 'fee', 'fee_asset', 'fmv', 'id', 'received_asset', 'taxpayer_id', 'type'].map(
      (name) => `transactions.${name}`,
    ),
  ]);
});

test('an owner that is not a superuser is bound too, and its server runs as the role that owns nothing', async () => {
  const url = await emptyDatabase();
  const name = new URL(url).pathname.slice(1);
  const [owner, server] = [`owner_of_${name}`, `signs_in_to_${name}`];
  const administrator = openPool(url, 1);
  await administrator.unsafe(`create role ${owner} login password 'secret'; grant lotbook_server to ${owner}`);
  await administrator.unsafe(
    `create role ${server} login password 'secret' noinherit; grant lotbook_server to ${server}`,
  );
  await administrator.unsafe(`alter database ${name} owner to ${owner}`);
  await expect(migrate(withUser(url, server))).rejects.toThrow('lotbook migrate');
  await migrate(withUser(url, owner));
  expect(await migrate(withUser(url, server))).toEqual([]);
  await administrator`insert into taxpayers (id, created_by) values (${mine}, ${mine}), (${theirs}, ${theirs})`;
  await administrator`insert into prices (taxpayer_id, asset, day, usd, created_at) values (${theirs}, 'X', '2024-01-02', 1, now())`;
  for (const user of [owner, server]) {
    const database = connect({ url: withUser(url, user), directUrl: null }, { connectionsMax: 1 });
    const [row] = await database.asService((sql) => sql`select current_user as role`);
    expect(row).toEqual({ role: 'lotbook_server' });
    expect(await mayDoMore(database)).toBe(user === owner);
    for (const way of ['reset role', 'set role none']) {
      const seen = await database
        .asTaxpayer(mine, async (sql) => {
          await sql.unsafe(way);
          return sql.unsafe('select * from prices').catch(codeOf);
        })
        .catch(codeOf);
      expect({ user, way, seen: seen === '42501' ? [] : [...seen] }).toEqual({ user, way, seen: [] });
    }
    await database.close();
  }
  // Books can still be deleted, although row-level security hides the rows from the deleting owner.
  const database = connect({ url: withUser(url, server), directUrl: null }, { connectionsMax: 1 });
  await database.asService((sql) => sql`delete from taxpayers where id = ${theirs}`);
  await database.close();
  expect(await administrator`select 1 from prices union all select 1 from taxpayers where id <> ${mine}`).toHaveLength(
    0,
  );
  await administrator.unsafe(`drop owned by ${owner} cascade; alter database ${name} owner to current_user`);
  await administrator.unsafe(`drop role ${owner}; drop role ${server}`);
  await administrator.end();
  await dropDatabase(url);
});

/** Runs the work in my transaction after the injected statement, then rolls back. */
async function smuggled<T>(way: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const undo = new Error('undo');
  let found: { readonly value: T } | null = null;
  await served
    .asTaxpayer(mine, async (sql) => {
      if (way !== '') await sql.unsafe(way);
      found = { value: await work(sql) };
      throw undo;
    })
    .catch((reason: unknown) => {
      if (reason !== undo) throw reason;
    });
  if (found === null) throw new Error('The work gave nothing.');
  return (found as { readonly value: T }).value;
}

function refusal(way: string, statement: string): Promise<unknown> {
  return smuggled(way, (sql) => sql.unsafe(statement)).then(() => 'done', codeOf);
}

/** Returns the SQLSTATE. insufficient_privilege is 42501. */
function codeOf(reason: unknown): string {
  if (reason instanceof Error && 'code' in reason) return String(reason.code);
  throw reason;
}

async function ownerName(): Promise<string> {
  const [row] = await books.asOwner((sql) => sql<{ name: string }[]>`select quote_ident(session_user) as name`);
  return row?.name ?? '';
}

function withUser(url: string, user: string): string {
  const address = new URL(url);
  [address.username, address.password] = [user, 'secret'];
  return address.href;
}
