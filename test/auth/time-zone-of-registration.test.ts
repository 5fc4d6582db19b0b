import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readClient, sessionCookie, type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchAll, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

async function registerIn(timeZone: string | undefined): Promise<TestClient> {
  const email = `zone-${crypto.randomUUID()}@example.com`;
  const body = { email, password: 'correct horse battery staple', ...(timeZone === undefined ? {} : { timeZone }) };
  const response = await app.request('POST', '/v1/auth/register', { body });
  expect(response.status).toBe(201);
  expect(((await response.json()) as { timeZone: string }).timeZone).toBe(timeZone ?? 'UTC');
  return readClient(app.request, email, 'correct horse battery staple', sessionCookie(response));
}

/** A sale on December 31, 2024, at 9 PM in New York, which is January 1, 2025, in UTC. */
const rows = [
  'date,type,account,asset,quantity,amount,fee,asset_class',
  '2024-02-01T15:00:00Z,buy,Exchange,BTC,1,40000,0,crypto',
  '2025-01-01T02:00:00Z,sell,Exchange,BTC,1,90000,0,crypto',
].join('\n');

test('registration stores the time zone, or UTC if the request has none', async () => {
  await registerIn('America/New_York');
  await registerIn(undefined);
});

test('registration refuses an unknown time zone and creates no account', async () => {
  const body = { email: `none-${crypto.randomUUID()}@example.com`, password: 'correct horse battery staple' };
  const refused = await app.request('POST', '/v1/auth/register', { body: { ...body, timeZone: 'Mars/Olympus' } });
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ code: 'invalid', errors: [{ pointer: '/timeZone' }] });
  expect((await app.request('POST', '/v1/auth/register', { body })).status).toBe(201);
});

test.each([
  ['America/New_York', '2024-12-31', 2024],
  ['America/Los_Angeles', '2024-12-31', 2024],
  ['UTC', '2025-01-01', 2025],
  ['Asia/Tokyo', '2025-01-01', 2025],
])(
  "a sale at 02:00 UTC on New Year's Day is dated by the time zone %s in lists, lines, summaries and files",
  async (zone, day, year) => {
    const who = await registerIn(zone);
    await importCsv(who, rows);
    const [sale] = await fetchAll<{ type: string; date: string; day: string }>(who, '/v1/transactions?type=sell');
    expect(sale).toMatchObject({ date: '2025-01-01T02:00:00Z', day });
    const [line] = await fetchAll<{ id: string; sold: string }>(who, '/v1/tax/disposals');
    expect(line?.sold).toBe(day);
    const { sources } = await who.json<{ sources: { role: string; day: string }[] }>(
      'GET',
      `/v1/tax/disposals/${line?.id}/explain`,
    );
    expect(sources.find(({ role }) => role === 'disposal')?.day).toBe(day);
    for (const other of [2024, 2025]) {
      const summary = await who.json<{ total: { count: number } }>('GET', `/v1/tax/summary?year=${other}`);
      expect([other, summary.total.count]).toEqual([other, other === year ? 1 : 0]);
    }
    const report = await who.json<{ id: string }>('POST', '/v1/tax/reports', { body: { year } }, 201);
    for (const format of ['csv', 'txf', 'taxact', 'turbotax']) {
      const file = await who.request('GET', `/v1/tax/reports/${report.id}/download?format=${format}`);
      expect([format, (await file.text()).includes(day.replace(/(\d+)-(\d+)-(\d+)/, '$2/$3/$1'))]).toEqual([
        format,
        true,
      ]);
    }
  },
);
