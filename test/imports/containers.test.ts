import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, fetchAll, type ImportResource, importCsv } from '../support/books.ts';
import { pdf } from '../support/pdf-file.ts';
import { workbook, zip } from '../support/workbook.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const trades = csvOf('buy 2024-01-02 10 X @1000', 'sell 2024-03-04 4 X @500');
const more = csvOf('buy 2024-02-01 3 Y @90');
const zipType = { 'content-type': 'application/zip' };

async function send(who: TestClient, name: string, bytes: Uint8Array, query = ''): Promise<Response> {
  const form = new FormData();
  form.set('file', new File([Uint8Array.from(bytes)], name));
  return who.request('POST', `/v1/transactions/import${query}`, { body: form });
}

const assets = async (who: TestClient) =>
  (await fetchAll<{ asset: string }>(who, '/v1/transactions')).map(({ asset }) => asset).sort();

test('a ZIP with one table is imported, named after both, and its rows are duplicates of the table alone', async () => {
  const who = await app.register();
  const stored = (await (await send(who, 'export.zip', await zip({ 'trades.csv': trades }))).json()) as ImportResource;
  expect(stored).toMatchObject({ status: 'completed', fileName: 'export.zip/trades.csv', transactions: 2 });
  expect(stored).toMatchObject({ bytes: trades.length });
  expect(await importCsv(who, trades)).toMatchObject({ transactions: 0, duplicates: 2 });
  const file = await who.request('GET', `/v1/imports/${stored.id}/file`);
  expect(await file.text()).toBe(trades);
  const reread = await who.json<{ import: ImportResource }>('POST', `/v1/imports/${stored.id}/reread`, {
    body: { apply: true },
  });
  expect(reread.import).toMatchObject({ fileName: 'export.zip/trades.csv', rows: 2 });
});

test('a file with several tables is asked for, and then sent once for each', async () => {
  const who = await app.register();
  const sheets = [
    {
      name: 'Trades',
      rows: trades
        .trimEnd()
        .split('\n')
        .map((line) => line.split(',')),
    },
    {
      name: 'More',
      rows: more
        .trimEnd()
        .split('\n')
        .map((line) => line.split(',')),
    },
  ];
  const bytes = await workbook(sheets);
  const asked = await send(who, 'book.xlsx', bytes);
  expect(asked.status).toBe(422);
  expect(await asked.json()).toMatchObject({
    code: 'ambiguous_file',
    parameter: 'part',
    readings: [{ value: 'Trades' }, { value: 'More' }],
  });
  expect(await assets(who)).toEqual([]);
  for (const { name } of sheets) {
    const stored = await send(who, 'book.xlsx', bytes, `?part=${name}`);
    expect((await stored.json()) as ImportResource).toMatchObject({ fileName: `book.xlsx/${name}` });
  }
  expect(await assets(who)).toEqual(['X', 'X', 'Y']);
});

test('a file of an unknown format in a ZIP is refused with its first rows', async () => {
  const who = await app.register();
  const unknown = 'When,What,Coin,Units,Dollars\n2024-01-02,Bought,BTC,1,40000\n';
  const response = await send(who, 'export.zip', await zip({ 'mine.csv': unknown }));
  const problem = (await response.json()) as { code: string; firstRows: unknown };
  expect(problem.code).toBe('unknown_format');
  expect(problem.firstRows).toEqual([
    { line: 1, cells: ['When', 'What', 'Coin', 'Units', 'Dollars'] },
    { line: 2, cells: ['2024-01-02', 'Bought', 'BTC', '1', '40000'] },
  ]);
});

test('the body may be the packed file itself, and what it unpacks to counts toward the plan', async () => {
  const who = await app.register();
  const path = '/v1/transactions/import';
  const sent = await who.request('POST', path, { body: await zip({ 'trades.csv': trades }), headers: zipType });
  expect(sent.status).toBe(201);
  const gzip = { 'content-type': 'application/gzip' };
  expect((await who.request('POST', path, { body: gzipSync(more), headers: gzip })).status).toBe(201);
  const { quotas } = await who.json<{ quotas: { importBytes: { used: number } } }>('GET', '/v1/status');
  expect(quotas.importBytes.used).toBe(trades.length + more.length);
});

const document = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(join(import.meta.dir, '../fixtures/documents', name)));

interface Line {
  readonly asset: string;
  readonly soldOn: string;
  readonly proceeds: string;
  readonly costBasis: string;
  readonly gain: string;
}

/** Returns the lines of all sales, without their ids. */
async function salesOf(who: TestClient): Promise<unknown[]> {
  const lines = await fetchAll<Line>(who, '/v1/tax/disposals');
  return lines.map(({ asset, soldOn, proceeds, costBasis, gain }) => ({ asset, soldOn, proceeds, costBasis, gain }));
}

test('an OFX file gives the gains of the CSV of its account, and its rows are duplicates of it', async () => {
  const [one, other] = [await app.register(), await app.register()];
  const ofx = await (await send(one, 'a.ofx', document('fidelity.ofx'))).json();
  const csv = (await (await send(other, 'a.csv', document('fidelity.csv'))).json()) as { transactions: number };
  expect(ofx).toMatchObject({ status: 'completed', format: 'ofx', fileName: 'a.ofx', transactions: csv.transactions });
  const sales = await salesOf(one);
  expect(sales).toEqual(await salesOf(other));
  expect(sales.length).toBeGreaterThan(1);
  // The same file adds nothing, and the other kind of file of the same account has the same rows.
  expect(await (await send(one, 'again.ofx', document('fidelity.ofx'))).json()).toMatchObject({ transactions: 0 });
  expect(await salesOf(one)).toEqual(sales);
  for (const [who, name, file] of [
    [one, 'a.csv', 'fidelity.csv'],
    [other, 'a.ofx', 'fidelity.ofx'],
  ] as const) {
    const both = await (await send(who, name, document(file))).json();
    expect(both).toMatchObject({ transactions: 0, imported: 0, possibleDuplicates: 0 });
    expect(await salesOf(who)).toEqual(sales);
  }
});

test('a trade that only the CSV beside an OFX file has is stored, even if it equals another one', async () => {
  const who = await app.register();
  await send(who, 'a.ofx', document('fidelity.ofx'));
  const lines = new TextDecoder().decode(document('fidelity.csv')).trimEnd().split('\n');
  const sale = lines
    .find((line) => line.includes('YOU SOLD COCA-COLA'))
    ?.replace(',-60,', ',-20,')
    .replace('3803.9', '1267.9');
  const bought = lines.find((line) => line.includes('YOU BOUGHT COCA-COLA'));
  const csv = [...lines, sale, bought].join('\n');
  const both = await (await send(who, 'a.csv', new TextEncoder().encode(csv))).json();
  expect(both).toMatchObject({ transactions: 2, duplicates: 8, possibleDuplicates: 0 });
  const stored = await fetchAll<{ asset: string; type: string; quantity: string }>(who, '/v1/transactions');
  const trades = stored.filter(({ asset, quantity }) => asset === 'KO' && quantity !== null);
  expect(trades.map(({ type, quantity }) => `${type} ${quantity}`).sort()).toEqual(
    ['buy 0.2', 'buy 100', 'buy 100', 'sell 20', 'sell 60'].sort(),
  );
});

test('a CSV without an account number beside an OFX file gives possible duplicates, and one of another account none', async () => {
  const [one, other] = [await app.register(), await app.register()];
  const csv = (account: string): Uint8Array =>
    new TextEncoder().encode(
      new TextDecoder().decode(document('fidelity.csv')).replaceAll('Fidelity ...0321', account),
    );
  for (const who of [one, other]) await send(who, 'a.ofx', document('fidelity.ofx'));
  const { transactions } = (await (await send(one, 'a.csv', csv('Fidelity'))).json()) as { transactions: number };
  expect(transactions).toBeGreaterThan(0);
  const { data } = await one.json<{ data: readonly unknown[] }>('GET', '/v1/imports/possible-duplicates?limit=100');
  expect(data).toHaveLength(transactions);
  expect(await (await send(other, 'a.csv', csv('Fidelity ...9999'))).json()).toMatchObject({ possibleDuplicates: 0 });
});

test('a Flex query in XML gives the gains of its CSV', async () => {
  const [one, other] = [await app.register(), await app.register()];
  const xml = await (await send(one, 'flex.xml', document('flex-activity.xml'))).json();
  expect(xml).toMatchObject({ status: 'completed', format: 'ibkr-flex', fileName: 'flex.xml', rejected: 0 });
  await send(other, 'flex.csv', document('flex-activity.csv'));
  expect(await salesOf(one)).toEqual(await salesOf(other));
  expect((await assets(one)).length).toBeGreaterThan(1);
  expect(await (await send(one, 'again.xml', document('flex-activity.xml'))).json()).toMatchObject({ transactions: 0 });
  const type = { 'content-type': 'application/xml' };
  const damaged = { body: document('flex-activity.xml').slice(0, 1_500), headers: type };
  expect((await other.request('POST', '/v1/transactions/import', damaged)).status).toBe(422);
});

test('a PDF with an FDX document stores its lines, and one without is refused with the way to a CSV', async () => {
  const who = await app.register();
  const sale = { dateAcquired: '2024-01-05', dateOfSale: '2024-03-05', salesPrice: 500, costBasis: 400 };
  const securityDetails = [{ checkboxOnForm8949: 'A', symbol: 'ACME', numberOfShares: 4, ...sale }];
  const content = JSON.stringify({ tax1099B: { taxYear: 2024, payer: { name1: 'Broker' }, securityDetails } });
  const stored = await send(who, '1099.pdf', pdf([{ name: '1099.json', content }]));
  expect(await stored.json()).toMatchObject({ status: 'completed', fileName: '1099.pdf/1099.json', transactions: 1 });
  const [line] = await fetchAll<{ type: string; asset: string }>(who, '/v1/transactions');
  expect(line).toMatchObject({ type: 'reported_sale', asset: 'ACME', amount: '500.00' });
  const empty = await send(who, 'letter.pdf', pdf([]));
  expect(empty.status).toBe(422);
  expect(((await empty.json()) as { detail: string }).detail).toStartWith('This PDF has no tax data attached (FDX)');
  expect(await assets(who)).toEqual(['ACME']);
});

test('a damaged OFX file stores nothing', async () => {
  const who = await app.register();
  const response = await send(who, 'a.ofx', document('schwab.qfx').slice(0, 9_000));
  expect(response.status).toBe(422);
  expect(((await response.json()) as { detail: string }).detail).toStartWith('This OFX file is damaged: on line ');
  expect(await assets(who)).toEqual([]);
});
