import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { listSchema } from '../../scripts/catalog.ts';
import { typesWhere } from '../../src/engine/transaction-types.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await testDatabase();
});
afterAll(() => books.drop());

test('sql/schema.sql equals the result of the steps on every PostgreSQL (otherwise run bun scripts/schema.ts)', async () => {
  const written = readFileSync(`${import.meta.dir}/../../sql/schema.sql`, 'utf8');
  const listing = await books.asOwner(listSchema);
  expect(written.split('\n').slice(2).join('\n')).toBe(listing);
});

test('the index of rows that need prices covers every type whose amount can come from a market price', () => {
  const ledger = readFileSync(`${import.meta.dir}/../../sql/0002_ledger.sql`, 'utf8');
  const [, list = ''] = /amount is null and type in \(([^)]*)\)/.exec(ledger) ?? [];
  const types = [...list.matchAll(/'(\w+)'/g)].map(([, type]) => type);
  expect(types.sort()).toEqual([...typesWhere((row) => row.marketValue === 'amount')].sort());
});
