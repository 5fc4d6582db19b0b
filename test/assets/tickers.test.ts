import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const header = 'date,type,account,asset,quantity,amount,asset_class\n';
const comp = `${header}2025-01-03,buy,A,COMP,100,900,\n2025-02-03,sell,A,COMP,100,700,\n2025-02-20,buy,A,COMP,100,650,\n`;
const stock = `${header}2025-03-01,buy,A,XYZ,10,100,stock\n`;
const coin = `${header}2025-03-01,buy,A,BTC,1,90000,\n`;

/** Returns the boxes and codes of the lines, and the open issues. Fails if a full calculation finds differences. */
async function fetchState(client: TestClient): Promise<string[]> {
  expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
  const { data: lines } = await client.json<{ data: { box: string; code: string }[] }>('GET', '/v1/tax/disposals');
  const { data: issues } = await client.json<{ data: { kind: string; dollars: string }[] }>('GET', '/v1/tax/issues');
  return [...lines.map(({ box, code }) => `${box}${code}`), ...issues.map(({ kind, dollars }) => `${kind} ${dollars}`)];
}

test('the rows of an account determine the class of an ambiguous ticker, regardless of the order of imports and undos', async () => {
  const client = await app.register('PRO');
  await importCsv(client, comp);
  expect(await fetchState(client)).toEqual(['I', 'class_unknown 200.00']);
  const { id: ofStock } = await importCsv(client, stock);
  expect(await fetchState(client)).toEqual(['CW']);
  // The same rows are recognized as duplicates even if other rows in the account have changed their class since.
  expect(await importCsv(client, comp)).toMatchObject({ imported: 0, duplicates: 3 });
  expect(await fetchState(client)).toEqual(['CW']);
  const { id: ofCoin } = await importCsv(client, coin);
  expect(await fetchState(client)).toEqual(['I', 'class_unknown 200.00']);
  await client.json('DELETE', `/v1/imports/${ofStock}`);
  expect(await fetchState(client)).toEqual(['I']);
  await client.json('DELETE', `/v1/imports/${ofCoin}`);
  expect(await fetchState(client)).toEqual(['I', 'class_unknown 200.00']);
});

test('the answer is stored as a setting of the taxpayer, and forms are drafts until it is given', async () => {
  const client = await app.register('PRO');
  await importCsv(client, comp);
  const issues = async () => (await client.json<{ issues: number }>('GET', '/v1/tax/summary?year=2025')).issues;
  expect(await issues()).toBe(1);
  await client.json('PATCH', '/v1/tax/assets', { body: { COMP: { assetClass: 'stock' } } });
  expect(await fetchState(client)).toEqual(['CW']);
  expect(await issues()).toBe(0);
  await client.json('PATCH', '/v1/tax/assets', { body: { COMP: { accounts: { A: 'crypto' } } } });
  expect(await fetchState(client)).toEqual(['I']);
  await client.json('PATCH', '/v1/tax/settings', { body: { assets: null } });
  expect(await fetchState(client)).toEqual(['I', 'class_unknown 200.00']);
});

test('inferred asset classes are not settings', async () => {
  const client = await app.register('PRO');
  await importCsv(client, comp);
  expect(Object.keys(await client.json('GET', '/v1/tax/settings'))).not.toContain('tickers');
  await client.json('PATCH', '/v1/tax/settings', { body: { tickers: {} } }, 422);
});

test('an issue is raised once per asset and year', async () => {
  const client = await app.register('PRO');
  await importCsv(client, comp);
  await importCsv(client, `${header}2026-02-03,sell,A,COMP,50,100,\n2026-03-03,sell,A,COMP,50,600,\n`);
  expect(await fetchState(client)).toEqual(['I', 'I', 'L', 'class_unknown 225.00', 'class_unknown 200.00']);
});

test('a row that is edited or entered manually also determines the class', async () => {
  const client = await app.register('PRO');
  await importCsv(client, comp);
  const row = { date: '2025-03-01', type: 'buy', account: 'A', asset: 'XYZ', quantity: '1', amount: '10' };
  const { id } = await client.json<{ id: string }>('POST', '/v1/transactions', { body: row }, 201);
  expect(await fetchState(client)).toEqual(['CW']);
  await client.json('PATCH', `/v1/transactions/${id}`, { body: { asset: 'BTC' } });
  expect(await fetchState(client)).toEqual(['I']);
  await client.json('DELETE', `/v1/transactions/${id}`);
  expect(await fetchState(client)).toEqual(['I', 'class_unknown 200.00']);
});
