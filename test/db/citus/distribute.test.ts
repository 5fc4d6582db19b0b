import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { listSchema } from '../../../scripts/catalog.ts';
import { Refusal } from '../../../src/base/refusal.ts';
import { distribute, listTablesPlaced } from '../../../src/db/citus.ts';
import { type ConnectionPool, openPool } from '../../../src/db/connection.ts';
import { toRefusal } from '../../../src/db/database-refusals.ts';
import { migrate, migrations } from '../../../src/db/migrate.ts';
import { firstPlaced, joinWorkers, workers } from '../../support/citus/cluster.ts';
import { dropDatabase, emptyDatabase, testDatabase } from '../../support/database.ts';

/**
 * Runs only on a cluster (`scripts/citus`). A database with rows gets Citus and is distributed even if the server is
 * killed during the distribution.
 */

/** Each try gets 1.5 seconds more than the previous one. */
const killsMax = 100;
const taxpayers = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];

describe.skipIf(workers.length === 0)('a database that gets Citus later', () => {
  let url: string;
  let owner: ConnectionPool;
  let before: unknown[];
  let schemaBefore: string;
  beforeAll(async () => {
    url = await emptyDatabase();
    await migrate(url);
    owner = openPool(url, 2, { application_name: 'owner' });
    for (const id of taxpayers) {
      await owner`insert into users (id, email) values (${id}, ${`${id}@example.com`})`;
      await owner`insert into taxpayers (id, created_by) values (${id}, ${id})`;
      await owner`insert into memberships (taxpayer_id, user_id, role) values (${id}, ${id}, 'owner')`;
      await owner`
        insert into transactions (taxpayer_id, id, type, on_day, account, asset, asset_class, quantity, currency, line, asset_key, created_at)
        select ${id}, gen_random_uuid(), 'deposit', '2024-01-02', 'A', 'BTC', 'crypto', n, 'USD', n, 'crypto:BTC', now()
        from generate_series(1, 50) n`;
    }
    before = await contents();
    schemaBefore = await fetchSchema();
    await joinWorkers(url);
  });
  afterAll(async () => {
    await owner.end({ timeout: 5 });
    await dropDatabase(url);
  });

  const fetchSchema = async () => (await owner.begin(async (sql) => [await listSchema(sql)] as const))[0];
  const contents = async (): Promise<unknown[]> => [
    [...(await owner`select id, transactions_stored from taxpayers order by 1`)],
    [...(await owner`select taxpayer_id, content::text from ledgers order by 1`)],
    [
      ...(await owner`select taxpayer_id, count(*)::integer as count, sum(quantity) as sum from transactions group by 1 order by 1`),
    ],
    [...(await owner`select taxpayer_id, user_id, role from memberships order by 1`)],
  ];

  test('distributes every table even if the session is repeatedly killed', async () => {
    let kills = 0;
    for (let isDone = false; !isDone && kills < killsMax; ) {
      const wait = 300 + kills * 1_500;
      const killer = setTimeout(() => {
        owner`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'lotbook'`.catch(() => {});
      }, wait);
      try {
        await migrate(url);
        isDone = true;
      } catch (error) {
        if (!(toRefusal(error) instanceof Refusal)) throw error;
        kills += 1;
      } finally {
        clearTimeout(killer);
      }
    }
    expect(kills).toBeGreaterThan(1);
    expect(kills).toBeLessThan(killsMax);
    const tables = await owner<{ name: string; type: string }[]>`
      select table_name::text as name, citus_table_type as type from citus_tables`;
    const names = (type: string): string[] => tables.filter((table) => table.type === type).map(({ name }) => name);
    expect(names('distributed').sort()).toEqual(listTablesPlaced('taxpayer').sort());
    expect(names('reference').sort()).toEqual(listTablesPlaced('everywhere').sort());
  });

  test('keeps its rows and sums', async () => {
    expect(await contents()).toEqual(before);
  });

  test('keeps its schema, including foreign keys', async () => {
    expect(await fetchSchema()).toBe(schemaBefore);
  });

  test('is not distributed a second time', async () => {
    expect(await migrate(url)).toEqual([]);
    expect(await distribute(url, true)).toEqual([]);
  });

  test('has the column grants on the tables and the shards of the workers', async () => {
    const shards = await owner<{ result: string }[]>`
      select result from run_command_on_placements('ai_usage', $$select has_column_privilege('lotbook_server', '%s', 'used', 'SELECT')::text$$)`;
    expect([...new Set(shards.map(({ result }) => result))]).toEqual(['true']);
    const shells = await owner<{ result: string }[]>`
      select result from run_command_on_workers($$select has_column_privilege('lotbook_server', 'public.ai_usage', 'used', 'SELECT')::text$$)`;
    expect(shells.map(({ result }) => result)).toEqual(workers.map(() => 'true'));
  });

  test('gives its sessions and workers the settings that the statements need', async () => {
    const settings = `select string_agg(setting, ' ' order by setting) from (
      select unnest(setconfig) as setting from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
      where d.datname = current_database()) s where setting not like 'citus.shard_count%'`;
    const [own] = await owner.unsafe<{ string_agg: string }[]>(settings);
    const others = await owner<{ result: string }[]>`select result from run_command_on_workers(${settings})`;
    expect(others.map(({ result }) => result)).toEqual(workers.map(() => own?.string_agg ?? ''));
    expect(own?.string_agg).toContain('citus.propagate_set_commands=local');
  });
});

test.skipIf(workers.length === 0)('distributes a table from a later step, including its foreign key', async () => {
  const books = await testDatabase();
  const step = `
    drop table muted_notifications;
    create table muted_notifications (
      taxpayer_id uuid not null references taxpayers (id) on delete cascade, kind text collate "C" not null, primary key (taxpayer_id, kind)
    )`;
  const number = (migrations.at(-1)?.number ?? 0) + 1;
  expect(await migrate(books.url, [...migrations, { number, name: 'later', sql: step }])).toEqual(['later']);
  const [table] = await books.asOwner(
    (sql) => sql<{ type: string; keys: number }[]>`
      select citus_table_type as type, (
        select count(*)::integer from pg_constraint where conrelid = table_name and confrelid = 'taxpayers'::regclass
      ) as keys from citus_tables where table_name = 'muted_notifications'::regclass`,
  );
  expect(table).toEqual({ type: 'distributed', keys: 1 });
  await books.drop();
});

test.skipIf(workers.length === 0)('every later step runs on a cluster that an earlier version created', async () => {
  const url = await emptyDatabase();
  await joinWorkers(url);
  await migrate(
    url,
    migrations.filter(({ number }) => number <= firstPlaced),
  );
  const later = migrations.filter(({ number }) => number > firstPlaced).map(({ name }) => name);
  expect(await migrate(url)).toEqual(later);
  const books = await testDatabase();
  const owner = openPool(url, 1);
  expect((await owner.begin(async (sql) => [await listSchema(sql)] as const))[0]).toBe(await books.asOwner(listSchema));
  await owner.end({ timeout: 5 });
  await books.drop();
  await dropDatabase(url);
});

test.skipIf(workers.length === 0)(
  'a later step can grant a column and drop it, although PostgreSQL 15 keeps the grant',
  async () => {
    const books = await testDatabase();
    const first = (migrations.at(-1)?.number ?? 0) + 1;
    const granting = [
      { number: first, name: 'add', sql: 'alter table notifications add column filler text' },
      { number: first + 1, name: 'grant', sql: 'grant update (filler) on notifications to lotbook_app' },
    ];
    expect(await migrate(books.url, [...migrations, ...granting])).toEqual(['add', 'grant']);
    const shards = await books.asOwner(
      (sql) => sql<{ result: string }[]>`
      select result from run_command_on_placements('notifications', $$select has_column_privilege('lotbook_app', '%s', 'filler', 'UPDATE')::text$$)`,
    );
    expect([...new Set(shards.map(({ result }) => result))]).toEqual(['true']);
    const dropping = { number: first + 2, name: 'drop', sql: 'alter table notifications drop column filler' };
    expect(await migrate(books.url, [...migrations, ...granting, dropping])).toEqual(['drop']);
    await books.drop();
  },
);
