import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface Asset {
  readonly asset: string;
  readonly assetClass: string;
  readonly why: string;
  readonly name: string | null;
  readonly collectible: boolean | null;
  readonly section1256: boolean;
  readonly accounts: string[];
  readonly transactions: number;
  readonly stated: unknown;
}

async function fetchAssets(client: TestClient): Promise<Asset[]> {
  return (await client.json<{ data: Asset[] }>('GET', '/v1/tax/assets?limit=1000')).data;
}

async function fetchWords(client: TestClient): Promise<string[]> {
  return (await fetchAssets(client)).map(({ asset, assetClass, why }) => `${asset} ${assetClass} ${why}`);
}

/** Checks that a full calculation finds no differences. */
async function expectSettled(client: TestClient): Promise<void> {
  expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
}

const header = 'date,type,account,asset,quantity,amount,asset_class,received_asset,received_quantity';

test('every asset is listed with its class and the reason for it', async () => {
  const client = await app.register('PRO');
  await importCsv(
    client,
    [
      header,
      '2024-01-02,buy,A,XYZ,10,100,,,',
      '2024-01-03,buy,A,FND,10,100,fund,,',
      '2024-01-03,buy,A,GLD,10,100,fund,,',
      '2024-01-03,buy,A,PHYS,10,100,stock,,',
      '2024-01-03,buy_to_open,A,SPX 2024-06-21 C 5000,1,100,,,',
      '2024-01-04,buy,W,BTC,1,100,,,',
      '2024-01-05,trade,W,OBSCURE,1,100,,BTC,0.1',
      '2024-01-05,buy,W,USD,1,100,,,',
      '',
    ].join('\n'),
  );
  expect(await fetchWords(client)).toEqual([
    'BTC crypto pair',
    'FND fund row',
    'GLD fund row',
    'OBSCURE crypto pair',
    'PHYS stock row',
    'SPX 2024-06-21 C 5000 section_1256 symbol',
    'XYZ stock default',
  ]);
  const all = await fetchAssets(client);
  expect(all.map(({ collectible }) => collectible)).toEqual([false, false, true, false, null, false, false]);
  expect(all.map(({ section1256 }) => section1256).indexOf(true)).toBe(5);
  expect(all[0]).toMatchObject({ accounts: ['W'], transactions: 2, firstDate: '2024-01-04', lastDate: '2024-01-05' });
  const first = await client.json<{ data: Asset[]; nextCursor: string }>('GET', '/v1/tax/assets?limit=3');
  const rest = await client.json<{ data: Asset[] }>('GET', `/v1/tax/assets?limit=9&cursor=${first.nextCursor}`);
  expect([...first.data, ...rest.data]).toEqual(all as never);
});

test('a security name from a file appears in the list', async () => {
  const client = await app.register('PRO');
  const rows = [
    'Symbol,Security Name,Type,Trade Date,Units,Total',
    'ACME,"Acme, Inc.",buy,2024-01-02,10,100.00',
    'BETA,Beta Fund,buy,2024-01-02,10,100.00',
    '',
  ].join('\n');
  const mapping = {
    columns: { Symbol: 'asset', Type: 'type', 'Trade Date': 'date', Units: 'quantity', Total: 'total' },
  };
  const asked = `account=A&mapping=${encodeURIComponent(JSON.stringify(mapping))}`;
  const headers = { 'content-type': 'text/csv' };
  await client.json('POST', `/v1/transactions/import?${asked}`, { body: rows, headers }, 201);
  expect((await fetchAssets(client)).map(({ asset, name }) => [asset, name])).toEqual([
    ['ACME', 'Acme, Inc.'],
    ['BETA', 'Beta Fund'],
  ]);
});

test('a setting for an asset moves its rows to another book, and removing the setting moves them back', async () => {
  const client = await app.register('PRO');
  const rows = `${header}\n2025-01-02,buy,A,XYZ,10,1000,stock,,\n2025-02-03,sell,A,XYZ,10,600,stock,,\n2025-02-10,buy,A,XYZ,10,700,,,\n`;
  await importCsv(client, rows);
  const boxes = async () => {
    const { data } = await client.json<{ data: { box: string; code: string }[] }>('GET', '/v1/tax/disposals');
    return data.map(({ box, code }) => `${box}${code}`);
  };
  expect(await boxes()).toEqual(['CW']);
  const answer = await client.json('PATCH', '/v1/tax/assets', { body: { XYZ: { assetClass: 'crypto' } } });
  expect(answer).toEqual({ assets: { XYZ: { assetClass: 'crypto' } } });
  expect(await boxes()).toEqual(['I']);
  expect(await fetchWords(client)).toEqual(['XYZ crypto taxpayer']);
  await expectSettled(client);
  // Importing the file again adds nothing because the setting also applies during imports.
  expect(await importCsv(client, rows)).toMatchObject({ imported: 0, duplicates: 3 });
  await client.json('PATCH', '/v1/tax/assets', { body: { XYZ: null } });
  expect(await boxes()).toEqual(['CW']);
  await expectSettled(client);
  expect(await importCsv(client, rows)).toMatchObject({ imported: 0, duplicates: 3 });
});

test('a setting can apply to one account, if a coin and a stock share a name', async () => {
  const client = await app.register('PRO');
  await importCsv(client, `${header}\n2025-01-02,buy,A,XYZ,10,1000,,,\n2025-01-02,buy,W,XYZ,10,1000,,,\n`);
  await client.json('PATCH', '/v1/tax/assets', { body: { XYZ: { accounts: { W: 'crypto' } } } });
  const all = await fetchAssets(client);
  expect(all.map(({ assetClass, accounts }) => [assetClass, ...accounts])).toEqual([
    ['crypto', 'W'],
    ['stock', 'A'],
  ]);
});

test('a setting for a root symbol determines whether its options are section 1256 contracts', async () => {
  const client = await app.register('PRO');
  const option = (root: string): string =>
    `2025-01-02,buy_to_open,A,${root} 2025-06-20 C 10,1,100,,,\n2025-02-03,sell_to_close,A,${root} 2025-06-20 C 10,1,150,option,,\n`;
  await importCsv(client, `${header}\n${option('NEWX')}${option('RUT')}`);
  await client.json('PATCH', '/v1/tax/assets', {
    body: { NEWX: { section1256: true }, RUT: { section1256: false } },
  });
  expect(await fetchWords(client)).toEqual([
    'NEWX 2025-06-20 C 10 section_1256 taxpayer',
    'RUT 2025-06-20 C 10 option taxpayer',
  ]);
  await expectSettled(client);
});

test.each([
  [{ XYZ: { assetClass: 'share' } }, '/XYZ/assetClass'],
  [{ XYZ: { color: 'red' } }, '/XYZ/color'],
  [{ XYZ: { collectible: 'yes' } }, '/XYZ/collectible'],
])('%j is refused with a pointer to its field', async (body, pointer) => {
  const client = await app.register('PRO');
  const problem = await client.json<{ errors: { pointer: string }[] }>('PATCH', '/v1/tax/assets', { body }, 422);
  expect(problem.errors.map((one) => one.pointer)).toContain(pointer);
});
