import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, testApp } from '../support/app.ts';
import { csvOf, elect, fetchAll, fetchBookContent, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface Calculation {
  readonly id: string;
  readonly status: string;
  readonly revision: string;
  readonly transactions: number;
  readonly disposals: number;
  readonly openLots: number;
  readonly durationMs: number;
  readonly years: { readonly year: number; readonly total: { readonly gain: string } }[];
  readonly differences: object[];
  readonly reports: { readonly id: string; readonly year: number }[];
}

const csv = csvOf(
  'buy 2023-01-02 10 X @1000',
  'buy 2023-02-02 10 X @3000',
  'sell 2023-07-03 5 X @1000',
  'sell 2024-07-03 5 X @1000',
  'dividend 2025-01-02 - X @7',
);

test('returns the totals of the whole history, and creates reports for the years with disposals', async () => {
  const client = await app.register('PRO');
  await importCsv(client, csv);
  const result = await client.json<Calculation>('POST', '/v1/tax/calculate', { body: {} });
  expect(result).toMatchObject({ status: 'completed', transactions: 5, disposals: 2, openLots: 1, differences: [] });
  expect(result.years.map(({ year }) => year)).toEqual([2023, 2024, 2025]);
  // The summary of a year has the tax estimate besides.
  expect(await client.json('GET', '/v1/tax/summary?year=2023')).toMatchObject(result.years[0] ?? {});
  expect(result.reports.map(({ year }) => year)).toEqual([2023, 2024]);
  // The fields are in the same order, too.
  const later = await client.json('GET', `/v1/tax/calculations/${result.id}`);
  expect(JSON.stringify(later)).toBe(JSON.stringify(result));
  // The same books produce the same reports.
  const again = await client.json<Calculation>('POST', '/v1/tax/calculate', { body: { year: 2024 } });
  expect(again.years.map(({ year }) => year)).toEqual([2024]);
  expect(again.reports).toEqual(result.reports.filter(({ year }) => year === 2024));
  expect(again.transactions).toBe(5);
});

test('accepts a missing body as an empty one', async () => {
  const client = await app.register('PRO');
  expect(await client.json('POST', '/v1/tax/calculate')).toMatchObject({ transactions: 0, years: [], reports: [] });
});

test('a calculation with another method is a what-if: returned but not stored', async () => {
  const client = await app.register('PRO');
  await importCsv(client, csv);
  const before = await fetchBookContent(client);
  const result = await client.json<Calculation>('POST', '/v1/tax/calculate', { body: { method: 'HIFO' } });
  expect(result.years[0]).toMatchObject({ method: 'HIFO', total: { gain: '-500.00' } });
  expect(result).toMatchObject({ differences: [], reports: [] });
  const dry = await client.json<Calculation>('POST', '/v1/tax/calculate', { body: { dryRun: true } });
  expect(dry).toMatchObject({ differences: [], reports: [] });
  for (const { id } of [result, dry]) {
    expect((await client.request('GET', `/v1/tax/calculations/${id}`)).status).toBe(404);
  }
  expect(await fetchBookContent(client)).toBe(before);
});

test('returns 202 with Prefer: respond-async, and the result is available later', async () => {
  const client = await app.register('PRO');
  await importCsv(client, csv);
  const headers = { prefer: 'respond-async', 'idempotency-key': 'calculation-1' };
  const response = await client.request('POST', '/v1/tax/calculate', { body: {}, headers });
  expect(response.status).toBe(202);
  const { id, status } = (await response.json()) as Calculation;
  expect(status).toBe('running');
  expect(response.headers.get('location')).toBe(`/v1/tax/calculations/${id}`);
  let found = await client.json<Calculation>('GET', `/v1/tax/calculations/${id}`);
  for (let tries = 0; found.status === 'running' && tries < 100; tries++) {
    await Bun.sleep(20);
    found = await client.json<Calculation>('GET', `/v1/tax/calculations/${id}`);
  }
  expect(found).toMatchObject({ status: 'completed', transactions: 5, differences: [] });
  const again = await client.request('POST', '/v1/tax/calculate', { body: {}, headers });
  expect([again.status, ((await again.json()) as Calculation).id]).toEqual([202, id]);
  const notes = await fetchAll<{ kind: string }>(client, '/v1/notifications');
  expect(notes.filter(({ kind }) => kind === 'calculation_completed')).toHaveLength(1);
});

test("returns 404 for another user's calculation", async () => {
  const [mine, other] = [await app.register('PRO'), await app.register('PRO')];
  const { id } = await mine.json<Calculation>('POST', '/v1/tax/calculate', { body: {} });
  expect((await other.request('GET', `/v1/tax/calculations/${id}`)).status).toBe(404);
});

test('finds, reports and corrects stored values that differ', async () => {
  const client = await app.register('PRO');
  await importCsv(client, csv);
  const before = await fetchBookContent(client);
  await app.books.asOwner(
    (sql) => sql`update year_summaries set summary = replace(summary, '"issues":0', '"issues":7')`,
  );
  const result = await client.json<Calculation>('POST', '/v1/tax/calculate', { body: {} });
  expect(result.differences).toContainEqual({ year: 2023, member: 'issues', stored: '7', calculated: '0' });
  expect(await fetchBookContent(client)).toBe(before);
  expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
});

test('reports no differences after any sequence of requests', async () => {
  const client = await app.register('PRO');
  const parts = [
    csv,
    csvOf('buy 2022-01-02 1 X @5', 'sell 2023-07-10 20 X @10', 'buy 2023-07-20 8 X @9'),
    csvOf('buy 2023-06-20 4 X @4'),
  ];
  const steps: (() => Promise<unknown>)[] = [
    () => importCsv(client, parts[0] ?? ''),
    () => importCsv(client, parts[1] ?? ''),
    () => elect(client, { method: 'LIFO' }),
    () => importCsv(client, parts[2] ?? ''),
    () =>
      client.json('POST', '/v1/transactions', {
        body: { date: '2023-07-15', type: 'split', asset: 'X', ratio: '2:1' },
      }),
    async () => {
      const [row] = await fetchAll<{ id: string }>(client, '/v1/transactions?year=2022');
      return client.json('PATCH', `/v1/transactions/${row?.id}`, { body: { date: '2024-01-05' } });
    },
    async () => {
      const [last] = await fetchAll<{ id: string }>(client, '/v1/imports');
      return client.json('DELETE', `/v1/imports/${last?.id}`);
    },
    () => elect(client, { accounts: { Broker: { type: 'ira' } } }),
    () =>
      client.json('POST', '/v1/transactions', {
        body: { date: '2023-08-01', type: 'rename', asset: 'X', receivedAsset: 'Y' },
      }),
    async () => {
      const [row] = await fetchAll<{ id: string }>(client, '/v1/transactions?type=split');
      return client.json('DELETE', `/v1/transactions/${row?.id}`);
    },
    () => client.json('PATCH', '/v1/account', { body: { timeZone: 'America/Los_Angeles' } }),
  ];
  for (const step of steps) {
    await step();
    expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
  }
});
