import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { killedImports } from '../support/kills.ts';

/** `bun scripts/faults.ts` kills a few hundred times, and fills a disk. */
let books: TestDatabase;
beforeAll(async () => {
  books = await testDatabase();
});
afterAll(() => books.drop());

test('a server killed in the middle of an import leaves all of it or nothing, and the file sent again gives the exact books', async () => {
  const seed = Number(process.env.LOTBOOK_SEED ?? Date.now() % 1_000_000);
  console.log(`kills: LOTBOOK_SEED=${seed}`);
  for await (const killed of killedImports(books, 3, 500, seed)) {
    expect(killed).toMatchObject({ books: killed.status === 'completed' ? 'all' : 'none', exact: true });
    expect(killed.status).not.toBe('running');
    expect(killed.runningSeconds).toBeLessThan(30);
  }
}, 120_000);
