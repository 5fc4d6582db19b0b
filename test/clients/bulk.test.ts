import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { unzipped } from '../forms/unzip.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchAll, importCsv } from '../support/books.ts';
import { grantAccess } from '../support/grants.ts';

let app: TestApp;
let cpa: TestClient;
let [ann, bob, jo] = ['', '', ''];
let person: TestClient;
beforeAll(async () => {
  app = await testApp();
  cpa = await app.register('CPA');
  person = await app.register();
  const made = async (name: string) =>
    (await cpa.json<{ id: string }>('POST', '/v1/clients', { body: { name } }, 201)).id;
  [ann, bob] = [await made('Ann Fields'), await made('Ann Fields')];
  jo = await grantAccess(app, cpa, person, 'viewer');
  await importCsv(cpa, rows(25), `?client=${ann}`);
  await importCsv(cpa, rows(45), `?client=${bob}`);
  await importCsv(person, rows(65));
});
afterAll(() => app.close());

const rows = (gain: number) =>
  `date,type,account,asset,quantity,amount\n2024-01-02,buy,A,X,1,10\n2024-02-02,sell,A,X,1,${10 + gain}\n`;

interface Calculated {
  readonly client: string;
  readonly status: string;
  readonly reports: { readonly year: number }[];
  readonly problem?: { readonly code: string };
}
const calculate = async (body: object) =>
  (await cpa.json<{ data: Calculated[] }>('POST', '/v1/clients/calculate', { body })).data;
const archive = async (query: string) => {
  const response = await cpa.request('GET', `/v1/clients/reports?year=2024&format=csv${query}`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  return unzipped(new Uint8Array(await response.arrayBuffer()));
};

describe('several clients at once', () => {
  test('are calculated if the role permits it, and their reports come as one ZIP that lists the missing ones', async () => {
    expect(await archive('')).toEqual({
      'READ ME.txt': expect.stringContaining('There is no report for 2024.') as never,
    });
    const done = await calculate({ year: 2024 });
    expect(done.map(({ client, status, problem }) => [client, status, problem?.code])).toEqual([
      [ann, 'completed', undefined],
      [bob, 'completed', undefined],
      [jo, 'refused', 'forbidden'],
    ]);
    expect(done.map(({ reports }) => reports.map(({ year }) => year))).toEqual([[2024], [2024], []]);
    await person.json('POST', '/v1/tax/reports', { body: { year: 2024 } });
    await importCsv(person, 'date,type,account,asset,quantity,amount\n2024-05-05,buy,A,Y,1,1\n');
    const files = await archive('');
    expect(Object.keys(files).map((name) => name.split('/')[0])).toEqual([
      'Ann Fields',
      'Ann Fields 2',
      person.email,
      'READ ME.txt',
    ]);
    expect(Object.values(files).map((text) => /,(25|45|65)\.00/.exec(text)?.[1])).toEqual([
      '25',
      '45',
      '65',
      undefined,
    ]);
    expect(files['READ ME.txt']).toBe(
      `${person.email}: the books have changed since this report was generated. Generate it again.\r\n`,
    );
    expect(Object.keys(await archive(`&clients=${bob}`))).toHaveLength(1);
  });

  test('are calculated once per key, and a repeated request gets the same response', async () => {
    const send = (key: string, body: object = { year: 2024, clients: [ann] }) =>
      cpa.request('POST', '/v1/clients/calculate', { body, headers: { 'idempotency-key': key } });
    const entries = async () => (await fetchAll(cpa, `/v1/account/audit?client=${ann}`)).length;
    const first = await send('again');
    const [text, before] = [await first.text(), await entries()];
    const again = await send('again');
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true']);
    expect([await again.text(), await entries()]).toEqual([text, before]);
    expect((await send('again', { year: 2023, clients: [ann] })).status).toBe(422);
  });

  test("never include other users' clients", async () => {
    const other = await app.register('CPA');
    const { id } = await other.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Secret' } }, 201);
    for (const [method, path, body] of [
      ['POST', '/v1/clients/calculate', { clients: [ann, id] }],
      ['GET', `/v1/clients/reports?year=2024&clients=${ann},${id}`, undefined],
      ['GET', '/v1/clients/reports?year=2024&clients=x', undefined],
    ] as const) {
      expect((await cpa.request(method, path, body === undefined ? {} : { body })).status).toBe(404);
    }
    await app.books.asOwner((sql) => sql`update users set plan = 'FREE' where email = ${cpa.email}`);
    expect((await cpa.request('POST', '/v1/clients/calculate', { body: {} })).status).toBe(403);
    expect(Object.keys(await archive(`&clients=${ann}`))).toHaveLength(1);
    await app.books.asOwner((sql) => sql`update users set plan = 'CPA' where email = ${cpa.email}`);
  });
});
