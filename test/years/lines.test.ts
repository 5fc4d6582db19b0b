import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { type Cells, csvOf, importCsv, type ListResponse } from '../support/books.ts';

interface LinesResponse extends ListResponse<Cells> {
  readonly totals: { readonly gain: string; readonly adjustment: string; readonly count: number } | null;
}

let app: TestApp;
let client: TestClient;
let importId: string;
beforeAll(async () => {
  app = await testApp();
  client = await app.register('PRO');
  const { id } = await importCsv(
    client,
    csvOf(
      'buy 2022-01-03 100 X @1000',
      'sell 2024-02-05 10 X @150',
      'sell 2024-02-20 10 X @70',
      'buy 2024-02-25 4 X @30',
      'buy 2024-01-10 10 50%_Y @500 !Other',
      'sell 2024-03-04 10 50%_Y @900 ~1 !Other',
      'sell 2025-03-03 10 X @100',
    ),
  );
  importId = id;
  await importCsv(client, csvOf('buy 2024-05-01 5 Z @50', 'sell 2024-06-03 5 Z @45'));
});
afterAll(() => app.close());

const ask = (query: string) => client.json<LinesResponse>('GET', `/v1/tax/disposals?${query}`);
const fetchGains = async (query: string) => (await ask(query)).data.map(({ gain }) => gain);

describe('the lines that match a filter', () => {
  test.each([
    ['year=2024', ['50.00', '-18.00', '399.00', '-5.00']],
    ['year=2024&from=2024-02-01&to=2024-03-01', ['50.00', '-18.00']],
    ['from=2024-06-01', ['-5.00', '0.00']],
    ['asset=50%25_Y', ['399.00']],
    ['account=Broker&year=2024&term=long', ['50.00', '-18.00']],
    ['term=short', ['399.00', '-5.00']],
    ['box=F&year=2025', ['0.00']],
    ['code=W', ['-18.00']],
    ['code=L', []],
    ['q=oth', ['399.00']],
    ['q=%25', ['399.00']],
  ])('%s', async (query, gains) => {
    expect(await fetchGains(query)).toEqual(gains);
  });

  test('include those that an import sold or bought', async () => {
    expect(await fetchGains(`importId=${importId}`)).toEqual(['50.00', '-18.00', '399.00', '0.00']);
    const later = await importCsv(client, csvOf('sell 2026-01-05 1 X @20'));
    expect(await fetchGains(`importId=${later.id}`)).toEqual(['10.00']);
    expect(await fetchGains(`importId=${importId}&year=2026`)).toEqual(['10.00']);
    expect(await fetchGains('importId=nothing')).toEqual([]);
    await client.request('DELETE', `/v1/imports/${later.id}`);
  });

  test('have totals, which equal the summary for a whole year', async () => {
    const { total } = await client.json<{ total: object }>('GET', '/v1/tax/summary?year=2024');
    expect((await ask('year=2024&limit=1')).totals).toEqual(total as LinesResponse['totals']);
    expect((await ask('code=W')).totals).toMatchObject({ adjustment: '12.00', gain: '-18.00', count: 1 });
    expect((await ask('asset=nothing')).totals).toMatchObject({ gain: '0.00', count: 0 });
  });

  test.each([
    ['gain', ['-18.00', '-5.00', '0.00', '50.00', '399.00']],
    ['-gain', ['399.00', '50.00', '0.00', '-5.00', '-18.00']],
    ['proceeds', ['-5.00', '-18.00', '0.00', '50.00', '399.00']],
    ['-proceeds', ['399.00', '50.00', '0.00', '-18.00', '-5.00']],
    ['acquired', ['50.00', '-18.00', '0.00', '399.00', '-5.00']],
    ['basis', ['-5.00', '50.00', '-18.00', '0.00', '399.00']],
    ['-adjustment', ['-18.00', '0.00', '-5.00', '399.00', '50.00']],
    ['asset', ['399.00', '50.00', '-18.00', '0.00', '-5.00']],
    ['-asset', ['-5.00', '0.00', '-18.00', '50.00', '399.00']],
    ['-date', ['0.00', '-5.00', '399.00', '-18.00', '50.00']],
    ['date', ['50.00', '-18.00', '399.00', '-5.00', '0.00']],
  ])('are sorted by %s over pages of two, and only the first page has totals', async (sort, gains) => {
    const walked: Cells[] = [];
    const totals: (number | undefined)[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: LinesResponse = await ask(`sort=${sort}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      walked.push(...page.data);
      totals.push(page.totals?.count);
      cursor = page.nextCursor;
    }
    expect(walked.map(({ gain }) => gain)).toEqual(gains);
    expect(totals).toEqual([5, undefined, undefined]);
  });

  test.each([
    ['code=w', 422],
    ['sort=size', 422],
    ['from=2024-02-30', 422],
    ['sort=gain&cursor=WyJ4Il0', 400],
  ])('%s is refused', async (query, status) => {
    expect((await client.request('GET', `/v1/tax/disposals?${query}`)).status).toBe(status);
  });
});

test('open lots are valued at the newest price or trade, as of a day', async () => {
  const { data } = await client.json<ListResponse<Cells>>('GET', '/v1/tax/lots?asset=X');
  expect(data).toMatchObject([
    { quantity: '70', value: '700.00', unrealized: '0.00', valuedBy: { source: 'transaction', date: '2025-03-03' } },
    { quantity: '4', basis: '42.00', value: '40.00', unrealized: '-2.00', assetClass: 'stock' },
  ]);
  const before = await client.json<ListResponse<Cells>>('GET', '/v1/tax/lots?asset=X&asOf=2023-12-31');
  expect(before.data).toMatchObject([{ quantity: '100', value: '1000.00' }]);
  await client.json('POST', '/v1/prices', {
    body: 'date,asset,usd\n2025-06-30,X,12.5\n',
    headers: { 'content-type': 'text/csv' },
  });
  const priced = await client.json<ListResponse<Cells>>('GET', '/v1/tax/lots?asset=X');
  expect(priced.data).toMatchObject([
    { value: '875.00', unrealized: '175.00' },
    { value: '50.00', unrealized: '8.00' },
  ]);
});
