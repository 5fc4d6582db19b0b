import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { csvOf, importCsv, type ListResponse } from '../support/books.ts';

interface IssueCount {
  readonly kind: string;
  readonly count: number;
  readonly dollars: string;
  readonly unknown: number;
}
interface Status {
  readonly revision: string;
  readonly unreadNotifications: number;
  readonly issues: Omit<IssueCount, 'kind'> & { readonly kinds: IssueCount[] };
  readonly rejectedLines: number;
  readonly proposedRows: number;
  readonly possibleDuplicates: number;
  readonly staleReports: number;
  readonly running: { readonly imports: number; readonly calculations: number };
  readonly plan: string;
  readonly quotas: Readonly<Record<string, { used: number; limit: number | null; resetsAt?: string }>>;
}

const clock = testClock('2026-04-01T12:00:00Z');
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock });
});
afterAll(() => app.close());

const status = (who: TestClient, query = ''): Promise<Status> => who.json<Status>('GET', `/v1/status${query}`);

describe('the status', () => {
  test('has zeros for empty books, and the plan with its quotas', async () => {
    const who = await app.register();
    expect(await status(who)).toEqual({
      revision: '0',
      unreadNotifications: 0,
      issues: { count: 0, dollars: '0.00', unknown: 0, kinds: [] },
      rejectedLines: 0,
      proposedRows: 0,
      possibleDuplicates: 0,
      staleReports: 0,
      running: { imports: 0, calculations: 0 },
      plan: 'FREE',
      quotas: {
        transactions: { used: 0, limit: 50 },
        importBytes: { used: expect.any(Number), limit: 20_000_000 },
        aiMessages: { used: 0, limit: 5, resetsAt: '2026-04-02T00:00:00.000Z' },
        clients: { used: 0, limit: 0 },
      },
    });
  });

  test('counts the items in the lists, and follows changes', async () => {
    const who = await app.register('PRO');
    await importCsv(
      who,
      csvOf('buy 2024-01-02 1 X @100 #b1', 'sell 2024-05-02 3 X @900 #s1', 'sell 2024-05-02 1 Y @bad #s2'),
    );
    const issues = (
      await who.json<ListResponse<{ kind: string; dollars: string | null }>>('GET', '/v1/tax/issues?status=open')
    ).data;
    const found = await status(who);
    expect(found.issues.count).toBe(issues.length);
    expect(found.issues.unknown).toBe(issues.filter(({ dollars }) => dollars === null).length);
    expect(found.issues.kinds).toEqual([
      { kind: 'oversold', count: 1, dollars: '600.00', unknown: 0 },
      { kind: 'rejected_line', count: 1, dollars: '0.00', unknown: 1 },
    ]);
    expect(found).toMatchObject({ rejectedLines: 1, plan: 'PRO' });
    expect(found.quotas.transactions).toEqual({ used: 2, limit: null });
    const feed = await who.json<ListResponse<{ readAt: string | null }>>('GET', '/v1/notifications');
    expect(found.unreadNotifications).toBe(feed.data.length);
    await who.json('POST', '/v1/notifications/read');
    expect((await status(who)).unreadNotifications).toBe(0);
  });

  test('counts a year as outdated only while its newest report is outdated', async () => {
    const who = await app.register('PRO');
    await importCsv(who, csvOf('buy 2024-01-02 1 X @100 #b1', 'sell 2024-05-02 1 X @900 #s1'));
    await who.json('POST', '/v1/tax/reports', { body: { year: 2024 } });
    expect((await status(who)).staleReports).toBe(0);
    await importCsv(who, csvOf('buy 2025-01-02 1 X @100 #b2'));
    expect((await status(who)).staleReports).toBe(1);
    await who.json('POST', '/v1/tax/reports', { body: { year: 2024 } });
    expect((await status(who)).staleReports).toBe(0);
    await who.json('PATCH', '/v1/account', { body: { taxpayerName: 'Another Name' } });
    expect((await status(who)).staleReports).toBe(1);
  });

  test('describes the requested books, with the quotas of the user', async () => {
    const cpa = await app.register('CPA');
    const { id } = await cpa.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Client' } }, 201);
    await importCsv(cpa, csvOf('sell 2024-05-02 3 X @900 #s1'), `?client=${id}`);
    const [own, theirs] = [await status(cpa), await status(cpa, `?client=${id}`)];
    expect([own.issues.count, own.quotas.transactions?.used]).toEqual([0, 0]);
    expect([theirs.issues.count, theirs.quotas.transactions?.used]).toEqual([1, 1]);
    expect([own.quotas.clients, theirs.quotas.clients]).toEqual([
      { used: 1, limit: 10 },
      { used: 1, limit: 10 },
    ]);
  });
});

describe('the config', () => {
  test('offers the assistant, and no provider, on a server without configuration', async () => {
    const config = (await (await app.request('GET', '/v1/config')).json()) as object;
    expect(config).toMatchObject({ providers: [], assistant: 'builtin', billing: false, mail: false, demo: true });
  });

  test('reports that the server sends email if a mail server is configured', async () => {
    const env = { SMTP_URL: 'smtp://user:hidden-secret@mail.example', MAIL_FROM: 'lotbook@example.com' };
    const other = await testApp({ env });
    const text = await (await other.request('GET', '/v1/config')).text();
    expect(JSON.parse(text)).toMatchObject({ mail: true });
    expect(text).not.toContain('hidden-secret');
    await other.close();
  });

  test('names the configured providers, and no secret', async () => {
    const env = { GITHUB_CLIENT_ID: 'our-client-id', GITHUB_CLIENT_SECRET: 'hidden-secret' };
    const assistant = { service: 'ai.example', answer: () => (async function* () {})() };
    const other = await testApp({ env, assistant });
    const text = await (await other.request('GET', '/v1/config')).text();
    expect(JSON.parse(text)).toMatchObject({ providers: ['github'], assistant: 'service' });
    expect(text).not.toContain('hidden-secret');
    expect(text).not.toContain('our-client-id');
    await other.close();
  });
});

describe('the status of clients', () => {
  test('has the status and the years of each client', async () => {
    const cpa = await app.register('CPA');
    const ids: string[] = [];
    for (const name of ['Ann', 'Bob']) {
      ids.push((await cpa.json<{ id: string }>('POST', '/v1/clients', { body: { name } })).id);
      // The list is ordered by creation time in milliseconds.
      clock.move(2);
    }
    const [ann = '', bob = ''] = ids;
    await importCsv(cpa, csvOf('buy 2024-01-02 1 X @100 #b1', 'sell 2024-05-02 3 X @900 #s1'), `?client=${ann}`);
    await cpa.json('POST', `/v1/tax/reports?client=${ann}`, { body: { year: 2024 } });
    await importCsv(cpa, csvOf('sell 2025-05-02 1 Y @50 #s2'), `?client=${ann}`);
    await cpa.json('POST', `/v1/tax/years/2024/lock?client=${ann}`, {});
    const { data } = await cpa.json<ListResponse<Record<string, unknown>>>('GET', '/v1/status/clients');
    expect(data.map(({ name, transactions }) => [name, transactions])).toEqual([
      ['Ann', 3],
      ['Bob', 0],
    ]);
    expect(data.map(({ lastImportAt }) => typeof lastImportAt)).toEqual(['string', 'object']);
    for (const client of [ann, bob]) {
      const own = await status(cpa, `?client=${client}`);
      const years = await cpa.json<ListResponse<object>>('GET', `/v1/tax/years?client=${client}`);
      const { count, dollars, unknown } = own.issues;
      expect(data.find(({ id }) => id === client)).toMatchObject({
        issues: { count, dollars, unknown },
        ...{ rejectedLines: 0, proposedRows: 0, possibleDuplicates: 0, staleReports: own.staleReports },
        unreadNotifications: own.unreadNotifications,
        years: years.data,
      });
    }
    const years = (data[0]?.years ?? []) as { year: number; locked: boolean; report: { stale: boolean } | null }[];
    expect(years.map(({ year, locked, report }) => [year, locked, report?.stale])).toEqual([
      [2024, true, true],
      [2025, false, undefined],
    ]);
    const page = await cpa.json<ListResponse<{ name: string }>>('GET', '/v1/status/clients?limit=1');
    const next = await cpa.json<ListResponse<{ name: string }>>(
      'GET',
      `/v1/status/clients?limit=1&cursor=${page.nextCursor}`,
    );
    expect([...page.data, ...next.data].map(({ name }) => name)).toEqual(['Ann', 'Bob']);
  });

  test("excludes other users' clients", async () => {
    const [cpa, other] = [await app.register('CPA'), await app.register('CPA')];
    await other.json('POST', '/v1/clients', { body: { name: 'Secret' } });
    expect((await cpa.json<ListResponse<object>>('GET', '/v1/status/clients')).data).toEqual([]);
  });
});
