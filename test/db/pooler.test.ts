import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from '../../src/db/connection.ts';
import { sessionCookie, type TestApp, type TestClient, testApp } from '../support/app.ts';
import { importCsv } from '../support/books.ts';
import { hasPooler, type Pooler, startPooler } from '../support/pooler.ts';

const csv = `date,type,account,asset,quantity,amount
2024-01-02,buy,Broker,ACME,10,1000
2024-06-03,sell,Broker,ACME,10,1500
`;

if (!hasPooler) console.log('PgBouncer is not installed: nothing is tried behind a pooler.');

describe.if(hasPooler)('behind PgBouncer in transaction mode', () => {
  let pooler: Pooler;
  let app: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    app = await testApp({
      connectTo: async (books) => {
        pooler = await startPooler(books.url);
        return connect({ url: pooler.url, directUrl: books.url }, { connectionsMax: 8 });
      },
    });
    client = await app.register('PRO');
  });
  afterAll(async () => {
    await app.close();
    await pooler.close();
  });

  test('each transaction has the roles, the taxpayer and the time limits', async () => {
    const shown = await app.deps.database.asService(
      (sql) => sql`
        select current_user::text as user, current_setting('statement_timeout') as statement,
          current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`,
    );
    expect(shown[0]).toEqual({ user: 'lotbook_server', statement: '2min', lock: '1min', idle: '5min' });
    const id = crypto.randomUUID();
    const own = await app.deps.database.asTaxpayer(
      id,
      (sql) => sql`select current_user::text as user, current_setting('app.taxpayer') as taxpayer`,
    );
    expect(own[0]).toEqual({ user: 'lotbook_app', taxpayer: id });
  });

  test('a file is imported by the request and by a job, and twenty concurrent uploads store every row once', async () => {
    await importCsv(client, csv);
    const response = await client.request('POST', '/v1/transactions/import', {
      body: csv.replaceAll('ACME', 'BETA'),
      headers: { 'content-type': 'text/csv', prefer: 'respond-async' },
    });
    const events = await client.request('GET', `${response.headers.get('location')}/events`);
    expect(await events.text()).toContain('event: done');
    await Promise.all(Array.from({ length: 20 }, (_, index) => importCsv(client, csv.replaceAll('ACME', `S${index}`))));
    expect(await client.json('GET', '/v1/tax/summary?year=2024')).toMatchObject({
      total: { gain: '11000.00', count: 22 },
    });
  });

  test('a user signs in, calculates, creates reports and reads the feed and the audit trail', async () => {
    const body = { email: client.email, password: client.password };
    const signedIn = await app.request('POST', '/v1/auth/login', { body });
    const cookie = sessionCookie(signedIn);
    const calculated = await client.json('POST', '/v1/tax/calculate', { cookie });
    expect(calculated).toMatchObject({ differences: [] });
    const { id } = await client.json<{ id: string }>('POST', '/v1/tax/reports', { cookie, body: { year: 2024 } });
    const report = await client.request('GET', `/v1/tax/reports/${id}/download?format=csv`, { cookie });
    expect([report.status, await report.text()]).toEqual([200, expect.stringContaining('ACME')]);
    const { data: feed } = await client.json<{ data: { kind: string }[] }>('GET', '/v1/notifications', { cookie });
    expect(feed.map(({ kind }) => kind)).toContain('import_completed');
    const { data: audit } = await client.json<{ data: { action: string }[] }>('GET', '/v1/account/audit', { cookie });
    const actions = audit.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['signed_in', 'file_imported', 'books_calculated']));
  });

  test("a notification arrives over the server's direct connection", async () => {
    const stream = await client.request('GET', '/v1/notifications/stream');
    const reader = stream.body?.pipeThrough(new TextDecoderStream() as never).getReader();
    await importCsv(client, csv.replaceAll('ACME', 'GAMMA'));
    for (let seen = ''; !seen.includes('import_completed'); ) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      expect(done).toBe(false);
      seen += value;
    }
    await reader?.cancel();
  });
});
