import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchBookContent as allBooksOf, elect, fetchAll, importCsv } from '../support/books.ts';
import { grantAccess } from '../support/grants.ts';
import { expectRoundTrip } from '../support/round-trip.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const isin = 'US0378331005';
const same = { assets: { [isin]: { sameAs: 'AAPL' } } };
const other = { assets: { [isin]: { sameAs: null } } };
const header = 'date,type,account,asset,quantity,amount,received_asset,received_quantity,ratio,id\n';
/** One broker writes the ISIN and sells at a loss. The other writes the ticker and buys within 30 days. */
const euro = `${header}2024-01-02,buy,Depot,${isin},10,2000,,,,d1\n2024-06-03,sell,Depot,${isin},10,1500,,,,d2\n`;
const us = `${header}2024-06-10,buy,Schwab,AAPL,10,1600,,,,s1\n`;

interface Listed {
  readonly id: string;
  readonly asset: string;
  readonly statedNames?: object;
  readonly note?: string;
}
interface Line {
  readonly asset: string;
  readonly code: string;
  readonly adjustment: string;
}

const fetchTransactions = (client: TestClient, query = ''): Promise<Listed[]> =>
  fetchAll(client, `/v1/transactions${query}`);
const fetchLines = async (client: TestClient): Promise<string[]> =>
  (await fetchAll<Line>(client, '/v1/tax/disposals')).map(
    ({ asset, code, adjustment }) => `${asset} ${code} ${adjustment}`,
  );
const issuesOf = (client: TestClient, kind: string) =>
  fetchAll<{ id: string; kind: string; asset: string; detail: string }>(client, `/v1/tax/issues?kind=${kind}`);

/** Returns everything calculated from the books, without the revision. */
/** Returns the books without the revision and the common names of assets, which only AAPL has. */
const fetchBooks = async (client: TestClient): Promise<string> =>
  (await allBooksOf(client)).replaceAll(/"revision":"\d+"|,"assetName":"[^"]*"/g, '');

async function investor(): Promise<TestClient> {
  const client = await app.register('PRO');
  await importCsv(client, euro);
  await importCsv(client, us);
  return client;
}

/** Checks that a full calculation finds no differences. */
async function expectSettled(client: TestClient): Promise<void> {
  expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
}

async function fetchRefusal(client: TestClient, body: object, path = '/v1/tax/settings') {
  const response = await client.request('PATCH', path, { body });
  return { status: response.status, ...((await response.json()) as { code: string; detail: string }) };
}

test('two names for one security have one holding and one wash sale until the setting is removed', async () => {
  const client = await investor();
  const before = await fetchBooks(client);
  expect(await fetchLines(client)).toEqual([`${isin}  0.00`]);
  await elect(client, same);
  await expectSettled(client);
  expect(await fetchLines(client)).toEqual(['AAPL W 500.00']);
  const together = await fetchBooks(client);
  const rows = await fetchTransactions(client);
  expect(rows.map(({ asset, statedNames }) => [asset, statedNames])).toEqual([
    ['AAPL', { asset: isin }],
    ['AAPL', { asset: isin }],
    ['AAPL', undefined],
  ]);
  expect((await fetchTransactions(client, `?asset=${isin}`)).length).toBe(2);
  expect((await fetchTransactions(client, '?q=us0378')).length).toBe(2);
  const { data } = await client.json<{ data: { asset: string; otherNames: string[] }[] }>('GET', '/v1/tax/assets');
  expect(data.map(({ asset, otherNames }) => [asset, otherNames])).toEqual([['AAPL', [isin]]]);
  // The same files are recognized, and a later file uses the setting.
  expect(await importCsv(client, euro)).toMatchObject({ imported: 0, duplicates: 2 });
  const { id } = await importCsv(client, `${header}2024-07-01,sell,Depot,${isin},1,170,,,,d3\n`);
  await expectSettled(client);
  await client.json('DELETE', `/v1/imports/${id}`);
  expect(await fetchBooks(client)).toBe(together);
  await elect(client, other);
  await expectSettled(client);
  expect(await fetchBooks(client)).toBe(before);
  expect((await fetchTransactions(client)).every(({ statedNames }) => statedNames === undefined)).toBe(true);
  await client.json('PATCH', '/v1/tax/assets', { body: same.assets });
  expect(await fetchBooks(client)).toBe(together);
  await expectRoundTrip(app, client);
});

test('a correction keeps the name of the row, and undoing it under other settings does too', async () => {
  const client = await investor();
  await elect(client, same);
  const [, sale] = await fetchTransactions(client);
  const path = `/v1/transactions/${sale?.id}`;
  await client.json('PATCH', path, { body: { note: 'Checked.', asset: 'AAPL' } });
  expect((await fetchTransactions(client))[1]).toMatchObject({
    asset: 'AAPL',
    statedNames: { asset: isin },
    note: 'Checked.',
  });
  await elect(client, other);
  expect((await fetchTransactions(client))[1]).toMatchObject({ asset: isin, note: 'Checked.' });
  const story = await client.json<{ history: { editId: string; members: object[] }[] }>('GET', path);
  expect(story.history.map(({ members }) => members)).toEqual([[{ member: 'note', before: '', now: 'Checked.' }]]);
  await elect(client, same);
  await client.json('POST', `/v1/transactions/edits/${story.history[0]?.editId}/undo`);
  expect((await fetchTransactions(client))[1]).toMatchObject({ asset: 'AAPL', statedNames: { asset: isin } });
  await expectSettled(client);
  // The export contains the imported names.
  const csv = await (await client.request('GET', '/v1/transactions/export')).text();
  expect(csv.split('\n').filter((line) => line.includes(isin)).length).toBe(2);
});

test('a locked year refuses the setting, and nothing changes', async () => {
  const client = await investor();
  await client.json('POST', '/v1/tax/years/2024/lock');
  const before = await fetchBooks(client);
  expect(await fetchRefusal(client, same)).toMatchObject({ status: 409, code: 'year_locked' });
  expect(await fetchRefusal(client, same.assets, '/v1/tax/assets')).toMatchObject({ status: 409, code: 'year_locked' });
  expect(await fetchBooks(client)).toBe(before);
  expect(await client.json<{ assets: object }>('GET', '/v1/tax/settings')).toMatchObject({ assets: {} });
});

test('only users who can change the books can change the setting, each for their own books', async () => {
  const [client, stranger, cpa] = [await investor(), await app.register('PRO'), await app.register('CPA')];
  const before = await fetchBooks(client);
  await elect(stranger, same);
  const id = await grantAccess(app, cpa, client, 'viewer');
  expect((await cpa.request('PATCH', `/v1/tax/settings?client=${id}`, { body: same })).status).toBe(403);
  expect((await stranger.request('PATCH', `/v1/tax/settings?client=${id}`, { body: same })).status).toBe(404);
  expect(await fetchBooks(client)).toBe(before);
  expect((await fetchTransactions(client)).some(({ statedNames }) => statedNames !== undefined)).toBe(false);
});

test('rows that show two securities prevent the setting: another class, or an exchange of one for the other', async () => {
  const client = await investor();
  await importCsv(client, `${header}2024-02-01,buy,Wallet,BTC,1,40000,,,,w1\n`);
  const coin = await fetchRefusal(client, { assets: { [isin]: { sameAs: 'BTC' } } });
  expect(coin).toMatchObject({ status: 422, detail: expect.stringContaining('is a stock and BTC is a coin') });
  const { id } = await importCsv(client, `${header}2024-07-01,merger,Depot,${isin},,,AAPL,,1:2,m1\n`);
  expect(await fetchRefusal(client, same)).toMatchObject({
    status: 422,
    detail: expect.stringContaining(`merger of 2024-07-01 exchanges ${isin} for AAPL`),
  });
  await client.json('DELETE', `/v1/imports/${id}`);
  await elect(client, same);
  // In a later file, a row that exchanges one name for the other is rejected.
  const merger = await importCsv(
    client,
    `${header}2024-07-01,merger,Depot,${isin},,,AAPL,,1:2,m1\n2024-07-02,buy,Depot,${isin},1,180,,,,m2\n`,
  );
  expect(merger).toMatchObject({ imported: 1, rejected: 1 });
  const entered = {
    date: '2024-07-01',
    type: 'merger',
    account: 'Depot',
    asset: isin,
    receivedAsset: 'AAPL',
    ratio: '1:2',
  };
  expect((await client.request('POST', '/v1/transactions', { body: entered })).status).toBe(422);
});

test('a rename of one name to the other is a row of one security that moves nothing', async () => {
  const client = await investor();
  await elect(client, same);
  const before = await fetchBooks(client);
  await importCsv(client, `${header}2024-05-01,rename,,${isin},,,AAPL,,,r1\n`);
  expect(await fetchBooks(client)).toBe(before);
  await expectSettled(client);
});

test('positions and prices under the other name apply to the security', async () => {
  const client = await investor();
  const stated = { account: 'Schwab', asset: isin, on: '2024-12-31', quantity: '10' };
  await client.json('POST', '/v1/balances', { body: stated }, 201);
  expect((await issuesOf(client, 'balance_differs')).map(({ asset }) => asset)).toEqual([isin]);
  await elect(client, same);
  expect(await issuesOf(client, 'balance_differs')).toEqual([]);
  // Both names have a balance on one day, as for two securities. Each balance is compared with all units.
  await client.json('POST', '/v1/balances', { body: { ...stated, quantity: '4' } }, 201);
  await client.json('POST', '/v1/balances', { body: { ...stated, asset: 'AAPL', quantity: '6' } }, 201);
  const issues = await issuesOf(client, 'balance_differs');
  expect(issues.map(({ asset }) => asset)).toEqual(['AAPL', 'AAPL']);
  expect(issues.map(({ detail }) => detail).join()).toContain(` reported 4 ${isin} at the end of 2024-12-31.`);
  await expectSettled(client);
  await importCsv(client, 'date,type,account,asset,quantity,amount,id\n2024-08-01,inherit,Schwab,AAPL,1,,i1\n');
  const prices = `date,asset,usd\n2024-08-01,${isin},199.5\n`;
  await client.json('POST', '/v1/prices', { body: prices, headers: { 'content-type': 'text/csv' } }, 201);
  const lots = async (): Promise<string[]> =>
    (await fetchAll<{ acquired: string; basis: string }>(client, '/v1/tax/lots')).map(({ basis }) => basis).sort();
  expect(await lots()).toContain('199.50');
  await elect(client, other);
  expect(await lots()).not.toContain('199.50');
  await elect(client, same);
  expect(await lots()).toContain('199.50');
  await expectSettled(client);
});

test('a planned sale under the other name sells the holding, and an answer about a row survives the setting', async () => {
  const client = await app.register('PRO');
  await importCsv(
    client,
    `${header}2024-01-02,deposit,Depot,${isin},10,,,,,d1\n2024-06-03,sell,Depot,${isin},4,900,,,,d2\n`,
  );
  const [missing] = await issuesOf(client, 'basis_missing');
  await client.json('POST', `/v1/tax/issues/${missing?.id}/resolve`, {
    body: { action: 'basis', basis: '700', acquired: '2020-01-01' },
  });
  const before = await fetchBooks(client);
  await elect(client, same);
  expect(await fetchBooks(client)).toBe(before.replaceAll(isin, 'AAPL'));
  const body = { sales: [{ asset: isin, quantity: '2', price: '200', date: '2024-07-01' }] };
  expect(await client.json('POST', '/v1/tax/what-if', { body })).toMatchObject({ sales: [{ asset: 'AAPL' }] });
});

test('a trade in two files of one account under two names is a possible duplicate while the names are linked', async () => {
  const client = await app.register('PRO');
  await importCsv(
    client,
    `${header}2024-01-02,buy,Depot,${isin},10,2000,,,,\n2024-01-02,buy,Depot,${isin},10,2000,,,,\n`,
  );
  await importCsv(client, `${header}2024-01-02,buy,Depot,AAPL,10,2000,,,,\n2024-01-03,buy,Depot,AAPL,10,2000,,,,\n`);
  const pairs = async (): Promise<number> => (await fetchAll(client, '/v1/imports/possible-duplicates')).length;
  expect(await pairs()).toBe(0);
  await elect(client, same);
  expect(await pairs()).toBe(1);
  await elect(client, other);
  expect(await pairs()).toBe(0);
});
