import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchBookContent, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface Row {
  readonly id: string;
  readonly date: string;
  readonly type: string;
  readonly asset: string;
  readonly quantity: string;
  readonly amount?: string;
  readonly source: { readonly externalId: string };
}
interface Issue {
  readonly id: string;
  readonly status: string;
  readonly account: string;
}

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

async function fetchLots(client: TestClient): Promise<string[]> {
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

test('an automatic pair can be split, paired with another row, and reset', async () => {
  const { client, w1, d1, d2 } = await withLegs();
  const before = await fetchBookContent(client);
  expect(await fetchLots(client)).toEqual(['Cold 0.5 50.00', 'Exchange 0.5 50.00', 'Phone 0.5 0.00']);
  expect(await openIssues(client)).toEqual(['transfer_unpaired Phone']);

  const parted = await client.json('PUT', `/v1/tax/transfers/${d1}`, { body: { with: null, note: 'a gift' } });
  expect(parted).toEqual({ with: null, by: 'hand' });
  expect(await fetchLots(client)).toEqual([
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
  expect(await fetchLots(client)).toEqual(['Cold 0.5 0.00', 'Exchange 0.5 50.00', 'Phone 0.5 50.00']);
  expect(await openIssues(client)).toEqual(['transfer_unpaired Cold']);
  expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });

  for (const leg of [w1, d1]) expect((await client.request('DELETE', `/v1/tax/transfers/${leg}`)).status).toBe(204);
  expect(await fetchBookContent(client)).toBe(before);
});

test('a row that is not a leg, or not its counterpart, is refused and changes nothing', async () => {
  const { client, w1, d1, d2 } = await withLegs();
  const before = await fetchBookContent(client);
  const status = async (leg: string, other: string | null) =>
    (await client.request('PUT', `/v1/tax/transfers/${leg}`, { body: { with: other } })).status;
  expect(await status(d1, d2)).toBe(422);
  expect(await status(w1, crypto.randomUUID())).toBe(422);
  expect(await status(w1, 'zzz')).toBe(422);
  expect(await status(crypto.randomUUID(), null)).toBe(404);
  expect(await fetchBookContent(client)).toBe(before);
});

const apart = [
  'date,type,account,asset,quantity,amount,id',
  '2023-01-01,buy,A,BTC,5,100000,b1',
  '2024-02-10,withdrawal,A,BTC,1,,w1',
  '2024-03-10,deposit,B,BTC,1,,d1',
  '2024-06-11,sell,B,BTC,1,50000,s1',
].join('\n');

describe('a manual pair', () => {
  const both = ['transfer_unpaired A', 'transfer_unpaired B'];
  for (const [leg, patch, issues, lots] of [
    ['w1', { type: 'sell', amount: '5' }, ['basis_missing B', 'transfer_unpaired B'], ['A 4 80000.00']],
    ['w1', { quantity: '0.25' }, ['basis_missing B', ...both], ['A 4.75 95000.00', 'IN TRANSIT 0.25 5000.00']],
    ['d1', { type: 'buy', amount: '5' }, ['transfer_unpaired A'], ['A 4 80000.00', 'IN TRANSIT 1 20000.00']],
    ['d1', { asset: 'ETH' }, ['oversold B', ...both], ['A 4 80000.00', 'B 1 0.00', 'IN TRANSIT 1 20000.00']],
    ['d1', { quantity: '2' }, ['basis_missing B', ...both], ['A 4 80000.00', 'B 1 0.00', 'IN TRANSIT 1 20000.00']],
    ['d1', { date: '2023-12-01' }, ['basis_missing B', ...both], ['A 4 80000.00', 'IN TRANSIT 1 20000.00']],
  ] as const) {
    test(`splits into two separate rows when ${leg} becomes ${JSON.stringify(patch)}`, async () => {
      const { client, idOf } = await joined();
      const before = await fetchLots(client);
      const id = idOf(leg);
      const { date, type, asset, quantity, amount = null } = await client.json<Row>('GET', `/v1/transactions/${id}`);
      await client.json('PATCH', `/v1/transactions/${id}`, { body: patch });
      expect(await openIssues(client)).toEqual([...issues]);
      expect(await fetchLots(client)).toEqual([...lots]);
      const still = leg === 'w1' ? 'd1' : 'w1';
      expect(await client.json('GET', `/v1/tax/transfers/${idOf(still)}`)).toEqual({ with: null, by: 'engine' });
      expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
      await client.json('PATCH', `/v1/transactions/${id}`, { body: { date, type, asset, quantity, amount } });
      expect(await fetchLots(client)).toEqual(before);
      expect(await openIssues(client)).toEqual([]);
    });
  }

  test('survives other corrections as long as its rows are still legs', async () => {
    const { client, idOf } = await joined();
    await client.json('PATCH', `/v1/transactions/${idOf('w1')}`, { body: { date: '2024-01-05', note: 'earlier' } });
    await client.json('PATCH', `/v1/transactions/${idOf('d1')}`, { body: { quantity: '0.9' } });
    expect(await client.json('GET', `/v1/tax/transfers/${idOf('d1')}`)).toEqual({ with: idOf('w1'), by: 'hand' });
    expect(await fetchLots(client)).toEqual(['A 4 80000.00']);
    expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
  });

  test('ends without one of its legs, and its issue is listed once and accepts another answer', async () => {
    const { client, idOf } = await joined();
    await client.request('DELETE', `/v1/transactions/${idOf('d1')}`);
    const listed = await client.json<{ data: Issue[] }>('GET', '/v1/tax/issues?kind=transfer_unpaired');
    expect(listed.data.map(({ status, account }) => [status, account])).toEqual([['open', 'A']]);
    const answered = await client.json<Issue>('POST', `/v1/tax/issues/${listed.data[0]?.id}/resolve`, {
      body: { action: 'accept', note: 'gone' },
    });
    expect(answered.status).toBe('accepted');

    const other = await joined();
    await other.client.request('DELETE', `/v1/transactions/${other.idOf('w1')}`);
    expect(await other.client.json('GET', `/v1/tax/transfers/${other.idOf('d1')}`)).toEqual({
      with: null,
      by: 'engine',
    });
    expect(await openIssues(other.client)).toEqual(['basis_missing B', 'transfer_unpaired B']);
  });

  test('replaces an accepted issue', async () => {
    const { client, idOf } = await found(apart);
    const { data } = await client.json<{ data: Issue[] }>('GET', '/v1/tax/issues?kind=transfer_unpaired');
    const left = data.find(({ account }) => account === 'A');
    await client.json('POST', `/v1/tax/issues/${left?.id}/resolve`, { body: { action: 'accept' } });
    const body = { with: idOf('d1') };
    expect(await client.json('PUT', `/v1/tax/transfers/${idOf('w1')}`, { body })).toEqual({ ...body, by: 'hand' });
    expect(await openIssues(client)).toEqual([]);
  });
});

async function joined() {
  const one = await found(apart);
  await one.client.json('PUT', `/v1/tax/transfers/${one.idOf('w1')}`, { body: { with: one.idOf('d1') } });
  expect(await openIssues(one.client)).toEqual([]);
  return one;
}

async function found(rows: string): Promise<{ client: TestClient; idOf: (name: string) => string }> {
  const client = await app.register('PRO');
  await importCsv(client, rows);
  const { data } = await client.json<{ data: Row[] }>('GET', '/v1/transactions');
  const ids = new Map(data.map(({ id, source }) => [source.externalId, id]));
  return { client, idOf: (name) => ids.get(name) ?? '' };
}
