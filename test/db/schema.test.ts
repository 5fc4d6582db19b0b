import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { listSchema } from '../../src/db/catalogue.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await testDatabase();
});
afterAll(() => books.drop());

test('sql/schema.sql is what the steps come to, on every PostgreSQL (else: bun scripts/schema.ts)', async () => {
  const written = readFileSync(`${import.meta.dir}/../../sql/schema.sql`, 'utf8');
  const listing = await books.asOwner(listSchema);
  expect(written.split('\n').slice(2).join('\n')).toBe(listing);
});
