import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { booksOf, importCsv } from '../support/books.ts';

setDefaultTimeout(60_000);

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const csv = [
  'date,type,account,asset,quantity,amount,id',
  '2025-01-02,buy,Exchange,BTC,1,100,b1',
  '2025-02-03,withdrawal,Exchange,BTC,0.5,,w1',
  '2025-02-04,deposit,Cold,BTC,0.5,,d1',
  '2025-03-03,deposit,Phone,BTC,0.5,,d2',
].join('\n');

async function withLegs(): Promise<{ client: TestClient; w1: string; d1: string; d2: string }> {
  const client = await app.register('PRO');
  await importCsv(client, csv);
  const { data } = await client.json<{ data: { id: string; type: string; account: string }[] }>(
    'GET',
    '/v1/transactions',
  );
  const idOf = (account: string, type: string) =>
    data.find((row) => row.account === account && row.type === type)?.id ?? '';
  return { client, w1: idOf('Exchange', 'withdrawal'), d1: idOf('Cold', 'deposit'), d2: idOf('Phone', 'deposit') };
}

async function lotsOf(client: TestClient): Promise<string[]> {
  const { data } = await client.json<{ data: { account: string; quantity: string; basis: string }[] }>(
    'GET',
    '/v1/tax/lots',
  );
  return data.map(({ account, quantity, basis }) => `${account} ${quantity} ${basis}`).sort();
}

async function openIssues(client: TestClient): Promise<string[]> {
  const { data } = await client.json<{ data: { kind: string; account: string }[] }>(
    'GET',
    '/v1/tax/issues?status=open',
  );
  return data.map(({ kind, account }) => `${kind} ${account}`).sort();
}

test('a pair that the engine made is parted by hand, paired otherwise, and left to the engine again', async () => {
  const { client, w1, d1, d2 } = await withLegs();
  const before = await booksOf(client);
  expect(await lotsOf(client)).toEqual(['Cold 0.5 50.00', 'Exchange 0.5 50.00', 'Phone 0.5 0.00']);
  expect(await openIssues(client)).toEqual(['transfer_unpaired Phone']);

  const parted = await client.json('PUT', `/v1/tax/transfers/${d1}`, { body: { with: null, note: 'a gift' } });
  expect(parted).toEqual({ with: null, by: 'hand' });
  expect(await lotsOf(client)).toEqual([
    'Cold 0.5 0.00',
    'Exchange 0.5 50.00',
    'IN TRANSIT 0.5 50.00',
    'Phone 0.5 0.00',
  ]);
  expect(await openIssues(client)).toEqual([
    'transfer_unpaired Cold',
    'transfer_unpaired Exchange',
    'transfer_unpaired Phone',
  ]);

  expect(await client.json('PUT', `/v1/tax/transfers/${w1}`, { body: { with: d2 } })).toEqual({ with: d2, by: 'hand' });
  expect(await client.json('GET', `/v1/tax/transfers/${d2}`)).toEqual({ with: w1, by: 'hand' });
  expect(await lotsOf(client)).toEqual(['Cold 0.5 0.00', 'Exchange 0.5 50.00', 'Phone 0.5 50.00']);
  expect(await openIssues(client)).toEqual(['transfer_unpaired Cold']);
  expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });

  for (const leg of [w1, d1]) expect((await client.request('DELETE', `/v1/tax/transfers/${leg}`)).status).toBe(204);
  expect(await booksOf(client)).toBe(before);
});

test('what is no leg, or cannot be its other end, is refused and changes nothing', async () => {
  const { client, w1, d1, d2 } = await withLegs();
  const before = await booksOf(client);
  const status = async (leg: string, other: string | null) =>
    (await client.request('PUT', `/v1/tax/transfers/${leg}`, { body: { with: other } })).status;
  expect(await status(d1, d2)).toBe(422);
  expect(await status(w1, crypto.randomUUID())).toBe(422);
  expect(await status(crypto.randomUUID(), null)).toBe(404);
  expect(await booksOf(client)).toBe(before);
});
