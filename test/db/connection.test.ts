import { afterAll, beforeAll, expect, test } from 'bun:test';
import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { Refusal } from '../../src/base/refusal.ts';
import { connect, openPool, type Sql } from '../../src/db/connection.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await testDatabase();
});
afterAll(() => books.drop());

/** Ends the session during its transaction, which only the database owner may do. */
async function endSession(sql: Sql): Promise<void> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const sleeping = sql`select pg_sleep(10)`.then(() => undefined);
  // The session may end before the test waits for it.
  sleeping.catch(() => undefined);
  // Runs each check in its own transaction because PostgreSQL shows the same activity again within one transaction.
  const sleeps = () =>
    books.asOwner(
      (owner) => owner`select 1 from pg_stat_activity where pid = ${row?.pid ?? 0} and query like '%pg_sleep%'`,
    );
  while ((await sleeps()).length === 0) await Bun.sleep(1);
  await books.asOwner((owner) => owner`select pg_terminate_backend(${row?.pid ?? 0}::integer)`);
  await sleeping;
}

/** Relays between a pool and the database, and records what each connection receives. */
async function openRelay(database: string) {
  const to = new URL(database);
  const folder = to.searchParams.get('host');
  const received: string[] = [];
  const server = createServer((near) => {
    const at = received.push('') - 1;
    const far =
      folder === null
        ? createConnection(Number(to.port), to.hostname)
        : createConnection(`${folder}/.s.PGSQL.${to.searchParams.get('port') ?? 5432}`);
    near.on('data', (bytes) => {
      received[at] += bytes.toString('latin1');
    });
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(database);
  url.searchParams.delete('host');
  url.searchParams.delete('port');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, received, close: () => server.close() };
}

const taxpayer = '0191b1a0-0000-7000-8000-000000000001';

test('a request for books runs for one taxpayer as a role that owns nothing', async () => {
  const [row] = await books.database.asTaxpayer(
    taxpayer,
    (sql) => sql`select current_user as role, current_taxpayer() as taxpayer`,
  );
  expect(row).toEqual({ role: 'lotbook_app', taxpayer });
});

test('the taxpayer setting ends with its transaction', async () => {
  await books.database.asTaxpayer(taxpayer, (sql) => sql`select 1`);
  const rows = await Promise.all(
    Array.from({ length: 20 }, () => books.database.asService((sql) => sql`select current_taxpayer() as taxpayer`)),
  );
  expect(rows.flat().every((row) => row.taxpayer === null)).toBe(true);
});

test('a taxpayer that is not a UUID never reaches the database', async () => {
  const work = books.database.asTaxpayer("x'; drop table users; --", (sql) => sql`select 1`);
  await expect(work).rejects.toThrow('uuid');
});

test('transactions of several taxpayers at once each see and store rows of their own taxpayer only', async () => {
  const ids = await books.asOwner(async (sql) => {
    const rows = await sql<{ id: string }[]>`
      insert into taxpayers (id, created_by) select gen_random_uuid(), gen_random_uuid() from generate_series(1, 8) returning id`;
    return rows.map(({ id }) => id);
  });
  const seen = await Promise.all(
    ids.map((id) =>
      books.database.asTaxpayer(id, async (sql) => {
        const [visible, changed] = await Promise.all([
          sql`select id from taxpayers`,
          sql`update taxpayers set revision = revision + 1 returning id`,
        ]);
        return [...visible, ...changed].map((row) => row.id);
      }),
    ),
  );
  expect(seen).toEqual(ids.map((id) => [id, id]));
});

test('a transaction whose settings fail runs none of its statements', async () => {
  let rows: unknown;
  const refused = books.database.asTaxpayer(
    taxpayer,
    async (sql) => {
      rows = await sql`select current_user as role`;
    },
    { statementSecondsMax: -1 },
  );
  expect(await refused.catch((error: unknown) => String(error))).toContain('statement_timeout');
  expect(rows).toBeUndefined();
});

test('days and big numbers are text, and undefined is null', async () => {
  const nothing: string | undefined = undefined;
  const [row] = await books.database.asService(
    (sql) =>
      sql`select date '2024-02-29' as day, 12345678901234567890::numeric as amount, 9007199254740993::bigint as id,
        ${nothing ?? null}::text as nothing, ${9007199254740993n} + 1 as next`,
  );
  expect(row).toEqual({
    day: '2024-02-29',
    amount: '12345678901234567890',
    id: '9007199254740993',
    nothing: null,
    next: '9007199254740994',
  });
});

test('a transaction that throws changes nothing', async () => {
  const insert = books.database.asService(async (sql) => {
    await sql`insert into taxpayers (id, created_by) values (${taxpayer}, ${taxpayer})`;
    throw new Refusal('conflict', 'No.');
  });
  await expect(insert).rejects.toThrow('No.');
  await insert.catch(() => {});
  const rows = await books.database.asService((sql) => sql`select id from taxpayers where id = ${taxpayer}`);
  expect(rows).toHaveLength(0);
});

test('a snapshot sees the same state in all of its statements', async () => {
  const id = '0191b1a0-0000-7000-8000-000000000002';
  const counts = await books.database.asService(
    async (sql) => {
      const [before] = await sql<{ n: number }[]>`select count(*)::int as n from taxpayers`;
      await books.database.asService((other) => other`insert into taxpayers (id, created_by) values (${id}, ${id})`);
      const [after] = await sql<{ n: number }[]>`select count(*)::int as n from taxpayers`;
      return [before?.n, after?.n];
    },
    { snapshot: true, readOnly: true },
  );
  expect(counts[0]).toBe(counts[1]);
});

test('a statement that takes too long is refused as overload, and the connection stays open', async () => {
  const slow = books.database.asService((sql) => sql`select pg_sleep(5)`, { statementSecondsMax: 0.05 });
  const error = await slow.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Refusal);
  expect((error as Refusal).code).toBe('overloaded');
  await books.database.ping();
});

test('a query on a connection that just broke is refused, and does not end the program', async () => {
  const own = connect({ url: books.url, directUrl: null }, { connectionsMax: 1 });
  const asked = Promise.withResolvers<unknown>();
  const cut = own.asService((sql) =>
    endSession(sql)
      .catch(async () => asked.resolve(await sql`select 1`))
      .catch(asked.resolve),
  );
  await expect(cut).rejects.toMatchObject({ code: 'database_unavailable' });
  // The transaction may notice the break first, or may already be over.
  expect(String(await asked.promise)).toMatch(/CONNECTION_CLOSED|over/);
  await own.ping();
  await own.close();
});

const copyReaders: readonly (readonly [string, (pieces: AsyncIterable<unknown>) => Promise<void>])[] = [
  ['is read to its end', async (pieces) => void (await Array.fromAsync(pieces))],
  ['is left after its first row', async (pieces) => void (await takeOne(pieces))],
  ['fails on its way', failsToRead],
  ['fails before it is read', async (pieces) => Bun.sleep(50).then(() => failsToRead(pieces))],
];
for (const [what, read] of copyReaders) {
  test(`returns the next result on the connection after a COPY TO STDOUT ${what}`, async () => {
    const rows = what === 'fails before it is read' ? 10 : 1000;
    const cell = what.startsWith('fails') ? `1 / (${rows} - n)` : 'n';
    const statement = `copy (select ${cell}, repeat('x', 300) from generate_series(1, ${rows}) n) to stdout`;
    for (let run = 1; run <= 10; run += 1) {
      const pool = openPool(books.url, 1);
      await read(await pool.unsafe(statement).readable());
      const next = pool`select 1 as one`.then(([row]) => row?.one);
      expect([run, await Promise.race([next, Bun.sleep(40_000)])]).toEqual([run, 1]);
      await pool.end();
    }
  });
}

async function failsToRead(pieces: AsyncIterable<unknown>): Promise<void> {
  await expect(Array.fromAsync(pieces)).rejects.toThrow('division by zero');
}

async function takeOne(pieces: AsyncIterable<unknown>): Promise<unknown> {
  for await (const piece of pieces) return piece;
  return undefined;
}

test('a transaction that continues after its connection broke does not affect another transaction', async () => {
  const own = connect({ url: books.url, directUrl: null }, { connectionsMax: 1 });
  const later = Promise.withResolvers<void>();
  let straying: Promise<unknown> = Promise.resolve();
  const cut = own.asService(async (sql) => {
    straying = later.promise.then(() => sql`select set_config('app.taxpayer', 'another', true)`);
    straying.catch(() => undefined);
    await endSession(sql);
  });
  await expect(cut).rejects.toMatchObject({ code: 'database_unavailable' });
  const seen = await own.asService(async (sql) => {
    later.resolve();
    await expect(straying).rejects.toThrow('over');
    return sql<{ taxpayer: string | null }[]>`select current_setting('app.taxpayer', true) as taxpayer`;
  });
  expect(seen[0]?.taxpayer ?? '').toBe('');
  await own.close();
});

test('a transaction that ends while its connection is reopened sends nothing in the new session', async () => {
  const relay = await openRelay(books.url);
  const own = connect({ url: relay.url, directUrl: null }, { connectionsMax: 1 });
  const end = Promise.withResolvers<void>();
  const cut = own.asService(async (sql) => {
    await endSession(sql).catch(() => end.promise);
  });
  await expect(cut).rejects.toMatchObject({ code: 'database_unavailable' });
  // The transaction ends and the connection opens in the same turn of the event loop, as after a garbage collection
  // pause.
  await Bun.sleep(50);
  const answer = own.ping();
  await Promise.resolve().then(() => undefined);
  setTimeout(end.resolve, 0);
  Bun.sleepSync(20);
  await answer;
  await own.asService((sql) => sql`select 1`);
  expect(relay.received).toHaveLength(2);
  expect(relay.received[0]).toContain('pg_sleep');
  expect(relay.received[1]).not.toContain('rollback');
  await own.close();
  relay.close();
});

test('the database is configured to detect dead connections', async () => {
  const relay = await openRelay(books.url);
  const own = connect({ url: relay.url, directUrl: null }, { connectionsMax: 1 });
  await own.ping();
  for (const asked of [
    'tcp_keepalives_idle\0' + '10\0',
    'tcp_keepalives_count\0' + '3\0',
    'tcp_user_timeout\0' + '30000\0',
  ])
    expect(relay.received[0]).toContain(asked);
  await own.close();
  relay.close();
});

test('a request to an unreachable database is refused as unavailable', async () => {
  const away = connect({ url: 'postgres://nobody@127.0.0.1:1/nothing', directUrl: null });
  const error = await away.asService((sql) => sql`select 1`).catch((reason: unknown) => reason);
  expect((error as Refusal).code).toBe('database_unavailable');
  await expect(away.ping()).rejects.toThrow();
  await away.close();
});

test('transactions wait if all connections are in use', async () => {
  const results = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      books.database.asService(async (sql) => (await sql<{ n: number }[]>`select ${index}::int as n`)[0]?.n),
    ),
  );
  expect(results).toEqual(Array.from({ length: 60 }, (_, index) => index));
});

test('a listener receives notifications after the commit', async () => {
  const heard: string[] = [];
  const stop = await books.database.listen('news', (payload) => heard.push(payload));
  await books.database.asService((sql) => sql`select pg_notify('news', 'first')`);
  await until('the notification arrives', () => heard.length > 0);
  await stop();
  expect(heard).toEqual(['first']);
});

test('each attempt fails quickly while the database is unreachable: the pauses do not grow', async () => {
  const away = connect(
    { url: 'postgres://nobody@localhost/none?host=/nowhere', directUrl: null },
    { connectionsMax: 1 },
  );
  // Twelve attempts take half a second each at most. With growing pauses, they would take more than a minute.
  for (let tries = 0; tries < 12; tries += 1) {
    await expect(away.asService((sql) => sql`select 1`)).rejects.toMatchObject({ code: 'database_unavailable' });
  }
  await away.close();
});

test('one taxpayer gets at most four transactions at once, and sessions are read even if all taxpayers are busy', async () => {
  const own = connect({ url: books.url, directUrl: null }, { connectionsMax: 8 });
  const ends = Promise.withResolvers<void>();
  let running = 0;
  const busy = (id: string) =>
    own.asTaxpayer(id, async (sql) => {
      await sql`select 1`;
      running += 1;
      await ends.promise;
    });
  const work = Array.from({ length: 12 }, () => busy(taxpayer));
  await until('four transactions run', () => running >= 4);
  expect(running).toBe(4);
  expect(await own.asService((sql) => sql`select 1 as one`)).toMatchObject([{ one: 1 }]);
  ends.resolve();
  await Promise.all(work);
  expect(running).toBe(12);
  await own.close();
});

test('a pool of two, as in a Worker, allows a second transaction of the taxpayer inside the first', async () => {
  const own = connect({ url: books.url, directUrl: null }, { connectionsMax: 2 });
  const inner = await own.asTaxpayer(taxpayer, () => own.asTaxpayer(taxpayer, (sql) => sql`select 1 as one`));
  expect(inner).toMatchObject([{ one: 1 }]);
  await own.close();
});

test('one of two deadlocked transactions gets an error that asks for a retry', async () => {
  const [first, second] = ['0191b1a0-0000-7000-8000-0000000000aa', '0191b1a0-0000-7000-8000-0000000000bb'];
  await books.database.asService(async (sql) => {
    for (const id of [first, second]) await sql`insert into taxpayers (id, created_by) values (${id}, ${id})`;
  });
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const crossing = (own: string, then: string, mine: PromiseWithResolvers<void>, theirs: PromiseWithResolvers<void>) =>
    books.database.asService(async (sql) => {
      await sql`update taxpayers set name = 'x' where id = ${own}`;
      mine.resolve();
      await theirs.promise;
      await sql`update taxpayers set name = 'y' where id = ${then}`;
    });
  const results = await Promise.allSettled([crossing(first, second, one, other), crossing(second, first, other, one)]);
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(refused).toMatchObject([{ code: 'overloaded' }]);
});
