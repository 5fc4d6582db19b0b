import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createDeps, silentLog } from '../../src/deps.ts';
import { engineVersion } from '../../src/engine/replay.ts';
import { BooksRenewal } from '../../src/features/ledger/recompute/renewal.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const trades = `date,type,account,asset,quantity,amount,fee
2022-03-01,buy,D,X,10,1000,0
2023-06-03,sell,D,X,4,800,0
2025-02-01,buy,D,Y,1,50,0
`;

/** Creates a user whose books another version of the engine calculated, with different figures. */
async function left(): Promise<{ readonly client: TestClient; readonly taxpayerId: string }> {
  const client = await app.register('PRO');
  await importCsv(client, trades);
  const taxpayerId = await app.books.asOwner(async (sql) => {
    const [row] = await sql<{ id: string }[]>`
      select m.taxpayer_id as id from memberships m join users u on u.id = m.user_id where u.email = ${client.email}`;
    const id = row?.id ?? '';
    await sql`update ledgers set engine = 'earlier' where taxpayer_id = ${id}`;
    await sql`
      update checkpoints set engine = 'earlier', days = regexp_replace(days, ':\\S+', ':earlier', 'g')
      where taxpayer_id = ${id}`;
    await sql`update disposals set basis = 399 where taxpayer_id = ${id}`;
    await sql`update year_summaries set summary = replace(summary, '"40000"', '"39900"') where taxpayer_id = ${id}`;
    return id;
  });
  return { client, taxpayerId };
}

async function fetchBasis(client: TestClient): Promise<string | undefined> {
  const list = await client.json<{ data: { basis: string }[] }>('GET', '/v1/tax/disposals');
  return list.data[0]?.basis;
}

async function fetchEngines(taxpayerId: string): Promise<string[]> {
  return app.books.asOwner(async (sql) => {
    const rows = await sql<{ engine: string }[]>`
      select engine from ledgers where taxpayer_id = ${taxpayerId}
      union select engine from checkpoints where taxpayer_id = ${taxpayerId}`;
    return rows.map((row) => row.engine);
  });
}

describe('books from another engine version', () => {
  test('are recalculated after a start, one taxpayer after another', async () => {
    const people = [await left(), await left()];
    const events: string[] = [];
    const log = {
      ...silentLog,
      info: (event: string, fields = {}) => void events.push(`${event} ${JSON.stringify(fields)}`),
    };
    await new BooksRenewal({ ...app.deps, log }).renewAll();
    expect(events[0]).toStartWith('books to renew {"taxpayers":2,');
    expect(events[1]).toStartWith('books renewed {"taxpayers":2,"left":0,');
    expect(app.deps.renewalState.left).toBe(0);
    for (const { taxpayerId } of people) expect(await fetchEngines(taxpayerId)).toEqual([engineVersion]);
  });

  test('are recalculated from where a stopped run ended, and by several servers together', async () => {
    const people = [await left(), await left(), await left()];
    const stopped = createDeps(app.deps);
    await stopped.lifecycle.drain(0);
    await new BooksRenewal(stopped).renewAll();
    expect(stopped.renewalState.left).toBe(3);
    await Promise.all([1, 2, 3].map(() => new BooksRenewal(createDeps(app.deps)).renewAll()));
    for (const { taxpayerId } of people) expect(await fetchEngines(taxpayerId)).toEqual([engineVersion]);
  });

  test('are recalculated even if those of another taxpayer cannot be', async () => {
    const people = [await left(), await left(), await left()];
    const broken = people[1]?.taxpayerId ?? '';
    await app.books.asOwner(
      (sql) =>
        sql`alter table checkpoints add constraint broken check (taxpayer_id <> ${sql.unsafe(`'${broken}'`)}) not valid`,
    );
    const warnings: unknown[] = [];
    const log = { ...silentLog, warn: (event: string) => void warnings.push(event) };
    await new BooksRenewal({ ...app.deps, log }).renewAll();
    expect(warnings).toEqual(['books not renewed']);
    for (const { taxpayerId } of people) {
      expect(await fetchEngines(taxpayerId)).toEqual([taxpayerId === broken ? 'earlier' : engineVersion]);
    }
    await app.books.asOwner((sql) => sql`alter table checkpoints drop constraint broken`);
  });

  test('are recalculated before they are read', async () => {
    const { taxpayerId } = await left();
    const renewal = new BooksRenewal(app.deps);
    await Promise.all([renewal.renewBeforeUse(taxpayerId), renewal.renewBeforeUse(taxpayerId)]);
    expect(await fetchEngines(taxpayerId)).toEqual([engineVersion]);
  });

  test('are all recalculated with the next change to any of them', async () => {
    const { client, taxpayerId } = await left();
    await importCsv(client, 'date,type,account,asset,quantity,amount,fee\n2025-03-01,buy,D,Z,1,50,0\n');
    expect(await fetchEngines(taxpayerId)).toEqual([engineVersion]);
    expect(await fetchBasis(client)).toBe('400.00');
  });
});

test('years with only purchases count as years with activity', async () => {
  const client = await app.register('PRO');
  await importCsv(client, trades);
  const { data } = await client.json<{ data: { year: number; count: number }[] }>('GET', '/v1/tax/years');
  expect(data.map(({ year, count }) => [year, count])).toEqual([
    [2022, 0],
    [2023, 1],
    [2025, 0],
  ]);
});
