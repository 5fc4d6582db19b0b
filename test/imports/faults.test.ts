import { afterAll, beforeAll, expect, test } from 'bun:test';
import { nameRowsAlike, type TestDatabase, testDatabase } from '../support/database.ts';
import { killedImports } from '../support/kills.ts';

/** `bun scripts/faults.ts` kills a few hundred times, and fills a disk. */
let books: TestDatabase;
beforeAll(async () => {
  books = await testDatabase();
  await nameRowsAlike(books);
});
afterAll(() => books.drop());

/** The larger one is stored in a Worker. */
test.each([
  { kills: 3, rows: 500 },
  { kills: 1, rows: 21_000 },
])(
  'a server killed in the middle of an import of $rows rows leaves all of it or nothing, and the file sent again gives the exact books',
  async ({ kills, rows }) => {
    const seed = Number(process.env.LOTBOOK_SEED ?? Date.now() % 1_000_000);
    console.log(`kills: LOTBOOK_SEED=${seed}`);
    for await (const killed of killedImports(books, kills, rows, seed)) {
      expect(killed).toMatchObject({ books: killed.status === 'completed' ? 'all' : 'none', exact: true });
      expect(killed.status).not.toBe('running');
      expect(killed.runningSeconds).toBeLessThan(30);
    }
  },
  120_000,
);
