import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { listSchema } from '../../../src/db/catalogue.ts';
import { distribute } from '../../../src/db/citus/distribute.ts';
import { tablesIn } from '../../../src/db/citus/places.ts';
import { type ConnectionPool, openPool } from '../../../src/db/connection.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { migrations } from '../../../src/db/migrations.ts';
import { addStandIn } from '../../support/citus/stand-in.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

/** Against a stand-in of the extension's interface (test/support/citus/stand-in): it refuses what Citus refused, and moves nothing. */

let books: TestDatabase;
/** Undefined where the server has no stand-in. */
let url: string | undefined;
let owner: ConnectionPool;
beforeAll(async () => {
  books = await testDatabase();
  if (await addStandIn(books.url)) url = books.url;
  else console.log('This server takes no extension from a folder: left out.');
  owner = openPool(books.url, 2, { application_name: 'owner' });
});
afterAll(async () => {
  await owner.end({ timeout: 5 });
  await books.drop();
});

const placed = () =>
  owner<{ name: string; type: string }[]>`
    select c.relname as name, t.citus_table_type as type from citus_tables t join pg_class c on c.oid = t.table_name order by 1`;

test('tables get their places, though the server is killed again and again on the way', async () => {
  if (url === undefined) return;
  // Some steps fail, as if the server were killed: numbers of a sequence are not taken back. Until 30 and after it keys go, then
  // tables move until 160, functions follow, and keys come back.
  await owner.unsafe(`
    create schema killing; create sequence killing.steps;
    create function killing.now() returns void language plpgsql as $$
      begin
        if nextval('killing.steps') in (30, 100, 110, 125, 140, 155, 163, 170, 190, 210) then raise exception 'killed'; end if;
      end $$;
    create function killing.on_place() returns trigger language plpgsql as $$ begin perform killing.now(); return new; end $$;
    create trigger killing before insert on citus.placed for each row execute function killing.on_place();
    create function killing.on_change() returns event_trigger language plpgsql as $$ begin perform killing.now(); end $$;
    create event trigger killing on ddl_command_end when tag in ('ALTER TABLE', 'CREATE FUNCTION', 'DROP SCHEMA')
      execute function killing.on_change()`);
  let kills = 0;
  for (let isDone = false; !isDone; ) {
    try {
      await distribute(url);
      isDone = true;
    } catch (error) {
      expect(String(error)).toContain('killed');
      kills += 1;
    }
  }
  expect(kills).toBe(10);
  await owner.unsafe('drop event trigger killing; drop schema killing cascade');

  const tables = await placed();
  const names = (type: string): string[] => tables.filter((table) => table.type === type).map(({ name }) => name);
  expect(names('distributed').sort()).toEqual(tablesIn('taxpayer').sort());
  expect(names('reference').sort()).toEqual(tablesIn('everywhere').sort());
  expect(names('local')).toEqual([]);
});

test('the schema is the same afterwards, foreign keys included', async () => {
  if (url === undefined) return;
  const plain = await testDatabase();
  const expected = await plain.asOwner(listSchema);
  const found = await owner.begin(async (sql) => [await listSchema(sql)] as const);
  expect(found[0]).toBe(expected);
  await plain.drop();
});

test('workers get the grants of columns, which Citus before 13.1 leaves behind', async () => {
  if (url === undefined) return;
  const said = await owner<{ command: string }[]>`select command from citus.said_to_shards order by 1`;
  const commands = said.map(({ command }) => command);
  expect(commands).toContain('grant SELECT (taxpayer_id), SELECT (day), SELECT (used) on ai_usage to lotbook_server');
  expect(commands).toContain('grant UPDATE (role) on memberships to lotbook_server');
  const [row] = await owner<{ tables: number }[]>`
    select count(distinct (attrelid, x.grantee))::integer as tables from pg_attribute, aclexplode(attacl) x
    where attrelid::regclass::text = any(${[...tablesIn('taxpayer'), ...tablesIn('everywhere')]}::text[])`;
  expect(commands.length).toBe(row?.tables ?? 0);
  // And so do the tables on the workers, by one statement that can run as it is.
  const [whole] = await owner<{ command: string }[]>`
    select command from citus.said_to_workers where command like '%grant%'`;
  expect(whole?.command).toContain(
    'grant SELECT (taxpayer_id), SELECT (day), SELECT (used) on public.ai_usage to lotbook_server;',
  );
  expect(whole?.command.match(/grant /g)?.length).toBe(commands.length);
  await owner.unsafe(whole?.command ?? '');
});

test('done once, it is not done again', async () => {
  if (url === undefined) return;
  expect(await migrate(url)).toEqual([]);
  expect(await distribute(url)).toEqual([]);
});

test('its sessions and workers get the settings that the statements need', async () => {
  if (url === undefined) return;
  const rows = await owner<{ setting: string }[]>`
    select unnest(setconfig) as setting from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
    where d.datname = current_database()`;
  expect(rows.map(({ setting }) => setting)).toEqual(
    expect.arrayContaining([
      'citus.propagate_set_commands=local',
      'citus.enable_unsafe_triggers=on',
      'citus.multi_shard_modify_mode=sequential',
      'citus.allow_modifications_from_workers_to_replicated_tables=off',
      'TimeZone=UTC',
    ]),
  );
  const roles = await owner<{ may: boolean }[]>`
    select rolcanlogin as may from pg_roles where rolname in ('lotbook_app', 'lotbook_server')`;
  expect(roles.map(({ may }) => may)).toEqual([true, true]);
});

describe('a later step', () => {
  const number = (migrations.at(-1)?.number ?? 0) + 1;
  const recreated = `
    create table muted_notifications (taxpayer_id uuid not null, kind text collate "C" not null, primary key (taxpayer_id, kind));`;
  const key =
    'alter table muted_notifications add foreign key (taxpayer_id) references taxpayers (id) on delete cascade;';

  test('is refused where it gives a new table a foreign key before its place', async () => {
    if (url === undefined) return;
    await owner.unsafe(
      'drop table muted_notifications; delete from citus.placed where citus_table_type is not null and not exists (select from pg_class where oid = table_name)',
    );
    const step = { number, name: 'later', sql: `${recreated} ${key}` };
    await expect(migrate(url, [...migrations, step])).rejects.toThrow('refers to distributed table');
  });

  test('places its table by itself', async () => {
    if (url === undefined) return;
    const step = {
      number,
      name: 'later',
      sql: `${recreated} select pg_temp.take_place('muted_notifications'); ${key}`,
    };
    expect(await migrate(url, [...migrations, step])).toEqual(['later']);
    expect((await placed()).filter(({ name }) => name === 'muted_notifications')).toEqual([
      { name: 'muted_notifications', type: 'distributed' },
    ]);
  });

  test('may call for it on any other database too', async () => {
    const plain = await testDatabase();
    const sql = `${recreated.replace('create table', 'drop table muted_notifications; create table')} select pg_temp.take_place('muted_notifications'); ${key}`;
    expect(await migrate(plain.url, [...migrations, { number, name: 'later', sql }])).toEqual(['later']);
    expect(await distribute(plain.url)).toEqual([]);
    await plain.drop();
  });
});

describe('the stand-in refuses', () => {
  test.each([
    [
      'a key to a table that is not distributed',
      "create table a (taxpayer_id uuid primary key); create table b (taxpayer_id uuid primary key references a); select create_distributed_table('b', 'taxpayer_id')",
      'is not distributed',
    ],
    [
      'a key of such a table',
      "create table a (taxpayer_id uuid primary key); create table b (taxpayer_id uuid primary key references a); select create_distributed_table('a', 'taxpayer_id')",
      'refers to',
    ],
    [
      'a unique index without the taxpayer',
      "create table a (taxpayer_id uuid, id uuid unique); select create_distributed_table('a', 'taxpayer_id')",
      'distribution column',
    ],
    [
      'a policy with a subquery',
      "create table a (taxpayer_id uuid primary key); create policy p on a using (taxpayer_id = (select current_taxpayer())); select create_distributed_table('a', 'taxpayer_id')",
      'subqueries',
    ],
    [
      'a table with triggers, without the setting',
      "set local citus.enable_unsafe_triggers = off; create table a (taxpayer_id uuid primary key); create trigger t after delete on a for each row execute function forget_ledger(); select create_distributed_table('a', 'taxpayer_id')",
      'triggers',
    ],
    [
      'what a reference table took with it',
      "create table r (id uuid primary key); create table a (taxpayer_id uuid primary key, r uuid references r); select create_reference_table('r'); select create_distributed_table('a', 'taxpayer_id')",
      'already local',
    ],
    [
      'a key of a reference table to a distributed one',
      'alter table invitations add foreign key (books_id) references taxpayers (id)',
      'which is none',
    ],
    [
      'a key across taxpayers',
      'alter table clients add unique (taxpayer_id, email); alter table digests add column e text; alter table digests add foreign key (user_id) references taxpayers (id)',
      'within one distribution value',
    ],
  ])('%s', async (_what, text, words) => {
    if (url === undefined) return;
    const tried = owner.begin((sql) => sql.unsafe(text));
    await expect(tried).rejects.toThrow(words);
  });
});
