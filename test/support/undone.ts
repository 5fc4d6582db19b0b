import type { Sql } from '../../src/db/connection.ts';
import type { TestDatabase } from './database.ts';

class Rollback extends Error {}

/** Runs a transaction and rolls it back. */
export async function undone(books: TestDatabase, work: (sql: Sql) => Promise<void>): Promise<void> {
  try {
    await books.asOwner(async (sql) => {
      await work(sql);
      throw new Rollback();
    });
  } catch (error) {
    if (!(error instanceof Rollback)) throw error;
  }
}
