import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import {
  type Cells,
  csvOf,
  elect,
  fetchAll,
  fetchBookContent,
  importCsv,
  type ListResponse,
} from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const washed = csvOf(
  'buy 2024-01-02 100 X @1000 #b1',
  'sell 2024-12-20 100 X @700 ~10 #s1',
  'buy 2025-01-10 40 X @300 #b2',
  'sell 2025-06-02 40 X @500 #s2',
);

async function withBooks(csv = washed): Promise<TestClient> {
  const client = await app.register('PRO');
  await importCsv(client, csv);
  return client;
}

async function refusal(client: TestClient, method: string, path: string, body?: object): Promise<[number, unknown]> {
  const response = await client.request(method, path, body === undefined ? {} : { body });
  return [response.status, ((await response.json()) as Cells).code];
}

describe('the summary for a year', () => {
  test('has the documented fields, in dollars and cents', async () => {
    const client = await withBooks();
    const summary = await client.json('GET', '/v1/tax/summary?year=2024');
    expect(summary).toMatchObject({
      year: 2024,
      method: 'FIFO',
      shortTerm: { proceeds: '690.00', basis: '1000.00', adjustment: '124.00', gain: '-186.00', count: 1 },
      longTerm: { proceeds: '0.00', basis: '0.00', adjustment: '0.00', gain: '0.00', count: 0 },
      total: { proceeds: '690.00', basis: '1000.00', adjustment: '124.00', gain: '-186.00', count: 1 },
      washSaleDisallowed: '124.00',
      boxes: [{ box: 'C', gain: '-186.00' }],
      assets: [{ asset: 'X', assetClass: 'stock', count: 1 }],
      income: [],
      carryover: { in: { short: '0.00', long: '0.00' }, out: { short: '0.00', long: '0.00' }, deductible: '186.00' },
      issues: 0,
      asOf: '2025-06-02',
    });
    expect(await client.json('GET', '/v1/tax/summary?year=2025')).toMatchObject({
      total: { basis: '424.00', gain: '76.00' },
    });
  });

  test('contains zeros without activity', async () => {
    const client = await app.register('PRO');
    const summary = await client.json<{ total: object; revision: string; asOf: null }>(
      'GET',
      '/v1/tax/summary?year=1999',
    );
    expect(summary.total).toEqual({ proceeds: '0.00', basis: '0.00', adjustment: '0.00', gain: '0.00', count: 0 });
    expect(summary).toMatchObject({ boxes: [], assets: [], income: [], issues: 0, revision: '0', asOf: null });
  });

  test('returns 304 until the books or the elections change, and 200 after that', async () => {
    const client = await withBooks();
    const ask = (etag: string) =>
      client.request('GET', '/v1/tax/summary?year=2024', { headers: { 'if-none-match': etag } });
    const etag = (await ask('"other"')).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    const same = await ask(etag);
    expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag]);
    const { id } = await importCsv(client, csvOf('buy 2025-07-01 1 Y @1'));
    expect((await ask(etag)).status).toBe(200);
    await client.request('DELETE', `/v1/imports/${id}`);
    expect((await ask(etag)).status).toBe(304);
    await elect(client, { wholeDollars: true });
    expect((await ask(etag)).status).toBe(200);
  });

  const wrong: [string, number, string][] = [
    ['', 422, 'invalid'],
    ['?year=1899', 422, 'invalid'],
    ['?year=abc', 422, 'invalid'],
    ['?year=2024&years=2', 400, 'unknown_parameter'],
    ['?year=2024&client=00000000-0000-4000-8000-000000000000', 404, 'not_found'],
  ];
  for (const [query, status, code] of wrong) {
    test(`refuses "${query}"`, async () => {
      expect(await refusal(await app.register('PRO'), 'GET', `/v1/tax/summary${query}`)).toEqual([status, code]);
    });
  }

  test('carries losses forward, also through years without activity, from the carryover in the settings', async () => {
    const client = await withBooks(
      csvOf(
        'buy 2021-01-04 1 X @20000',
        'sell 2021-06-01 1 X @10000',
        'buy 2023-01-03 1 Y @1',
        'sell 2023-02-03 1 Y @2',
      ),
    );
    const carryover = async (year: number) =>
      (await client.json<{ carryover: object }>('GET', `/v1/tax/summary?year=${year}`)).carryover;
    expect(await carryover(2021)).toEqual({ in: zero, out: short('7000.00'), deductible: '3000.00' });
    expect(await carryover(2022)).toEqual({ in: short('7000.00'), out: short('4000.00'), deductible: '3000.00' });
    expect(await carryover(2023)).toEqual({ in: short('4000.00'), out: short('999.00'), deductible: '3000.00' });
    expect(await carryover(2024)).toEqual({ in: short('999.00'), out: zero, deductible: '999.00' });
    await elect(client, { filingStatus: 'mfs', carryover: { 2021: { short: '0', long: '500.00' } } });
    expect(await carryover(2021)).toEqual({
      in: { short: '0.00', long: '500.00' },
      out: { short: '8500.00', long: '500.00' },
      deductible: '1500.00',
    });
    await elect(client, { filingStatusByYear: { 2021: 'hoh' } });
    expect(await carryover(2021)).toMatchObject({ out: { short: '7000.00', long: '500.00' }, deductible: '3000.00' });
    expect(await carryover(2022)).toMatchObject({ deductible: '1500.00' });
    expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
  });

  const zero = { short: '0.00', long: '0.00' };
  const short = (amount: string) => ({ short: amount, long: '0.00' });

  test('is available for a client with ?client=, and only to its CPA', async () => {
    const [cpa, other] = [await app.register('CPA'), await app.register('CPA')];
    const { id } = await cpa.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Ann' } }, 201);
    await importCsv(cpa, washed, `?client=${id}`);
    expect(await cpa.json('GET', `/v1/tax/summary?year=2024&client=${id}`)).toMatchObject({ total: { count: 1 } });
    expect(await cpa.json('GET', '/v1/tax/summary?year=2024')).toMatchObject({ total: { count: 0 } });
    expect(await refusal(other, 'GET', `/v1/tax/summary?year=2024&client=${id}`)).toEqual([404, 'not_found']);
  });
});

describe('the lines of Form 8949', () => {
  // Creates two lines a day, so pages end within a day, at its end and beyond it.
  test.each([1, 5])('are returned in pages of %i while rows are imported', async (limit) => {
    const sales = Array.from({ length: 12 }, (_, at) => `sell 2024-0${1 + (at % 6)}-15 ${at + 1} X @${at} #s${at}`);
    const client = await withBooks(csvOf('buy 2023-01-02 1000 X @1000', ...sales));
    const whole = await fetchAll<Cells>(client, '/v1/tax/disposals?year=2024');
    const walked: Cells[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: ListResponse<Cells> = await client.json('GET', `/v1/tax/disposals?year=2024&limit=${limit}${more}`);
      walked.push(...page.data);
      cursor = page.nextCursor;
      await importCsv(client, csvOf(`sell 2024-01-01 1 NEW${walked.length} @1`));
    }
    expect(walked.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
    expect(await fetchAll(client, '/v1/tax/disposals?year=2022')).toEqual([]);
  });

  test('are explained number by number, from the line in the file', async () => {
    const client = await withBooks();
    const [line] = await fetchAll<Cells>(client, '/v1/tax/disposals?year=2024');
    expect(line).toMatchObject({ code: 'W', adjustment: '124.00', gain: '-186.00' });
    const found = await client.json<{ sources: Cells[]; steps: Cells[]; washSales: Cells[]; disposal: object }>(
      'GET',
      `/v1/tax/disposals/${line?.id}/explain`,
    );
    expect(found.disposal).toEqual({ ...line });
    expect(found.sources).toMatchObject([
      { role: 'disposal', type: 'sell', line: 3, file: 'lotbook', amount: '700.00', fee: '10.00' },
      { role: 'lot', type: 'buy', line: 2 },
      { role: 'replacement', type: 'buy', line: 4 },
    ]);
    expect(found.washSales).toMatchObject([{ quantity: '40', disallowed: '124.00', permanent: false }]);
    expect(found.steps.map(({ column }) => column)).toEqual([
      '(a)',
      '(b)',
      '(c)',
      '(d)',
      '(e)',
      '(f), (g)',
      '(h)',
      'box',
    ]);
    expect(await refusal(client, 'GET', '/v1/tax/disposals/nothing/explain')).toEqual([404, 'not_found']);
    expect(await refusal(await app.register('PRO'), 'GET', `/v1/tax/disposals/${line?.id}/explain`)).toEqual([
      404,
      'not_found',
    ]);
  });
});

describe('open lots', () => {
  const csv = csvOf(
    'buy 2023-01-02 10 X @1000',
    'buy 2024-01-02 5 Y @50 !Other',
    'split 2024-06-03 - X',
    'sell 2024-07-01 4 X @500',
    'buy 2025-02-03 1 X @1',
  );

  test('can be listed as of the end of any day', async () => {
    const client = await withBooks(csv.replace(',split,', ',buy,').replace(',X,,,', ',X,1,1,'));
    const on = async (day: string) =>
      (await fetchAll<Cells>(client, `/v1/tax/lots?asOf=${day}`)).map(({ asset, quantity }) => `${quantity} ${asset}`);
    expect(await on('2022-12-31')).toEqual([]);
    expect(await on('2023-06-01')).toEqual(['10 X']);
    expect(await on('2024-06-30')).toEqual(['10 X', '5 Y', '1 X']);
    expect(await on('2024-12-31')).toEqual(['6 X', '5 Y', '1 X']);
    const now = await fetchAll<Cells>(client, '/v1/tax/lots');
    expect(await fetchAll<Cells>(client, '/v1/tax/lots?asOf=2100-12-31')).toEqual(now);
    expect(await fetchAll<Cells>(client, '/v1/tax/lots?asOf=2025-03-01', 1)).toEqual(now);
    expect(await fetchAll<Cells>(client, '/v1/tax/lots', 1)).toEqual(now);
    expect(await fetchAll<Cells>(client, '/v1/tax/lots?account=Other')).toMatchObject([{ asset: 'Y' }]);
    expect(await fetchAll<Cells>(client, '/v1/tax/lots?asset=Y&asOf=2024-02-01')).toMatchObject([{ asset: 'Y' }]);
    expect(await refusal(client, 'GET', '/v1/tax/lots?asOf=2024-02-30')).toEqual([422, 'invalid']);
  });
});

describe('elections', () => {
  test('have defaults, and a merge patch changes only the fields it contains', async () => {
    const client = await app.register('PRO');
    const defaults = await client.json('GET', '/v1/tax/settings');
    expect(defaults).toEqual({
      assets: {},
      method: 'FIFO',
      methodByAccount: {},
      methodFrom: [],
      digitalAssetScopeBefore2025: 'per_wallet',
      washSales: 'securities_and_tokenized',
      washSalesFrom: [],
      washAccounts: ['ira', 'roth_ira', 'hsa', '401k', 'spouse'],
      washSoldBefore: 'exclude',
      washPeriod: 'tacking',
      fragmentOrder: 'wash_adjusted_first',
      giftBetweenBases: 'basis_is_proceeds',
      transferFees: 'disposal',
      lateIdentification: 'method',
      mergerRows: 'cash_less_gain',
      columnB: 'held_when_term_differs',
      mergeRows: 'none',
      digitalAssetsInTxf: 'as_not_reported',
      standingOrders: [],
      accounts: {},
      wholeDollars: false,
      filingStatus: 'single',
    });
    await elect(client, { method: 'HIFO', accounts: { New: { type: 'ira' } }, taxableIncome: { 2024: '-100.5' } });
    const patched = await elect(client, { accounts: { Other: { type: 'taxable', form: '1099-B' } } });
    expect(patched).toMatchObject({
      method: 'HIFO',
      accounts: { New: { type: 'ira' }, Other: { type: 'taxable', form: '1099-B' } },
      taxableIncome: { 2024: '-100.5' },
    });
    expect(await elect(client, { method: null, accounts: null, taxableIncome: { 2024: null } })).toEqual(defaults);
  });

  const wrong: object[] = [
    { method: 'BEST' },
    { wholeDollars: 'yes' },
    { accounts: { A: { form: '1099-B' } } },
    { accounts: { A: { type: 'taxable', color: 'red' } } },
    { taxableIncome: { someday: '1' } },
    { taxableIncome: { 2024: 'much' } },
    {
      methodFrom: [
        { year: 2024, method: 'HIFO' },
        { year: 2024, method: 'LIFO' },
      ],
    },
    { carryover: { 2024: { short: '1' } } },
    { washSalesFrom: [{ date: '2025-02-30', washSales: 'all_assets' }] },
    { washAccounts: ['taxable'] },
    { standingOrders: [{ method: 'HIFO', madeAt: 'yesterday' }] },
    { standingOrders: [{ method: 'AVERAGE', madeAt: '2025-01-01' }] },
    { standingOrders: [{ method: 'HIFO', madeAt: '2025-01-01', from: '2025-13-01' }] },
    { accounts: { A: { type: 'ira', wallet: 'W' } } },
    { accounts: { A: { type: 'taxable', wallet: 'W' }, B: { type: 'spouse', wallet: 'W' } } },
    { nonsense: 1 },
  ];
  for (const patch of wrong) {
    test(`refuse ${JSON.stringify(patch)}`, async () => {
      const client = await app.register('PRO');
      expect(await refusal(client, 'PATCH', '/v1/tax/settings', patch)).toEqual([422, 'invalid']);
      expect(await client.json('GET', '/v1/tax/settings')).toMatchObject({ method: 'FIFO', accounts: {} });
    });
  }

  test('accept each switch, which changes the books and leaves no trace when it is removed', async () => {
    const client = await withBooks();
    const [defaults, before] = [await client.json('GET', '/v1/tax/settings'), await fetchBookContent(client)];
    const elected = {
      washSalesFrom: [{ date: '2024-06-01', washSales: 'securities_only' }],
      washAccounts: [],
      washSoldBefore: 'include',
      fragmentOrder: 'wash_adjusted_last',
      giftBetweenBases: 'donor_basis',
      transferFees: 'joins_basis',
      lateIdentification: 'accepted',
      mergerRows: 'all_received',
      standingOrders: [{ account: 'Broker', asset: 'X', method: 'HIFO', madeAt: '2024-01-01T12:00:00-05:00' }],
      accounts: { Broker: { type: 'taxable', wallet: 'Exchange' } },
    };
    expect(await elect(client, elected)).toMatchObject(elected);
    expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
    const { data } = await client.json<ListResponse<{ id: string }>>('GET', '/v1/tax/disposals?year=2024');
    const explained = await client.json('GET', `/v1/tax/disposals/${data[0]?.id}/explain`);
    expect(JSON.stringify(explained)).toContain('standing order');
    const back = Object.fromEntries(Object.keys(elected).map((name) => [name, null]));
    expect(await elect(client, back)).toEqual(defaults);
    expect(await fetchBookContent(client)).toBe(before);
  });

  test('are changed only if If-Match names the current version', async () => {
    const client = await app.register('PRO');
    const etag = (await client.request('GET', '/v1/tax/settings')).headers.get('etag') ?? '';
    const patch = (match: string) =>
      client.request('PATCH', '/v1/tax/settings', { body: { method: 'LIFO' }, headers: { 'if-match': match } });
    expect((await patch('"stale"')).status).toBe(412);
    const changed = await patch(etag);
    expect(changed.status).toBe(200);
    expect((await patch(etag)).status).toBe(412);
    expect(
      (
        await client.request('GET', '/v1/tax/settings', {
          headers: { 'if-none-match': changed.headers.get('etag') ?? '' },
        })
      ).status,
    ).toBe(304);
  });

  test('recalculate the books for another method, and removing the method restores the books byte for byte', async () => {
    const client = await withBooks(
      csvOf('buy 2023-01-02 1 X @10', 'buy 2023-02-02 1 X @30', 'sell 2023-03-02 1 X @20'),
    );
    const before = await fetchBookContent(client);
    await elect(client, { method: 'HIFO' });
    expect(await client.json('GET', '/v1/tax/summary?year=2023')).toMatchObject({
      method: 'HIFO',
      total: { gain: '-10.00' },
    });
    await elect(client, { method: 'LIFO', methodFrom: [{ year: 2023, method: 'FIFO' }] });
    expect(await client.json('GET', '/v1/tax/summary?year=2023')).toMatchObject({
      method: 'FIFO',
      total: { gain: '10.00' },
    });
    await elect(client, { method: null, methodFrom: null });
    expect(await fetchBookContent(client)).toBe(before);
  });

  test('move rows to other books when the asset class of an account changes, and their file is still recognized', async () => {
    const csv = csvOf(
      'buy 2024-01-02 10 ABC @100 #b1',
      'sell 2024-06-02 10 ABC @50 #s1',
      'buy 2024-06-10 10 ABC @60 #b2',
    );
    const client = await withBooks(csv);
    const before = await fetchBookContent(client);
    expect(await client.json('GET', '/v1/tax/summary?year=2024')).toMatchObject({ washSaleDisallowed: '50.00' });
    await elect(client, { accounts: { Broker: { type: 'taxable', assetClass: 'crypto' } } });
    // Crypto has no wash sales.
    expect(await client.json('GET', '/v1/tax/summary?year=2024')).toMatchObject({
      washSaleDisallowed: '0.00',
      assets: [{ asset: 'ABC', assetClass: 'crypto' }],
    });
    expect(await importCsv(client, csv)).toMatchObject({ imported: 0, duplicates: 3 });
    expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
    await elect(client, { accounts: null });
    expect(await fetchBookContent(client)).toBe(before);
  });
});
