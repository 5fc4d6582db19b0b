import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { importIntoAccount } from '../../src/features/ledger/archives/archive-import.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { type Cells, fetchAll, importCsv } from '../support/books.ts';
import { expectRoundTrip, fetchAccountIds } from '../support/round-trip.ts';

/**
 * Archives written by the code of earlier versions, from made-up rows that touch most tables. Until 0.1.0 is released,
 * archives are how users move from one version to the next, so every later version must import each of them. Each file
 * is named after the commit that wrote it and never changes. The expected figures are written out here rather than
 * computed.
 */
const folder = join(import.meta.dir, '../released/archives');

let app: TestApp;
let client: TestClient;
beforeAll(async () => {
  app = await testApp();
  client = await app.register('PRO');
  const archive = Bun.file(join(folder, 'f1732dfc.zip'));
  await importIntoAccount(app.deps, archive, await fetchAccountIds(app, client));
});
afterAll(() => app.close());

test('every archive in the folder has expected figures in this file', () => {
  expect(readdirSync(folder)).toEqual(['f1732dfc.zip']);
});

test('an archive from f1732dfc has the expected figures for its years', async () => {
  const figures = [];
  for (const year of [2023, 2024]) {
    const summary = await client.json<{ shortTerm: Cells; longTerm: Cells; total: Cells }>(
      'GET',
      `/v1/tax/summary?year=${year}`,
    );
    figures.push([
      year,
      summary.total.proceeds,
      summary.total.adjustment,
      summary.shortTerm.gain,
      summary.longTerm.gain,
    ]);
  }
  expect(figures).toEqual([
    [2023, '600.00', '0.00', '200.00', '0.00'],
    [2024, '23804.82', '100.00', '10746.57', '589.85'],
  ]);
});

test('an archive from f1732dfc has the expected lines and open lots', async () => {
  const sold = await fetchAll<Cells>(client, '/v1/tax/disposals');
  expect(sold.map(({ sold, asset, proceeds, basis, gain }) => [sold, asset, proceeds, basis, gain].join(' '))).toEqual([
    '2023-06-03 AAPL 600.00 400.00 200.00',
    '2024-03-01 AAPL 100.00 200.00 0.00',
    '2024-06-03 KO 1400.00 1000.00 400.00',
    '2024-07-07 BTC 20000.07 10000.00 10000.07',
    '2024-07-09 QZXCOIN 30.00 20.00 10.00',
    '2024-08-05 SAP 764.75 538.25 226.50',
    '2024-11-01 VOO 520.00 500.00 20.00',
    '2024-11-03 MSFT 900.00 310.15 589.85',
    '2024-11-04 NVDA 90.00 0.00 90.00',
  ]);
  const lots = await fetchAll<Cells>(client, '/v1/tax/lots');
  expect(lots.map(({ acquired, asset, quantity, basis }) => [acquired, asset, quantity, basis].join(' '))).toEqual([
    '2023-01-02 AAPL 4 400.00',
    '2024-02-02 BTC 0.25 10000.00',
    '2024-02-03 QZXCOIN 60 30.00',
    '2024-03-10 AAPL 2 190.00',
    '2024-10-01 VOO 2 1000.00',
  ]);
});

test('an archive from f1732dfc has the expected issues and answers', async () => {
  const [open, resolved, accepted] = await Promise.all(
    ['open', 'resolved', 'accepted'].map((status) => fetchAll<Cells>(client, `/v1/tax/issues?status=${status}`)),
  );
  const issues = [...(open ?? []), ...(resolved ?? []), ...(accepted ?? [])];
  const lines = issues.map(({ kind, asset, status, dollars }) => [kind, asset, status, dollars].join(' '));
  expect(lines).toEqual(
    expect.arrayContaining([
      'balance_differs BTC open ',
      'oversold MSFT resolved 900.00',
      'oversold NVDA accepted 90.00',
      'row_differs KO open 100.00',
      'rejected_line  open 1.00',
    ]),
  );
});

test('an archive from f1732dfc keeps its settings, lock, notes, edits and files', async () => {
  expect(await client.json('GET', '/v1/tax/settings')).toMatchObject({ method: 'HIFO', filingStatus: 'mfj' });
  expect(await client.json('GET', '/v1/account')).toMatchObject({ timeZone: 'America/New_York' });
  const years = await fetchAll<{ year: number; locked: unknown }>(client, '/v1/tax/years');
  expect(years.map(({ year, locked }) => [year, locked !== null && locked !== false])).toEqual([
    [2023, true],
    [2024, false],
  ]);
  const notes = await fetchAll<Cells>(client, '/v1/tax/notes?year=2024');
  expect(notes.map(({ text }) => text)).toEqual(['Ask about SAP.']);
  const edits = await fetchAll<Cells>(client, '/v1/transactions/edits');
  expect(edits.map(({ action }) => action)).toEqual(['delete', 'change']);
  const imports = await fetchAll<{ id: string; rows: number }>(client, '/v1/imports');
  expect(imports.map(({ rows }) => rows).toSorted((a, b) => a - b)).toEqual([2, 3, 3, 5, 5, 10]);
  const { differences } = await client.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', { body: {} });
  expect(differences).toEqual([]);
});

test('an archive from f1732dfc is identical when this version exports it again', async () => {
  const copy = await expectRoundTrip(app, client);
  const again = 'date,type,account,asset,quantity,amount,currency,note\n2024-02-02,buy,Kraken,BTC,0.5,20000,USD,\n';
  expect(await importCsv(copy, again)).toMatchObject({ imported: 0, duplicates: 1 });
});
