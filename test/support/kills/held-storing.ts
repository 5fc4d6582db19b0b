import type { Sql } from '../../../src/db/connection.ts';
import type { TestDatabase } from '../database.ts';
import { registerAt, type Serving } from '../process.ts';

const tables = ['transactions', 'disposals', 'wash_sales', 'lots', 'books', 'book_years', 'year_summaries'] as const;

export async function newcomer(
  books: Owned,
  serving: Pick<Serving, 'request'>,
  email: string,
): Promise<{ id: string; cookie: string }> {
  const cookie = await registerAt(serving, email);
  return books.asOwner(async (sql) => {
    await sql`update users set plan = 'PRO' where email = ${email}`;
    const [row] = await sql<{ id: string }[]>`
      select t.id from taxpayers t join users u on u.id = t.created_by where u.email = ${email}`;
    return { id: row?.id ?? '', cookie };
  });
}

type Owned = Pick<TestDatabase, 'asOwner'>;

/** Returns the count and content of all rows that an import creates, except their owner. */
export function selectBooks(books: Owned, taxpayerId: string): Promise<string> {
  return books.asOwner(async (sql) => {
    const parts = [];
    for (const table of tables) parts.push(await selectDigest(sql, table, taxpayerId));
    return parts.join(' ');
  });
}

const nobodys = ['taxpayer_id', 'created_at', 'import_id'];

async function selectDigest(sql: Sql, table: (typeof tables)[number], taxpayerId: string): Promise<string> {
  const [row] = await sql<{ digest: string }[]>`
    select count(*) || ':' || coalesce(sum(hashtextextended((to_jsonb(x) - ${nobodys}::text[])::text, 0)), 0) as digest
    from ${sql(table)} x where taxpayer_id = ${taxpayerId}`;
  return row?.digest ?? '';
}

/**
 * Holds the lock on the user's books, like other work would, so an import whose file has arrived waits to be stored.
 */
export async function storingHeldUp(
  books: Owned,
  email: string,
): Promise<{ isWaiting(): Promise<void>; release(): Promise<void> }> {
  const [held, released] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  const holding = books.asOwner(async (sql) => {
    const [row] = await sql<{ id: string }[]>`
      select t.id from taxpayers t join users u on u.id = t.created_by where u.email = ${email}`;
    const id = row?.id ?? '';
    await sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`;
    held.resolve(id);
    await released.promise;
  });
  const id = await Promise.race([held.promise, holding.then(() => '')]);
  const waiting = async (): Promise<boolean> => {
    const rows = await books.asOwner(
      (sql) => sql`select 1 from imports where taxpayer_id = ${id} and status = 'running' and store_order is not null`,
    );
    return rows.length > 0;
  };
  return {
    isWaiting: async () => {
      for (const until = performance.now() + 150_000; !(await waiting()); await Bun.sleep(20)) {
        if (performance.now() > until) throw new Error('No import is waiting.');
      }
    },
    release: async () => {
      released.resolve();
      await holding;
    },
  };
}
