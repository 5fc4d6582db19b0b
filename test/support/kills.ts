import { generator, tradesCsv } from '../../scripts/bench/trades.ts';
import type { Sql } from '../../src/db/connection.ts';
import type { TestDatabase } from './database.ts';
import { dataFolder, registerAt, type Serving, serve } from './process.ts';

/** What was found after a server had been killed in the middle of an import. */
export interface Killed {
  readonly milliseconds: number;
  readonly async: boolean;
  /** Rows and all that follows from them. */
  readonly books: 'none' | 'all' | 'half';
  /** What the list says of the import; null where it had not begun. */
  readonly status: string | null;
  /** How long the next server left it running. */
  readonly runningSeconds: number;
  /** Whether the same file, sent again, gave the exact books, and nothing stayed staged. */
  readonly exact: boolean;
}

const tables = ['transactions', 'disposals', 'wash_sales', 'lots', 'books', 'book_years', 'year_summaries'] as const;
const runningSecondsMax = 60;

/** Kills a server so many times, each at a random moment of an import, and looks with the next one what is left. */
export async function* killedImports(
  books: TestDatabase,
  kills: number,
  rows: number,
  seed: number,
): AsyncGenerator<Killed> {
  const random = generator(seed);
  const folder = dataFolder();
  const env = { DATABASE_URL: books.url, RATE_LIMIT_FACTOR: '100000' };
  const csv = tradesCsv(rows);
  let serving = await serve(folder, env);
  try {
    // The first import of a process is slower than the next ones, as those are that will be killed.
    const started = performance.now();
    const clean = await newcomer(books, serving, `clean${rows}@example.com`);
    await upload(serving, clean.cookie, csv, false);
    const typical = performance.now() - started;
    const expected = await booksOf(books, clean.id);
    for (let round = 0; round < kills; round++) {
      const person = await newcomer(books, serving, `killed${round}-${rows}@example.com`);
      const async = round % 2 === 1;
      const milliseconds = random() * typical * 1.2;
      const sent = upload(serving, person.cookie, csv, async).catch(() => null);
      await Bun.sleep(milliseconds);
      serving.process.kill('SIGKILL');
      await Promise.all([serving.process.exited, sent]);
      await letServersFallSilent(books);
      serving = await serve(folder, env);
      const { status, seconds } = await outcomeOf(books, person.id);
      const left = await booksOf(books, person.id);
      await upload(serving, person.cookie, csv, false);
      yield {
        milliseconds,
        async,
        books: left === expected ? 'all' : left === (await booksOf(books, crypto.randomUUID())) ? 'none' : 'half',
        status,
        runningSeconds: seconds,
        exact: (await booksOf(books, person.id)) === expected && (await stagedOf(books, person.id)) === 0,
      };
    }
  } finally {
    serving.process.kill('SIGKILL');
    await serving.process.exited;
    await folder.remove();
  }
}

/** What servers that were killed had begun has been silent for a minute. */
export async function letServersFallSilent(books: TestDatabase): Promise<void> {
  await books.asOwner(async (sql) => {
    await sql`update imports set moved_at = now() - interval '2 minutes' where status = 'running'`;
    await sql`update jobs.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`;
  });
}

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

async function upload(serving: Serving, cookie: string, csv: string, async: boolean): Promise<void> {
  const response = await serving.request('POST', '/v1/transactions/import', {
    headers: { cookie, 'content-type': 'text/csv', ...(async ? { prefer: 'respond-async' } : {}) },
    body: csv,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`import: ${response.status} ${text}`);
}

/** The status that the import came to, and how long that took. */
async function outcomeOf(books: TestDatabase, taxpayerId: string): Promise<{ status: string | null; seconds: number }> {
  const started = performance.now();
  for (;;) {
    const [row] = await books.asOwner(
      (sql) => sql<{ status: string }[]>`select status from imports where taxpayer_id = ${taxpayerId}`,
    );
    const seconds = (performance.now() - started) / 1000;
    if (row?.status !== 'running' || seconds > runningSecondsMax) return { status: row?.status ?? null, seconds };
    await Bun.sleep(100);
  }
}

type Owned = Pick<TestDatabase, 'asOwner'>;

/** Count and content of all that an import leaves, but for whose it is. */
export function booksOf(books: Owned, taxpayerId: string): Promise<string> {
  return books.asOwner(async (sql) => {
    const parts = [];
    for (const table of tables) parts.push(await digestOf(sql, table, taxpayerId));
    return parts.join(' ');
  });
}

const nobodys = ['taxpayer_id', 'created_at', 'import_id'];

async function digestOf(sql: Sql, table: (typeof tables)[number], taxpayerId: string): Promise<string> {
  const [row] = await sql<{ digest: string }[]>`
    select count(*) || ':' || coalesce(sum(hashtextextended((to_jsonb(x) - ${nobodys}::text[])::text, 0)), 0) as digest
    from ${sql(table)} x where taxpayer_id = ${taxpayerId}`;
  return row?.digest ?? '';
}

async function stagedOf(books: Owned, taxpayerId: string): Promise<number> {
  const [row] = await books.asOwner(
    (sql) => sql<{ count: number }[]>`
      select count(*)::integer as count from staged where taxpayer_id = ${taxpayerId}`,
  );
  return row?.count ?? 0;
}

/** Another work has the turn in the person's books: an import whose file has arrived waits to be stored. */
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
      for (const until = performance.now() + 30_000; !(await waiting()); await Bun.sleep(20)) {
        if (performance.now() > until) throw new Error('No import waits.');
      }
    },
    release: async () => {
      released.resolve();
      await holding;
    },
  };
}
