import type { Database, Sql } from '../../src/db/connection.ts';

class Rollback extends Error {}

/** A transaction of which nothing stays in the database. */
export async function undone(database: Database, work: (sql: Sql) => Promise<void>): Promise<void> {
  try {
    await database.asService(async (sql) => {
      await work(sql);
      throw new Rollback();
    });
  } catch (error) {
    if (!(error instanceof Rollback)) throw error;
  }
}
