import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createApp } from '../../src/app.ts';
import { tarEntries, tarFile, writeTar } from '../../src/base/tar.ts';
import { compress, decompress } from '../../src/base/zstd.ts';
import { connect, openPool } from '../../src/db/connection.ts';
import { createDump } from '../../src/db/dump.ts';
import { DumpError, TableCounter, type TableSum } from '../../src/db/dump-format.ts';
import { loadDump } from '../../src/db/load-dump.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createDeps } from '../../src/deps.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { dropDatabase, emptyDatabase } from '../support/database.ts';

const csv = `date,type,account,asset,quantity,amount,fee
2024-01-05,buy,Schwab,AAPL,20,2500.00,0
2025-02-01,sell,Schwab,AAPL,10,1850.00,1.50
2025-03-01,buy,"Tab	and \\N, ""quoted""",KO,100,6000.00,0
2025-11-20,sell,"Tab	and \\N, ""quoted""",KO,100,5600.00,0
2025-12-02,buy,Schwab,KO,40,2360.00,0
`;

let app: TestApp;
let ann: TestClient;
let bytes: Uint8Array;
let sums: readonly TableSum[];

beforeAll(async () => {
  app = await testApp();
  ann = await app.register();
  await ann.json('POST', '/v1/transactions/import', { body: csv, headers: { 'content-type': 'text/csv' } });
  const dump = createDump(app.books.url, '9.9.9');
  bytes = await joined(dump.bytes);
  sums = dump.sums();
});
afterAll(() => app.close());

test('a dump loads into an empty database with identical summaries, and ids continue after the last row', async () => {
  const url = await emptyDatabase();
  const { head, tables, applied } = await loadDump(url, fetchOne(bytes));
  expect([head.lotbook, applied, tables]).toEqual(['9.9.9', [], [...sums]]);
  expect(sums.find(({ name }) => name === 'transactions')).toMatchObject({ rows: 5 });
  const again = createDump(url, '9.9.9');
  await joined(again.bytes);
  expect(contents(again.sums())).toEqual(contents(sums));

  const database = connect({ url, directUrl: null }, { connectionsMax: 4 });
  const loaded = createApp(createDeps({ ...app.deps, database }));
  const read = async (path: string, from: typeof loaded) =>
    (await from.fetch(new Request(`http://localhost${path}`, { headers: { cookie: ann.cookie } }))).text();
  for (const path of ['/v1/tax/summary?year=2025', '/v1/tax/disposals', '/v1/tax/lots', '/v1/transactions']) {
    expect(await read(path, loaded)).toBe(await read(path, app.app));
  }
  const headers = { cookie: ann.cookie, 'content-type': 'text/csv' };
  const more = new Request('http://localhost/v1/transactions/import', {
    method: 'POST',
    headers,
    body: csv.replace('AAPL', 'MSFT'),
  });
  expect((await loaded.fetch(more)).status).toBe(201);
  const calculated = new Request('http://localhost/v1/tax/calculate', {
    method: 'POST',
    headers: { cookie: ann.cookie },
  });
  expect(await (await loaded.fetch(calculated)).json()).toMatchObject({ differences: [] });
  await database.close();
  await dropDatabase(url);
});

test('row-level security and triggers are in force again after a load', async () => {
  const url = await emptyDatabase();
  await loadDump(url, fetchOne(bytes));
  const [row] = await ask(
    url,
    `select (select count(*) from pg_class where relrowsecurity <> relforcerowsecurity)::integer as unforced,
      (select count(*) from pg_trigger where tgenabled <> 'O')::integer as disabled`,
  );
  expect(row).toEqual({ unforced: 0, disabled: 0 });
  await dropDatabase(url);
});

test('an owner who is not a superuser can load a dump, and gets the reason why it cannot create one', async () => {
  const url = await emptyDatabase();
  await migrate(url);
  const owned = new URL(url);
  const name = `loads_${owned.pathname.slice(1)}`;
  [owned.username, owned.password] = [name, 'secret'];
  await ask(
    url,
    `create role ${name} login password 'secret'; grant lotbook_server to ${name};
     do $$ declare t record; begin
       for t in select oid::regclass as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' loop
         execute format('alter table %s owner to ${name}', t.name);
       end loop;
     end $$`,
  );
  const { tables } = await loadDump(owned.href, fetchOne(bytes));
  expect(tables).toEqual([...sums]);
  await expect(joined(createDump(owned.href, '9.9.9').bytes)).rejects.toThrow(`alter role ${name} bypassrls`);
  await dropDatabase(url);
  await ask(app.books.url, `drop role ${name}`);
});

test('a dump omits work in progress: rows of running imports and jobs', async () => {
  await app.books.asOwner(
    (sql) => sql`
      with someone as (select id from taxpayers limit 1), started as (
        insert into imports (taxpayer_id, id, status, created_at, moved_at, store_order)
        select id, gen_random_uuid(), 'running', now(), now(), '{}' from someone
      )
      insert into calculations (taxpayer_id, id, status, created_at) select id, gen_random_uuid(), 'running', now() from someone`,
  );
  const url = await emptyDatabase();
  await loadDump(url, createDump(app.books.url, '9.9.9').bytes);
  const rows = await ask(
    url,
    `select (select count(*) from imports where status = 'running' and store_order is not null)::integer as waiting,
      (select string_agg(status || ' ' || (problem ->> 'code'), ',') from calculations where problem is not null) as failed`,
  );
  expect(rows).toEqual([{ waiting: 0, failed: 'failed interrupted' }]);
  await app.books.asOwner(async (sql) => {
    await sql`delete from imports where status = 'running'`;
    await sql`delete from calculations where status = 'running'`;
  });
  await dropDatabase(url);
});

test('ten dumps of tables of 100 to 500 KiB each take less than ten seconds', async () => {
  const url = await emptyDatabase();
  await migrate(url);
  const tables = [100, 200, 300, 400, 500].flatMap((kibibytes) =>
    [60, 700].map((rowBytes) => ({ kibibytes, rowBytes, name: `filler_${kibibytes}_${rowBytes}` })),
  );
  for (const { kibibytes, rowBytes, name } of tables) {
    const rows = Math.ceil((kibibytes * 1024) / (rowBytes + 1));
    await ask(url, `create table ${name} as select repeat('x', ${rowBytes}) as words from generate_series(1, ${rows})`);
  }
  for (let run = 1; run <= 10; run += 1) {
    const dump = createDump(url, '9.9.9');
    const ending = joined(dump.bytes).then(() => 'complete');
    expect([run, await Promise.race([ending, Bun.sleep(10_000).then(() => 'hangs')])]).toEqual([run, 'complete']);
    const sizes = dump.sums().filter(({ name }) => name.startsWith('filler'));
    expect(sizes.map(({ name, rows }) => [name, rows]).sort()).toEqual(
      tables.map((table) => [table.name, Math.ceil((table.kibibytes * 1024) / (table.rowBytes + 1))]).sort(),
    );
  }
  await dropDatabase(url);
});

test('a database with rows is refused and stays unchanged', async () => {
  await expect(loadDump(app.books.url, fetchOne(bytes))).rejects.toThrow('not empty: it has rows in');
});

test('a truncated, modified or foreign dump is refused and leaves no row', async () => {
  const url = await emptyDatabase();
  for (const [broken, words] of [
    [bytes.subarray(0, bytes.length / 2), /damaged|truncated|not a Lotbook dump/],
    [await changed((text) => text.replaceAll('1850.00', '1950.00')), /does not match|rows of/],
    [await changed((text) => text.replace(/\tKO\t/, '\tKO')), /rows of \w+/],
    [
      await changed((text) => text.replace('"9.9.9"', '"9.9.9"').replace(/"hash": "../, '"hash": "00')),
      /development version/,
    ],
    [await changed((text) => text.replace(/"number": 1,/, '"number": 9001,')), /newer Lotbook \(9\.9\.9\)/],
    [new TextEncoder().encode('date,type\n'), /not a Lotbook dump/],
  ] as const) {
    const refused = await loadDump(url, fetchOne(broken)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DumpError);
    expect(String(refused)).toMatch(words);
  }
  const [row] = await ask(url, 'select count(*)::integer as rows from users');
  expect(row).toEqual({ rows: 0 });
  await dropDatabase(url);
});

test('the same rows in another order have the same digest, and a changed cell changes it', () => {
  const contentOf = (text: string): string => {
    const counter = new TableCounter();
    for (const piece of [text.slice(0, 3), text.slice(3)]) counter.add(new TextEncoder().encode(piece));
    return counter.sum('t').content;
  };
  expect(contentOf('1\ta\n2\tb\n')).toBe(contentOf('2\tb\n1\ta\n'));
  expect(contentOf('1\ta\n2\tb\n')).not.toBe(contentOf('1\ta\n2\tc\n'));
});

/** Returns the dump with replaced files and matching lengths. */
async function changed(change: (text: string) => string): Promise<Uint8Array> {
  const files = [];
  for await (const { name, content } of tarEntries(decompress(fetchOne(bytes)))) {
    files.push(tarFile(name, change(new TextDecoder().decode(await joined(content)))));
  }
  return joined(compress(writeTar(files)));
}

function contents(tables: readonly TableSum[]) {
  return tables.map(({ name, rows, content }) => [name, rows, content]);
}

async function joined(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return new Uint8Array(Buffer.concat(all));
}

async function* fetchOne(whole: Uint8Array): AsyncGenerator<Uint8Array> {
  yield whole;
}

async function ask(url: string, statement: string): Promise<unknown[]> {
  const pool = openPool(url, 1);
  try {
    return [...(await pool.unsafe(statement))];
  } finally {
    await pool.end();
  }
}
