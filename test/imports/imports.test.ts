import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import {
  csvOf,
  fetchAll,
  fetchBookContent,
  type ImportResource,
  importCsv,
  type ListResponse,
} from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const twoFills = csvOf(
  'buy 2024-01-02 10 X @1000 #b1',
  'sell 2024-06-03 4 X @500 #s1',
  'buy 2024-07-01 1 X @90',
  'buy 2024-07-01 1 X @90',
);

function send(client: TestClient, body: unknown, headers: Record<string, string>, query = ''): Promise<Response> {
  return client.request('POST', `/v1/transactions/import${query}`, { body, headers });
}

async function readProblem(response: Response): Promise<{ status: number; code: string }> {
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  const { status, code } = (await response.json()) as { status: number; code: string };
  expect(status).toBe(response.status);
  return { status, code };
}

describe('an import', () => {
  test('returns 201 with the result for each line, and the gains are up to date', async () => {
    const client = await app.register('PRO');
    const response = await send(client, `${twoFills}oops,buy,Broker,X,1,1,,\n`, { 'content-type': 'text/csv' });
    expect(response.status).toBe(201);
    const body = (await response.json()) as ImportResource & Record<string, unknown>;
    expect(response.headers.get('location')).toBe(`/v1/imports/${body.id}`);
    expect(body).toMatchObject({
      status: 'completed',
      format: 'lotbook',
      fileName: null,
      rows: 5,
      imported: 4,
      duplicates: 0,
      skipped: 0,
      rejected: 1,
      firstDate: '2024-01-02',
      lastDate: '2024-07-01',
      years: [2024],
      issues: 0,
    });
    const summary = await client.json<{ total: object }>('GET', '/v1/tax/summary?year=2024');
    expect(summary.total).toEqual({
      proceeds: '500.00',
      basis: '400.00',
      adjustment: '0.00',
      gain: '100.00',
      count: 1,
    });
  });

  test('adds nothing for the same file again, but keeps two equal fills in one file', async () => {
    const client = await app.register('PRO');
    expect(await importCsv(client, twoFills)).toMatchObject({ imported: 4, duplicates: 0 });
    const before = await fetchBookContent(client);
    expect(await importCsv(client, twoFills)).toMatchObject({ imported: 0, duplicates: 4 });
    expect(await fetchBookContent(client)).toBe(before);
  });

  test('can be undone, which restores the summaries to the byte', async () => {
    const client = await app.register('PRO');
    await importCsv(client, twoFills);
    const summaryBefore = await (await client.request('GET', '/v1/tax/summary?year=2024')).text();
    const booksBefore = await fetchBookContent(client);
    const second = await importCsv(client, csvOf('sell 2024-06-10 6 X @300 #s2', 'buy 2025-02-01 5 Y @50'));
    expect(await fetchBookContent(client)).not.toBe(booksBefore);
    expect((await client.request('DELETE', `/v1/imports/${second.id}`)).status).toBe(204);
    expect(await (await client.request('GET', '/v1/tax/summary?year=2024')).text()).toBe(summaryBefore);
    expect(await fetchBookContent(client)).toBe(booksBefore);
    expect((await client.request('GET', `/v1/imports/${second.id}`)).status).toBe(404);
  });

  test('shows what an undo would remove, and removes nothing before it is done', async () => {
    const client = await app.register('PRO');
    await importCsv(client, csvOf('buy 2024-01-02 10 X @1000 #b1'));
    const { id } = await importCsv(client, csvOf('buy 2024-01-02 10 X @1000 #b1', 'sell 2024-06-03 4 X @500 #s1'));
    const before = await fetchBookContent(client);
    const preview = await client.json<{ transactions: number; years: object[] }>(
      'DELETE',
      `/v1/imports/${id}?dryRun=true`,
    );
    expect(preview).toMatchObject({
      transactions: 1,
      years: [{ year: 2024, before: { total: { gain: '100.00' } }, after: null }],
    });
    expect(await fetchBookContent(client)).toBe(before);
    expect(await client.json('GET', '/v1/account')).toMatchObject({ usage: { transactions: 2 } });
    const other = await app.register('PRO');
    expect((await other.request('DELETE', `/v1/imports/${id}?dryRun=true`)).status).toBe(404);
  });

  test('can be undone, which keeps rows of another import and does not block the corrected file', async () => {
    const client = await app.register('PRO');
    const first = await importCsv(client, csvOf('buy 2024-01-02 10 X @1000 #b1', 'sell 2024-06-03 4 X @5000 #s1'));
    await importCsv(client, csvOf('buy 2024-01-02 10 X @1000 #b1'));
    await client.request('DELETE', `/v1/imports/${first.id}`);
    expect(await fetchAll(client, '/v1/transactions')).toHaveLength(1);
    const corrected = csvOf('buy 2024-01-02 10 X @1000 #b1', 'sell 2024-06-03 4 X @500 #s1');
    expect(await importCsv(client, corrected)).toMatchObject({ imported: 1, duplicates: 1 });
  });

  test('accepts a multipart form, with the same result as for the file itself', async () => {
    const client = await app.register('PRO');
    const form = new FormData();
    form.set('note', 'not the file');
    form.set('file', new File([twoFills], 'fills "2024".csv', { type: 'text/csv' }));
    const response = await client.request('POST', '/v1/transactions/import', { body: form });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ fileName: 'fills "2024".csv', imported: 4 });
    expect(await importCsv(client, twoFills)).toMatchObject({ imported: 0, duplicates: 4 });
  });

  test('shows the result and stores nothing as a dry run', async () => {
    const client = await app.register('PRO');
    const response = await send(client, twoFills, { 'content-type': 'text/csv' }, '?dryRun=true');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ imported: 4, duplicates: 0, years: [2024] });
    expect(await fetchAll(client, '/v1/transactions')).toEqual([]);
    expect(await fetchAll(client, '/v1/imports')).toEqual([]);
    expect(await client.json('GET', '/v1/account')).toMatchObject({ usage: { transactions: 0 } });
  });

  test('uses the account and the time zone from the request', async () => {
    const client = await app.register('PRO');
    const csv = 'date,type,asset,quantity,amount\n2024-12-31 20:00:00,buy,X,1,10\n';
    await importCsv(client, csv, '?account=Mine&timeZone=America/New_York');
    const [row] = await fetchAll<{ account: string; date: string }>(client, '/v1/transactions?year=2024');
    expect(row).toMatchObject({ account: 'Mine', date: '2025-01-01T01:00:00Z' });
  });
});

describe('a refused import changes nothing', () => {
  const refusals: [string, unknown, Record<string, string>, string, number, string][] = [
    ['an unknown format', twoFills, { 'content-type': 'text/csv' }, '?format=nonsense', 422, 'unknown_format'],
    ['a header of no format', 'a,b\n1,2\n', { 'content-type': 'text/csv' }, '', 422, 'unknown_format'],
    ['an empty file', '', { 'content-type': 'text/csv' }, '', 422, 'empty_file'],
    ['a binary file', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), { 'content-type': 'text/csv' }, '', 422, 'not_csv'],
    ['another content type', twoFills, { 'content-type': 'application/json' }, '', 415, 'unsupported_media_type'],
    [
      'an encoded body',
      twoFills,
      { 'content-type': 'text/csv', 'content-encoding': 'gzip' },
      '',
      415,
      'unsupported_media_type',
    ],
    ['an unknown parameter', twoFills, { 'content-type': 'text/csv' }, '?fromat=lotbook', 400, 'unknown_parameter'],
    ['an unknown zone', twoFills, { 'content-type': 'text/csv' }, '?timeZone=Mars', 422, 'invalid'],
    ['a form without boundary', twoFills, { 'content-type': 'multipart/form-data' }, '', 400, 'bad_request'],
    [
      'a form cut short',
      '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\ndate',
      { 'content-type': 'multipart/form-data; boundary=x' },
      '',
      400,
      'bad_request',
    ],
    [
      'a form without file',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n',
      { 'content-type': 'multipart/form-data; boundary=x' },
      '',
      400,
      'bad_request',
    ],
  ];
  for (const [name, body, headers, query, status, code] of refusals) {
    test(name, async () => {
      const client = await app.register('PRO');
      expect(await readProblem(await send(client, body, headers, query))).toEqual({ status, code });
      expect(await fetchAll(client, '/v1/transactions')).toEqual([]);
      expect(await fetchAll(client, '/v1/imports')).toEqual([]);
    });
  }

  test("another user's import is not found", async () => {
    const [mine, other] = [await app.register('PRO'), await app.register('PRO')];
    const { id } = await importCsv(mine, twoFills);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/rejects'],
      ['GET', '/events'],
    ] as const) {
      expect(await readProblem(await other.request(method, `/v1/imports/${id}${path}`))).toEqual({
        status: 404,
        code: 'not_found',
      });
    }
    expect(await fetchAll(mine, '/v1/transactions')).toHaveLength(4);
  });
});

describe('the limit of the FREE plan', () => {
  const rows = (count: number, from = 0): string =>
    csvOf(...Array.from({ length: count }, (_, at) => `buy 2024-01-02 ${from + at + 1} X @10`));

  test('refuses the 51st transaction, and stores nothing of an import that exceeds it', async () => {
    const client = await app.register('FREE');
    await importCsv(client, rows(49));
    const response = await send(client, rows(51), { 'content-type': 'text/csv' });
    const body = (await response.json()) as Record<string, unknown>;
    expect(response.status).toBe(403);
    expect(body).toMatchObject({ code: 'plan_limit', plan: 'FREE', limit: 50, used: 49, requested: 2 });
    expect(await fetchAll(client, '/v1/transactions')).toHaveLength(49);
    // Duplicates do not count.
    expect(await importCsv(client, rows(50))).toMatchObject({ imported: 1, duplicates: 49 });
    const notes = await fetchAll<{ kind: string }>(client, '/v1/notifications');
    expect(notes.map(({ kind }) => kind)).toContain('limit_reached');
  });

  test('allows a dry run, which warns about the limit and leaves no notification behind', async () => {
    const client = await app.register('FREE');
    const response = await send(client, rows(51), { 'content-type': 'text/csv' }, '?dryRun=true');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      imported: 51,
      transactions: 51,
      preview: {
        planLimit:
          'Your FREE plan includes 50 transactions. You have 0 and tried to add 51 more. Upgrade your plan or add fewer.',
        warnings: [],
      },
    });
    expect(await fetchAll(client, '/v1/notifications')).toEqual([]);
    expect(await client.json('GET', '/v1/account')).toMatchObject({ usage: { transactions: 0 } });
  });

  test('is reported with a link that works, like every notification', async () => {
    const client = await app.register('FREE');
    await importCsv(client, rows(50));
    await send(client, rows(51), { 'content-type': 'text/csv' });
    await client.json('POST', '/v1/tax/calculate', { body: {} });
    const notes = await fetchAll<{ link: string }>(client, '/v1/notifications');
    expect(notes.length).toBeGreaterThanOrEqual(3);
    for (const { link } of notes) expect([link, (await client.request('GET', link)).status]).toEqual([link, 200]);
  });

  test('is exact under 50 parallel requests', async () => {
    const client = await app.register('FREE');
    await importCsv(client, rows(40));
    const one = (at: number) =>
      client.request('POST', '/v1/transactions', {
        body: { date: '2024-02-01', type: 'buy', account: 'A', asset: 'Y', quantity: String(at + 1), amount: '1' },
      });
    const statuses = (await Promise.all(Array.from({ length: 50 }, (_, at) => one(at)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(statuses.filter((status) => status === 403)).toHaveLength(40);
    expect(await fetchAll(client, '/v1/transactions')).toHaveLength(50);
  });

  test('frees space when an import is undone', async () => {
    const client = await app.register('FREE');
    const { id } = await importCsv(client, rows(50));
    await client.request('DELETE', `/v1/imports/${id}`);
    expect(await importCsv(client, rows(50, 100))).toMatchObject({ imported: 50 });
  });
});

describe('the list of imports', () => {
  test('is newest first, and paging stays correct while others arrive', async () => {
    const client = await app.register('PRO');
    for (let at = 1; at <= 5; at++) await importCsv(client, csvOf(`buy 2024-01-0${at} 1 X @10`));
    const first = await client.json<ListResponse<ImportResource>>('GET', '/v1/imports?limit=2');
    await importCsv(client, csvOf('buy 2024-02-01 1 X @10'));
    const second = await client.json<ListResponse<ImportResource>>(
      'GET',
      `/v1/imports?limit=10&cursor=${first.nextCursor}`,
    );
    const seen = [...first.data, ...second.data].map(({ id }) => id);
    expect(new Set(seen).size).toBe(5);
    expect(second.nextCursor).toBeNull();
  });
});
