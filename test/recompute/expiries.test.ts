import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchBookContent, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const header = 'date,type,account,asset,quantity,amount,id';
const option = [header, '2024-06-03,buy_to_open,Broker,AAPL 2025-01-17 C 150,1,500,o1'].join('\n');
const coins = (day: string) => [header, `${day},buy,Exchange,BTC,1,100,${day}`].join('\n');

async function fetchIssues(client: TestClient): Promise<string[]> {
  const { data } = await client.json<{ data: { kind: string; year: number; dollars: string }[] }>(
    'GET',
    '/v1/tax/issues?status=open',
  );
  return data.map(({ kind, year, dollars }) => `${kind} ${year} ${dollars}`);
}

test('an option expires when other books contain later rows, and reopens when those are removed', async () => {
  const client = await app.register('PRO');
  await importCsv(client, option);
  const before = await fetchBookContent(client);
  expect(await fetchIssues(client)).toEqual([]);
  await importCsv(client, coins('2025-01-23'));
  expect(await fetchIssues(client)).toEqual([]);
  const later = await importCsv(client, coins('2025-01-24'));
  expect(await fetchIssues(client)).toEqual(['option_expired 2025 500.00']);
  expect(await client.json('GET', '/v1/tax/summary?year=2025')).toMatchObject({ total: { gain: '-500.00', count: 1 } });
  expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
  expect((await client.request('DELETE', `/v1/imports/${later.id}`)).status).toBe(204);
  expect(await fetchIssues(client)).toEqual([]);
  expect(await client.json('GET', '/v1/tax/summary?year=2025')).toMatchObject({ total: { count: 0 } });
  const { data } = await client.json<{ data: { id: string }[] }>('GET', '/v1/imports');
  await client.request('DELETE', `/v1/imports/${data[0]?.id}`);
  expect(await fetchBookContent(client)).toBe(before);
});

test('a row that ends the option still counts if it arrives late', async () => {
  const client = await app.register('PRO');
  await importCsv(client, option);
  await importCsv(client, coins('2025-06-02'));
  expect(await fetchIssues(client)).toEqual(['option_expired 2025 500.00']);
  await importCsv(client, [header, '2025-01-17,sell_to_close,Broker,AAPL 2025-01-17 C 150,1,900,o2'].join('\n'));
  expect(await fetchIssues(client)).toEqual([]);
  expect(await client.json('GET', '/v1/tax/summary?year=2025')).toMatchObject({ total: { gain: '400.00' } });
  expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
});

test('an assignment booked after the expiration takes effect before later stored rows', async () => {
  const client = await app.register('PRO');
  const call = 'ACME 2024-12-31 C 20';
  await importCsv(
    client,
    [header, '2023-03-01,buy,Broker,ACME,100,1500,b1', `2024-12-02,sell_to_open,Broker,${call},1,80,o1`].join('\n'),
  );
  await importCsv(client, [header, '2025-01-02,buy,Broker,ACME,10,210,b2'].join('\n'));
  const before = await fetchBookContent(client);
  const late = await importCsv(client, [header, `2025-01-03,assign,Broker,${call},1,2000,o2`].join('\n'));
  expect(await client.json('GET', '/v1/tax/summary?year=2024')).toMatchObject({ total: { gain: '580.00', count: 1 } });
  expect(await client.json('GET', '/v1/tax/summary?year=2025')).toMatchObject({ total: { count: 0 } });
  expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
  await importCsv(client, [header, '2025-01-06,sell,Broker,ACME,10,200,s1'].join('\n'));
  expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
  const { data } = await client.json<{ data: { id: string }[] }>('GET', '/v1/imports');
  await client.request('DELETE', `/v1/imports/${data[0]?.id}`);
  expect((await client.request('DELETE', `/v1/imports/${late.id}`)).status).toBe(204);
  expect(await fetchBookContent(client)).toBe(before);
});

test('an assignment matches the purchase at its strike price from an earlier import', async () => {
  const client = await app.register('PRO');
  const put = 'ACME 2025-02-21 P 20';
  await importCsv(client, [header, `2024-12-02,sell_to_open,Broker,${put},1,80,o1`].join('\n'));
  await importCsv(client, [header, '2025-01-02,buy,Broker,ACME,100,2000,b1'].join('\n'));
  expect(await fetchIssues(client)).toEqual([]);
  await importCsv(client, [header, `2025-01-03,assign,Broker,${put},1,2000,o2`].join('\n'));
  expect(await fetchIssues(client)).toEqual(['unreconciled 2025 2000.00']);
  expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
  await importCsv(client, [header, '2025-01-06,buy,Broker,ACME,5,100,b2'].join('\n'));
  expect(await fetchIssues(client)).toEqual(['unreconciled 2025 2000.00']);
  expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
});
