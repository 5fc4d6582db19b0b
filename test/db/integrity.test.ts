import { afterAll, beforeAll, expect, test } from 'bun:test';
import { checkStorage } from '../../src/db/integrity.ts';
import { verifyBooks } from '../../src/features/gains/calculations.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  for (const client of [await app.register(), await app.register()]) {
    const trades = '2024-01-02,buy,A,X,10,1000,0\n2025-02-03,sell,A,X,4,800,0\n';
    await importCsv(client, `date,type,account,asset,quantity,amount,fee\n${trades}`);
  }
});
afterAll(() => app.close());

test('an index that disagrees with its table is reported, and the check leaves nothing behind', async () => {
  const before = await checkStorage(app.books.url);
  expect(before).toMatchObject({ faults: [] });
  expect(before?.indexes).toBeGreaterThan(100);
  // An expression that is declared immutable but is not, like a collation that a system update changes.
  await app.books.asOwner((sql) =>
    sql.unsafe(`
      create table ordered (n integer);
      create function place_of(n integer) returns integer language sql immutable as 'select n';
      create index ordered_by_place on ordered (place_of(n));
      insert into ordered select generate_series(1, 100);
      create or replace function place_of(n integer) returns integer language sql immutable as 'select -n'`),
  );
  const { faults } = (await checkStorage(app.books.url)) ?? { faults: [] };
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(/^ordered_by_place: heap tuple .* lacks matching index tuple/);
  const left = await app.books.asOwner((sql) => sql.unsafe(`select 1 from pg_extension where extname = 'amcheck'`));
  expect([...left]).toEqual([]);
});

test('a user who cannot create extensions gets a message instead of an all-clear', async () => {
  const url = new URL(app.books.url);
  const name = `checks_${url.pathname.slice(1)}`;
  await app.books.asOwner((sql) => sql.unsafe(`create role ${name} login password 'secret'`));
  [url.username, url.password] = [name, 'secret'];
  expect(await checkStorage(url.href)).toBeNull();
  await app.books.asOwner((sql) => sql.unsafe(`drop role ${name}`));
});

test('a stored sum that differs from the calculation is reported with its taxpayer, year and field', async () => {
  const done: number[] = [];
  const sound = await verifyBooks(app.deps, (taxpayers) => done.push(taxpayers));
  expect(sound).toEqual({ taxpayers: 2, transactions: 4, stale: 0, differences: [] });
  expect(done).toEqual([1, 2]);
  const [wrong] = await app.books.asOwner(
    (sql) => sql<{ id: string }[]>`
      update year_summaries set summary = replace(summary, '"80000"', '"80100"')
      where year = 2025 and taxpayer_id = (select min(taxpayer_id::text)::uuid from year_summaries)
      returning taxpayer_id as id`,
  );
  const found = await verifyBooks(app.deps, () => {});
  expect(found.differences.length).toBeGreaterThan(0);
  for (const each of found.differences) expect(each).toMatchObject({ taxpayerId: wrong?.id, year: 2025 });
  // The check changes nothing, so the next one reports the same.
  expect(await verifyBooks(app.deps, () => {})).toEqual(found);
  await app.books.asOwner((sql) => sql`update ledgers set engine = 'earlier'`);
  expect(await verifyBooks(app.deps, () => {})).toMatchObject({ taxpayers: 2, stale: 2, differences: [] });
});
