import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { RowIds } from '../../src/features/ledger/transactions/rows.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

/** Two equal purchases, two rows that also occur in one line of another file, a sale, and an unreadable line. */
const file = `date,type,account,asset,quantity,amount,fee
2024-01-02,buy,Broker,X,1,10,0
2024-01-02,buy,Broker,X,1,10,0
2024-03-01,sell,Broker,X,2,30,1
2024-04-01,buy,Broker,no number,x,1,0
`;

test("an id is the HMAC of the row's text, with keys of any length up to a block", () => {
  for (const length of [1, 32, 64]) {
    const key = crypto.getRandomValues(new Uint8Array(length));
    for (const text of ['', 'a', `${'0'.repeat(64)}#2147483647`]) {
      const digest = createHmac('sha256', key).update(text).digest('hex').slice(0, 32);
      expect(new RowIds(key).hashText(text)).toBe(digest);
    }
  }
  const ids = new RowIds(new Uint8Array(32));
  expect(ids.computeRowId('ab', 1).replaceAll('-', '')).toBe(ids.computeDigits('ab', 1));
  expect(() => ids.hashText('x'.repeat(129))).toThrow('too long');
  for (const length of [0, 65]) expect(() => new RowIds(new Uint8Array(length))).toThrow('wrong length');
});

test('two taxpayers with the same file share no ids of rows, lots, lines or issues', async () => {
  const [one, other] = [await idsAfter(file), await idsAfter(file)];
  expect(one.length).toBe(other.length);
  expect(one.length).toBeGreaterThan(5);
  expect(one.filter((id) => other.includes(id))).toEqual([]);
});

test('importing the same file again, also after an undo, assigns the same ids to the rows', async () => {
  const client = await app.register();
  const first = await importCsv(client, file);
  const ids = await fetchIds(client);
  expect(await importCsv(client, file)).toMatchObject({ imported: 0, duplicates: 3, rejected: 1 });
  expect(await fetchIds(client)).toEqual(ids);
  const { data } = await client.json<{ data: { id: string }[] }>('GET', '/v1/imports');
  for (const { id } of data) await client.request('DELETE', `/v1/imports/${id}`);
  expect(await fetchIds(client)).toEqual([]);
  expect(await importCsv(client, file)).toMatchObject({ imported: first.imported, duplicates: 0 });
  expect(await fetchIds(client)).toEqual(ids);
});

test('rows with the same day and line have one order for every taxpayer, independent of their ids', async () => {
  const head = 'date,type,account,asset,quantity,amount,fee';
  const files = ['10', '20', '30', '40'].map((amount) => `${head}\n2024-01-02,buy,Broker,X,1,${amount},0\n`);
  const sale = `${head}\n2024-02-01,deposit,Broker,USD,,1,0\n2024-03-01,sell,Broker,X,1,50,0\n`;
  const gains = new Set<string>();
  for (let taxpayer = 0; taxpayer < 8; taxpayer++) {
    const client = await app.register();
    const turned = [...files.slice(taxpayer % 4), ...files.slice(0, taxpayer % 4)];
    for (const csv of [...turned, sale]) await importCsv(client, csv);
    const { data } = await client.json<{ data: { gain: string }[] }>('GET', '/v1/tax/disposals?year=2024');
    gains.add(data.map(({ gain }) => gain).join());
  }
  expect(gains.size).toBe(1);
  expect([...gains][0]).toMatch(/^(40|30|20|10)\.00$/);
});

test('no response contains the key behind the ids', async () => {
  const client = await app.register();
  await importCsv(client, file);
  const keys = await app.books.asOwner((sql) => sql<{ key: Uint8Array }[]>`select id_key as key from taxpayers`);
  expect(new Set(keys.map(({ key }) => Buffer.from(key).toString('hex'))).size).toBe(keys.length);
  for (const path of ['/v1/account', '/v1/tax/settings', '/v1/imports', '/v1/transactions']) {
    const text = await (await client.request('GET', path)).text();
    for (const { key } of keys) expect(text).not.toContain(Buffer.from(key).toString('hex'));
    expect(text).not.toContain('id_key');
  }
});

async function idsAfter(csv: string): Promise<string[]> {
  const client = await app.register();
  await importCsv(client, csv);
  return fetchIds(client);
}

/** Returns all ids of rows, open lots, lines and issues. */
async function fetchIds(client: TestClient): Promise<string[]> {
  const ids: string[] = [];
  for (const path of ['/v1/transactions', '/v1/tax/lots', '/v1/tax/disposals?year=2024', '/v1/tax/issues']) {
    const { data } = await client.json<{ data: { id: string }[] }>('GET', path);
    ids.push(...data.map(({ id }) => id));
  }
  return ids.sort();
}
