import { afterAll, beforeAll, expect, test } from 'bun:test';
import { commonCoins } from '../../src/features/ledger/transactions/asset-names/common-coins.ts';
import { coins, securities } from '../../src/features/ledger/transactions/asset-names/common-names.ts';
import { commonSecurities } from '../../src/features/ledger/transactions/asset-names/common-securities.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { elect, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const header = 'Run Date,Account,Action,Symbol,Description,Type,Price,Quantity,Commission,Fees,Amount,Settlement Date';
const fidelity = (...rows: readonly string[]): string => ['', '', header, ...rows, ''].join('\n');
const buy = (symbol: string, name: string, day = '01/05/2024'): string =>
  `${day},Brokerage,YOU BOUGHT ${name} (${symbol}) (Cash),${symbol},${name},Cash,10,10,0,0,-100.00,${day}`;
const sell = (symbol: string, name: string): string =>
  `03/05/2025,Brokerage,YOU SOLD ${name} (${symbol}) (Cash),${symbol},${name},Cash,12,-4,0,0,48.00,03/06/2025`;

interface Named {
  readonly asset: string;
  readonly assetName?: string;
}

async function listNames(client: TestClient, path: string): Promise<string[]> {
  const { data } = await client.json<{ data: Named[] }>('GET', path);
  return [...new Set(data.map(({ asset, assetName }) => `${asset}=${assetName ?? ''}`))].sort();
}

const lists = ['/v1/transactions', '/v1/tax/lots', '/v1/tax/holdings'];

test('names from a file are in every list, and undoing the import removes them', async () => {
  const client = await app.register('PRO');
  const file = fidelity(
    buy('ZZVV', 'VALVOLINE INC'),
    buy('44244CCF2', 'HOUSTON TEX UTIL'),
    sell('ZZVV', 'VALVOLINE INC'),
  );
  const first = await importCsv(client, file);
  for (const path of lists)
    expect(await listNames(client, path)).toEqual(['44244CCF2=HOUSTON TEX UTIL', 'ZZVV=VALVOLINE INC']);
  expect(await listNames(client, '/v1/tax/disposals')).toEqual(['ZZVV=VALVOLINE INC']);
  const second = await importCsv(client, fidelity(buy('ZZVV', 'VALVOLINE GLOBAL', '02/05/2024')));
  expect(await listNames(client, '/v1/tax/disposals')).toEqual(['ZZVV=VALVOLINE GLOBAL']);
  await client.json('DELETE', `/v1/imports/${second.id}`, {}, 204);
  expect(await listNames(client, '/v1/tax/disposals')).toEqual(['ZZVV=VALVOLINE INC']);
  const hand = { date: '2024-01-02', type: 'buy', account: 'A', asset: 'ZZVV', quantity: '1', amount: '1' };
  await client.json('POST', '/v1/transactions', { body: hand }, 201);
  await client.json('DELETE', `/v1/imports/${first.id}`, {}, 204);
  expect(await listNames(client, '/v1/transactions')).toEqual(['ZZVV=']);
});

test('a preview and a failed import store no names', async () => {
  const client = await app.register('PRO');
  await client.json(
    'POST',
    '/v1/transactions',
    {
      body: { date: '2024-01-02', type: 'buy', account: 'A', asset: 'ZZVV', quantity: '1', amount: '1' },
    },
    201,
  );
  const headers = { 'content-type': 'text/csv' };
  const body = fidelity(buy('ZZVV', 'VALVOLINE INC', '05/05/2024'));
  await client.json('POST', '/v1/transactions/import?dryRun=true', { body, headers });
  expect(await listNames(client, '/v1/transactions')).toEqual(['ZZVV=']);
});

test('the search finds transactions and lines by the name of the security', async () => {
  const client = await app.register('PRO');
  await importCsv(
    client,
    fidelity(
      buy('ZZVV', 'VALVOLINE INC'),
      buy('ZZXX', 'OTHER CO'),
      sell('ZZVV', 'VALVOLINE INC'),
      sell('ZZXX', 'OTHER CO'),
    ),
  );
  await importCsv(
    client,
    [
      'date,type,account,asset,quantity,amount,asset_class',
      '2024-02-01,buy,B,MSFT,1,400,stock',
      '2024-02-02,buy_to_open,B,MSFT 2024-06-21 C 450,1,500,',
      '2024-02-01,buy,C,DASH,1,30,crypto',
      '2024-02-01,buy,B,DASH,1,100,stock',
      '',
    ].join('\n'),
  );
  const search = async (q: string) => {
    const { data } = await client.json<{ data: { asset: string; type: string; account: string }[] }>(
      'GET',
      `/v1/transactions?q=${q}`,
    );
    return data.map(({ asset, account }) => `${asset} ${account}`).sort();
  };
  expect(await search('valvoline')).toEqual(['ZZVV Brokerage', 'ZZVV Brokerage']);
  expect(await search('microsoft')).toEqual(['MSFT 2024-06-21 C 450 B', 'MSFT B']);
  // A coin and a stock share a symbol, but not a name.
  expect(await search('doordash')).toEqual(['DASH B']);
  expect(await listNames(client, '/v1/transactions?account=C')).toEqual(['DASH=Dash']);
  expect(await search('100%25')).toEqual([]);
  expect(await listNames(client, '/v1/tax/disposals?q=valvo')).toEqual(['ZZVV=VALVOLINE INC']);
  await elect(client, { assets: { ZZXX: { name: 'My favorite' } } });
  expect(await search('favorite')).toEqual(['ZZXX Brokerage', 'ZZXX Brokerage']);
});

test("the taxpayer's own name comes first, and changes no number", async () => {
  const client = await app.register('PRO');
  await importCsv(client, fidelity(buy('ZZVV', 'VALVOLINE INC'), sell('ZZVV', 'VALVOLINE INC')));
  const read = async () => {
    const summary = await client.json<object>('GET', '/v1/tax/summary?year=2025');
    return JSON.stringify({ ...summary, revision: null }, (key, value) => (key === 'assetName' ? undefined : value));
  };
  const before = await read();
  await client.json('POST', '/v1/tax/years/2025/lock', { body: {} });
  await elect(client, { assets: { ZZVV: { name: 'Oil changes' } } });
  expect(await listNames(client, '/v1/tax/disposals')).toEqual(['ZZVV=Oil changes']);
  const settings = await client.json<{ assets: object }>('GET', '/v1/tax/settings');
  expect(settings.assets).toEqual({ ZZVV: { name: 'Oil changes' } });
  await client.json('POST', '/v1/tax/years/2025/unlock', { body: {} });
  expect(await read()).toBe(before);
  await elect(client, { assets: { ZZVV: { name: null } } });
  expect(await listNames(client, '/v1/tax/disposals')).toEqual(['ZZVV=VALVOLINE INC']);
});

test('another name of a security has the same name, and books of others do not show it', async () => {
  const [client, other] = [await app.register('PRO'), await app.register('PRO')];
  const plain = 'date,type,account,asset,quantity,amount\n2024-02-01,buy,B,ZZTICK,1,400\n';
  await importCsv(client, fidelity(buy('US0378331005', 'ACME CORP')));
  await importCsv(client, plain);
  await importCsv(other, plain);
  await elect(client, { assets: { US0378331005: { sameAs: 'ZZTICK' } } });
  expect(await listNames(client, '/v1/tax/holdings')).toEqual(['ZZTICK=ACME CORP']);
  expect(await listNames(client, '/v1/transactions?q=acme')).toEqual(['ZZTICK=ACME CORP']);
  expect(await listNames(other, '/v1/transactions')).toEqual(['ZZTICK=']);
});

test('without a name in the files, common stocks, coins and options on them have names', async () => {
  const client = await app.register('PRO');
  await importCsv(
    client,
    [
      'date,type,account,asset,quantity,amount,asset_class',
      '2024-02-01,buy,B,AAPL,1,400,stock',
      '2024-02-02,buy_to_open,B,AAPL 2025-01-17 C 150,1,500,',
      '2024-02-01,buy,B,BRK.B,1,300,stock',
      '2024-02-01,buy,C,BTC,1,30,crypto',
      '2024-02-01,buy,B,ZZNONE,1,100,stock',
      '',
    ].join('\n'),
  );
  const names = [
    'AAPL 2025-01-17 C 150=Apple',
    'AAPL=Apple',
    'BRK.B=Berkshire Hathaway Class B',
    'BTC=Bitcoin',
    'ZZNONE=',
  ];
  for (const path of lists) expect(await listNames(client, path)).toEqual(names);
});

test('the lists of common names contain each symbol once, with a name', () => {
  for (const [list, names] of [
    [commonSecurities, securities],
    [commonCoins, coins],
  ] as const) {
    const lines = list.trim().split('\n');
    expect(names.size).toBe(lines.length);
    for (const line of lines) expect(line).toMatch(/^[A-Z\d][A-Z\d.]* \S.*\S$|^\S+ \S+$/);
    expect(lines.map((line) => line.split(' ')[0])).toEqual([...names.keys()]);
  }
});
