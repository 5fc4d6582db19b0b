import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, importCsv, type ListResponse } from '../support/books.ts';

interface Row {
  readonly id: string;
  readonly date: string;
  readonly asset: string;
  readonly amount: string | null;
}
interface Days {
  readonly count: number;
  readonly days: readonly { readonly date: string; readonly count: number }[];
}

let app: TestApp;
let who: TestClient;
beforeAll(async () => {
  app = await testApp();
  who = await app.register();
  await importCsv(
    who,
    csvOf(
      'buy 2024-01-02 10 X @1000 !A #b1',
      'buy 2024-01-02 5 Y @500 !A #b2',
      'sell 2024-06-03 2 X @300 !B #s1',
      'sell 2025-06-03 2 Y @300 !A #s2',
    ),
  );
});
afterAll(() => app.close());

const list = (query: string) => who.json<ListResponse<Row> & { count?: number }>('GET', `/v1/transactions?${query}`);
const days = (query: string) => who.json<Days>('GET', `/v1/transactions/days?${query}`);

test('a count covers everything that matches the filter, and is returned only if requested', async () => {
  expect(await list('count=true&limit=1&asset=X')).toMatchObject({ count: 2, hasMore: true });
  expect(await list('limit=1')).not.toHaveProperty('count');
});

test('the days of a filter add up to its rows, and link to the rows by day and offset', async () => {
  const all = await days('');
  expect(all).toEqual({
    count: 4,
    days: [
      { date: '2024-01-02', count: 2 },
      { date: '2024-06-03', count: 1 },
      { date: '2025-06-03', count: 1 },
    ],
  });
  expect(await days('account=A&q=s2')).toMatchObject({ count: 1 });
  const first = await list('sort=-date&limit=10');
  const jumped = await list('sort=-date&to=2024-01-03&offset=1');
  expect(jumped.data.map(({ id }) => id)).toEqual([first.data[3]?.id ?? '']);
});

test('rows can be found by their ids, and an unknown id finds nothing', async () => {
  const { data } = await list('sort=date');
  const [one, , three] = data.map(({ id }) => id);
  expect((await list(`ids=${three},${one},nobody`)).data.map(({ id }) => id)).toEqual([one ?? '', three ?? '']);
  expect((await list('ids=nobody')).data).toEqual([]);
});

test('a filter accepts several values and matches any of them', async () => {
  const found = async (query: string) => (await list(`${query}&count=true`)).count;
  expect(await found('type=buy&type=sell')).toBe(4);
  expect(await found('type=sell&account=A&account=B')).toBe(2);
  expect(await found('asset=X&asset=Y&account=A')).toBe(3);
  // A comma may be part of a name.
  expect(await found('account=A,B')).toBe(0);
  expect(await found('account=[A]')).toBe(0);
  expect((await who.request('GET', '/v1/transactions?type=buy&type=bought')).status).toBe(422);
  const body = { filter: { type: ['buy', 'sell'], account: 'B' }, set: { account: 'B' } };
  expect(await who.json('POST', '/v1/transactions/bulk', { body })).toMatchObject({ rows: 1 });
});

test('a list can be sorted by amount or asset, and paged in that order', async () => {
  const amounts = async (sort: string) => {
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await list(`sort=${sort}&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
      found.push(...page.data.map((row) => `${row.asset} ${row.amount}`));
      if (page.nextCursor === null) return found;
      cursor = page.nextCursor;
    }
  };
  const rising = await amounts('amount');
  expect(rising).toEqual(['X 300.00', 'Y 300.00', 'Y 500.00', 'X 1000.00']);
  expect(await amounts('-amount')).toEqual(rising.toReversed());
  expect(await amounts('asset')).toEqual(['X 1000.00', 'X 300.00', 'Y 500.00', 'Y 300.00']);
  expect(await amounts('-asset')).toEqual((await amounts('asset')).toReversed());
  const forged = Buffer.from(JSON.stringify(['much', '2024-01-02', '1', rising[0]])).toString('base64url');
  expect((await who.request('GET', `/v1/transactions?sort=amount&cursor=${forged}`)).status).toBe(400);
});
