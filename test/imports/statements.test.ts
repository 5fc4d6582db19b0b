import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';

let app: TestApp;
let person: TestClient;
let isCounted = false;
beforeAll(async () => {
  app = await testApp();
  person = await app.register('PRO');
  isCounted = await app.books.asOwner(async (sql) => {
    const [row] = await sql<{ loaded: boolean }[]>`
      select current_setting('shared_preload_libraries') like '%pg_stat_statements%' as loaded`;
    if (row?.loaded !== true) return false;
    await sql`create extension pg_stat_statements`;
    return true;
  });
});
afterAll(() => app.close());

/** Buys and sells each of twenty assets in turn. */
function csv(year: number, rows: number): string {
  const lines = Array.from({ length: rows }, (_, row) => {
    const day = new Date(Date.UTC(year, 0, 1 + Math.floor((row / rows) * 360))).toISOString().slice(0, 10);
    const sells = Math.floor(row / 20) % 4 === 3;
    return `${day},${sells ? 'sell' : 'buy'},Broker,S${row % 20},1,${100 + row},0.35`;
  });
  return `date,type,account,asset,quantity,amount,fee\n${lines.join('\n')}\n`;
}

async function send(content: string): Promise<void> {
  await person.json('POST', '/v1/transactions/import', { body: content, headers: { 'content-type': 'text/csv' } }, 201);
}

interface Statement {
  readonly query: string;
  readonly calls: number;
}

/**
 * Returns the number of statements in an import as the database counts them, without those that start and end its
 * transactions.
 */
async function readStatements(content: string): Promise<Statement[]> {
  await app.books.asOwner((sql) => sql`select pg_stat_statements_reset()`);
  await send(content);
  const all = await app.books.asOwner(
    (sql) => sql<Statement[]>`
      select regexp_replace(query, '\\s+', ' ', 'g') as query, calls::integer as calls
      from pg_stat_statements s join pg_database d on d.oid = s.dbid join pg_roles r on r.oid = s.userid
      where d.datname = current_database() and r.rolname in ('lotbook_app', 'lotbook_server')`,
  );
  return all.filter(({ query }) => !/^(begin|commit|set local|select pg_stat_statements_reset)/i.test(query));
}

test('an import sends few statements, no matter how many books it affects', async () => {
  if (!isCounted) {
    console.log('This server does not count statements: left out.');
    return;
  }
  await send(csv(2022, 2_000));
  // The first import also sends what a server queries only once: column types, and whether the books are from this
  // engine.
  await send(csv(2023, 100));
  const statements = await readStatements(csv(2024, 100));
  const asked = statements.reduce((sum, { calls }) => sum + calls, 0);
  // Two of the statements look for names of the same security.
  if (asked >= 70) console.log(statements);
  expect(asked).toBeLessThan(70);
  // Fails if the count misses everything.
  expect(asked).toBeGreaterThan(20);
});
