import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { letTimePass, type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, importCsv } from '../support/books.ts';
import { eraseNow } from '../support/erasure.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => app.close());

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly subject: string | null;
  readonly actor: string;
  readonly email: string | null;
  readonly token: { readonly id: string; readonly name: string } | null;
  readonly address: string | null;
  readonly requestId: string | null;
}

const read = async (who: TestClient, query = ''): Promise<Entry[]> =>
  (await who.json<{ data: Entry[] }>('GET', `/v1/account/audit${query}`)).data;
const fetchActions = async (who: TestClient, query = '') => (await read(who, query)).map(({ action }) => action);

describe('the audit trail', () => {
  test('records who did what, from which address, by which token, and under which request id', async () => {
    const who = await app.register();
    const made = await who.json<{ id: string; token: string }>(
      'POST',
      '/v1/auth/tokens',
      { body: { name: 'Nightly', scopes: ['import'] } },
      201,
    );
    const headers = { authorization: `Bearer ${made.token}`, 'content-type': 'text/csv' };
    const body = csvOf('buy 2024-01-02 1 X @10');
    const response = await app.request('POST', '/v1/transactions/import', { body, headers });
    expect(response.status).toBe(201);
    const lock = await who.request('POST', '/v1/tax/years/2024/lock');
    const [locked, imported, created, registered] = await read(who);
    expect(locked).toMatchObject({
      action: 'year_locked',
      subject: '2024',
      actor: 'user',
      email: who.email,
      token: null,
      requestId: lock.headers.get('x-request-id'),
    });
    expect(imported).toMatchObject({
      action: 'file_imported',
      actor: 'token',
      email: who.email,
      token: { id: made.id, name: 'Nightly' },
      address: 'memory',
      requestId: response.headers.get('x-request-id'),
    });
    expect([created?.action, registered?.action]).toEqual(['token_created', 'account_created']);
  });

  test('has no entry for refused, dry-run or read-only requests, except for a wrong password', async () => {
    const who = await app.register();
    await importCsv(who, csvOf('buy 2024-01-02 1 X @10'));
    const before = await read(who);
    const key = { 'idempotency-key': 'once' };
    const wrong = { email: who.email, password: 'not this horse' };
    for (const [status, method, path, given] of [
      [401, 'POST', '/v1/auth/login', { body: wrong, cookie: '' }],
      [401, 'POST', '/v1/auth/password', { body: { current: 'no', password: 'a longer horse, a better battery' } }],
      [422, 'POST', '/v1/tax/reports', { body: { year: 'x' }, headers: key }],
      [422, 'POST', '/v1/transactions', { body: { type: 'buy' }, headers: key }],
      [404, 'DELETE', `/v1/imports/${crypto.randomUUID()}`, {}],
      [403, 'POST', '/v1/clients', { body: { name: 'Jo' }, headers: key }],
      [404, 'GET', `/v1/tax/reports/${crypto.randomUUID()}/download`, {}],
      [422, 'POST', '/v1/transactions/import', { body: 'x', headers: { 'content-type': 'text/csv', ...key } }],
      [
        200,
        'POST',
        '/v1/transactions/import?dryRun=true',
        { body: csvOf('buy 2024-01-03 1 X @10'), headers: { 'content-type': 'text/csv' } },
      ],
      [200, 'GET', '/v1/tax/summary?year=2024', {}],
    ] as const) {
      const response = await who.request(method, path, given);
      await response.text();
      expect([path, response.status]).toEqual([path, status]);
    }
    for (let turn = 0; turn < 2_000 && app.deps.lifecycle.inFlight > 0; turn++) await Bun.sleep(5);
    const after = await read(who);
    const failed = after.filter(({ action }) => action === 'sign_in_failed' || action === 'proof_failed');
    expect(failed).toHaveLength(2);
    expect(after.filter((entry) => !failed.includes(entry))).toEqual(before);
  });

  test('records a repeated request once', async () => {
    const who = await app.register('CPA');
    const given = { body: { name: 'Jo' }, headers: { 'idempotency-key': 'k' } };
    for (let turn = 0; turn < 2; turn++) expect((await who.request('POST', '/v1/clients', given)).status).toBe(201);
    expect((await fetchActions(who)).filter((action) => action === 'client_created')).toHaveLength(1);
  });

  test("returns a client's entries with ?client=, and only to users with access to the client", async () => {
    const [cpa, other] = [await app.register('CPA'), await app.register('CPA')];
    const { id } = await cpa.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Jo' } }, 201);
    await cpa.json('POST', `/v1/tax/years/2023/lock?client=${id}`);
    await cpa.json('PATCH', `/v1/clients/${id}`, { body: { name: 'Joan' } });
    const entries = await read(cpa, `?client=${id}`);
    expect(entries.map(({ action, email }) => [action, email])).toEqual([
      ['client_changed', cpa.email],
      ['year_locked', cpa.email],
    ]);
    expect(await fetchActions(cpa)).toEqual(['client_created', 'account_created']);
    expect((await other.request('GET', `/v1/account/audit?client=${id}`)).status).toBe(404);
    expect(await fetchActions(other)).toEqual(['account_created']);
  });

  test('can be filtered and paged', async () => {
    const who = await app.register();
    for (const year of [2019, 2020, 2021, 2022]) await who.json('POST', `/v1/tax/years/${year}/lock`);
    expect(await fetchActions(who, '?action=account_created')).toEqual(['account_created']);
    expect(await fetchActions(who, '?actor=token')).toEqual([]);
    const today = app.deps.clock.now().toISOString().slice(0, 10);
    expect(await fetchActions(who, `?from=${today}&action=year_locked`)).toHaveLength(4);
    expect(await fetchActions(who, `?to=${today}`)).toEqual([]);
    expect((await who.request('GET', '/v1/account/audit?from=2024-02-31')).status).toBe(422);
    const walked: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { data: Entry[]; nextCursor: string | null } = await who.json(
        'GET',
        `/v1/account/audit?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      walked.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(walked).toEqual((await read(who)).map(({ id }) => id));
    expect(walked).toHaveLength(5);
  });

  test('records that someone requested a new password for the account', async () => {
    const who = await app.register();
    await app.request('POST', '/v1/auth/password/reset', { body: { email: who.email } });
    for (let turn = 0; turn < 2_000 && app.deps.lifecycle.inFlight > 0; turn++) await Bun.sleep(5);
    const [asked] = await read(who);
    expect(asked).toMatchObject({ action: 'password_reset_asked', actor: 'anyone', email: null, address: 'memory' });
  });

  test('is append-only: neither database role of the server can change or delete an entry', async () => {
    const who = await app.register();
    const [row] = await app.books.asOwner(
      (sql) => sql<{ id: string }[]>`
        select m.taxpayer_id as id from memberships m join users u on u.id = m.user_id where u.email = ${who.email}`,
    );
    const id = row?.id ?? '';
    const statements = [
      `update audit_entries set action = 'x' where taxpayer_id = '${id}'`,
      `delete from audit_entries where taxpayer_id = '${id}'`,
      'truncate audit_entries',
    ];
    for (const statement of statements) {
      const { database } = app.books;
      for (const attempt of [
        () => database.asTaxpayer(id, (sql) => sql.unsafe(statement)),
        () => database.asService((sql) => sql.unsafe(statement)),
      ]) {
        expect(await attempt().then(() => 'done', codeOf)).toBe('42501');
      }
    }
    expect(await fetchActions(who)).toEqual(['account_created']);
  });

  test('is deleted with the account, leaving only the fact of the deletion', async () => {
    const who = await app.register();
    const { id } = await who.json<{ id: string }>('GET', '/v1/account');
    await who.json('DELETE', '/v1/account', { body: { password: who.password } });
    await letTimePass(app, 15 * 86_400);
    await eraseNow(app);
    const [left] = await app.books.asOwner(
      (sql) => sql<{ entries: number; byOperator: boolean }[]>`
        select (select count(*)::integer from audit_entries where user_id = ${id}) as entries, by_operator as "byOperator"
        from deleted_accounts where user_id = ${id}`,
    );
    expect(left).toEqual({ entries: 0, byOperator: false });
  });
});

/** Returns the SQLSTATE. insufficient_privilege is 42501. */
function codeOf(reason: unknown): unknown {
  return reason instanceof Error && 'code' in reason ? reason.code : reason;
}
