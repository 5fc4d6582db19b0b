import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { tablePlacements, taxpayerColumn } from '../../../src/db/citus.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

/** Checks the location of each table in Citus against the tables that sql/ creates. */

let books: TestDatabase;
beforeAll(async () => {
  books = await testDatabase();
});
afterAll(() => books.drop());

test('the list of locations contains exactly the tables', async () => {
  const rows = await books.asOwner(
    (sql) => sql<{ name: string }[]>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(tablePlacements).sort());
});

/** These tables determine which books a user can access. */
const ofPeople = ['memberships', 'digests'];

test("only tables with a taxpayer column are on the taxpayer's worker", async () => {
  const rows = await books.asOwner(
    (sql) => sql<{ name: string }[]>`
      select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'taxpayer_id'`,
  );
  const ofBooks = rows.map(({ name }) => name).filter((name) => !ofPeople.includes(name));
  const withTaxpayer = [...ofBooks, 'taxpayers'].sort();
  expect(
    Object.keys(tablePlacements)
      .filter((table) => tablePlacements[table] === 'taxpayer')
      .sort(),
  ).toEqual(withTaxpayer);
});

describe('distributed tables', () => {
  test('start every unique index with the taxpayer', async () => {
    const rows = await books.asOwner(
      (sql) => sql<{ table: string; name: string; first: string }[]>`
        select t.relname as table, i.relname as name, a.attname as first
        from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
        join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
        where x.indisunique and t.relnamespace = 'public'::regnamespace`,
    );
    const distributed = rows.filter(({ table }) => tablePlacements[table] === 'taxpayer');
    expect(distributed.length).toBeGreaterThan(40);
    expect(distributed.filter(({ table, first }) => first !== taxpayerColumn(table))).toEqual([]);
  });

  test('use identity numbers large enough for each worker to have its own range', async () => {
    const rows = await books.asOwner(
      (sql) => sql<{ table: string; type: string }[]>`
        select c.relname as table, format_type(a.atttypid, null) as type
        from pg_attribute a join pg_class c on c.oid = a.attrelid
        where a.attidentity <> '' and c.relnamespace = 'public'::regnamespace`,
    );
    expect(rows.filter(({ type }) => type !== 'bigint')).toEqual([]);
    expect(rows.length).toBeGreaterThan(5);
  });
});

interface Key {
  readonly name: string;
  readonly own: string;
  readonly other: string;
  readonly columns: readonly (readonly [string, string])[];
}

/** Returns whether a single server can check the key. */
function isChecked({ own, other, columns }: Key): boolean {
  if (tablePlacements[other] === 'everywhere') return tablePlacements[own] !== 'coordinator';
  if (tablePlacements[own] === 'coordinator') return tablePlacements[other] === 'coordinator';
  if (tablePlacements[own] !== 'taxpayer' || tablePlacements[other] !== 'taxpayer') return false;
  return columns.some(([from, to]) => from === taxpayerColumn(own) && to === taxpayerColumn(other));
}

test('a foreign key stays with its taxpayer or on the coordinator, or refers to a table on every server', async () => {
  const keys = await books.asOwner(
    (sql) => sql<Key[]>`
      select n.conname as name, t.relname as own, r.relname as other, (
        select jsonb_agg(jsonb_build_array(a.attname, b.attname))
        from unnest(n.conkey, n.confkey) k (own, other)
        join pg_attribute a on a.attrelid = n.conrelid and a.attnum = k.own
        join pg_attribute b on b.attrelid = n.confrelid and b.attnum = k.other
      ) as columns
      from pg_constraint n join pg_class t on t.oid = n.conrelid join pg_class r on r.oid = n.confrelid
      where n.contype = 'f' and n.connamespace = 'public'::regnamespace`,
  );
  expect(keys.length).toBeGreaterThan(50);
  expect(keys.filter((key) => !isChecked(key))).toEqual([]);
  const planted: Key = { name: 'p', own: 'invitations', other: 'taxpayers', columns: [['books_id', 'id']] };
  expect(isChecked(planted)).toBe(false);
  expect(isChecked({ ...planted, own: 'clients', columns: [['email', 'id']] })).toBe(false);
  expect(isChecked({ ...planted, own: 'clients', other: 'users' })).toBe(false);
});
