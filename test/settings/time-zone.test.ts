import { afterAll, beforeAll, expect, test } from 'bun:test';
import { stampOf } from '../../src/features/ledger/books/state/open.ts';
import { type StoredSettings, toElections } from '../../src/features/ledger/transactions/elections.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { elect, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const bought = `date,type,account,asset,quantity,amount,id,lots,identified_at
2023-01-03,buy,A,X,10,100,b1,,
2023-06-01,buy,A,X,10,200,b2,,
`;

async function basisOf2024(client: TestClient): Promise<{ readonly basis: string; readonly revision: string }> {
  const summary = await client.json<{ total: { basis: string }; revision: string }>('GET', '/v1/tax/summary?year=2024');
  return { basis: summary.total.basis, revision: summary.revision };
}

async function moveTo(client: TestClient, timeZone: string): Promise<void> {
  await client.json('PATCH', '/v1/account', { body: { timeZone } });
  expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
}

test("lots identified on the evening of settlement are on time in the taxpayer's time zone, and the books follow a zone change", async () => {
  const client = await app.register('PRO');
  await importCsv(client, `${bought}2024-06-07,sell,A,X,5,100,s1,b2:5,2024-06-11T01:00:00Z\n`);
  const before = await basisOf2024(client);
  expect(before.basis).toBe('50.00');
  await moveTo(client, 'America/New_York');
  const after = await basisOf2024(client);
  expect(after.basis).toBe('100.00');
  expect(after.revision).not.toBe(before.revision);
  await moveTo(client, 'UTC');
  // An explicit zone is a setting, even if it is UTC.
  expect((await basisOf2024(client)).basis).toBe(before.basis);
});

test("a standing order made on the evening of the sale counts in the taxpayer's time zone", async () => {
  const client = await app.register('PRO');
  await importCsv(client, `${bought}2024-06-06,sell,A,X,5,100,s1,,\n`);
  await elect(client, { standingOrders: [{ method: 'HIFO', madeAt: '2024-06-07T01:00:00Z' }] });
  expect((await basisOf2024(client)).basis).toBe('50.00');
  await moveTo(client, 'America/New_York');
  expect((await basisOf2024(client)).basis).toBe('100.00');
});

test.each<[string, StoredSettings]>([
  ['without standing orders, which keeps the books', {}],
  [
    'with a standing order, which recalculates all books',
    { standingOrders: [{ method: 'HIFO', madeAt: '2024-06-07T01:00:00Z' }] },
  ],
])('after a change of zone the stored states have the new rules: %s', async (_, settings) => {
  const client = await app.register('PRO');
  await importCsv(client, `${bought}2024-06-06,sell,A,X,5,100,s1,,\n2024-07-01,buy,A,Y,1,10,,,\n`);
  await elect(client, settings);
  await client.json('PATCH', '/v1/account', { body: { timeZone: 'America/New_York' } });
  const { rules } = stampOf(toElections(settings, 'America/New_York').rules);
  expect(await fetchStamps(client)).toEqual([rules]);
});

/** Returns the rules in the stored states. */
async function fetchStamps({ email }: TestClient): Promise<string[]> {
  const rows = await app.books.asOwner(
    (sql) => sql<{ rules: string }[]>`
      select distinct c.rules from checkpoints c
      join memberships m on m.taxpayer_id = c.taxpayer_id join users u on u.id = m.user_id where u.email = ${email}`,
  );
  return rows.map((row) => row.rules);
}
