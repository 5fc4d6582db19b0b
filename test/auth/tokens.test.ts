import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readProblem } from '../http/mini.ts';
import { letTimePass, type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf } from '../support/books.ts';

let app: TestApp;
let one: TestClient;
beforeAll(async () => {
  app = await testApp();
  one = await app.register('CPA');
});
afterAll(() => app.close());

interface Listed {
  readonly id: string;
  readonly lastUsedAt: string | null;
}
interface Made extends Listed {
  readonly token: string;
}

const tokens = '/v1/auth/tokens';
const day = 86_400;
const make = (who: TestClient, given: object = {}): Promise<Made> =>
  who.json<Made>('POST', tokens, { body: { name: 'Nightly', scopes: ['read'], ...given } }, 201);
const ask = (token: string, method: string, path: string, given: { body?: unknown; headers?: object } = {}) =>
  app.request(method, path, { ...given, headers: { authorization: `Bearer ${token}`, ...given.headers } });
const list = async (who: TestClient) => (await who.json<{ data: Listed[] }>('GET', tokens)).data;

describe('a token', () => {
  test('is shown once, and only a hash of its secret is stored', async () => {
    const { id, token, ...more } = await make(one, { scopes: ['read', 'import', 'read'] });
    expect(token).toMatch(/^lot_[a-z2-7]{24}_[a-z2-7]{32}$/);
    expect(more).toMatchObject({ name: 'Nightly', scopes: ['read', 'import'], client: null, lastUsedAt: null });
    expect(await list(one)).toContainEqual({ id, ...more } as Listed);
    const secret = token.slice(-32);
    const [row] = await app.books.asOwner(
      (sql) => sql<{ text: string }[]>`select k::text as text from access_tokens k where id = ${id}`,
    );
    expect(row?.text).toContain(id);
    expect(row?.text).not.toContain(secret);
    expect((await app.mails()).at(-1)).toMatchObject({ to: one.email, subject: expect.stringContaining('token') });
  });

  test('works without a cookie and from any origin, but not together with a cookie', async () => {
    const { token } = await make(one, { scopes: ['import', 'read'] });
    const headers = { 'content-type': 'text/csv', 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' };
    const body = csvOf('buy 2024-01-02 1 X @10');
    expect((await ask(token, 'POST', '/v1/transactions/import', { body, headers })).status).toBe(201);
    expect((await ask(token, 'GET', '/v1/tax/lots')).status).toBe(200);
    const both = await one.request('GET', '/v1/tax/lots', { headers: { authorization: `bearer ${token}` } });
    expect([both.status, (await readProblem(both)).code]).toEqual([400, 'two_credentials']);
    // A proxy in front of the server may require its own password.
    const basic = await one.request('GET', '/v1/tax/lots', { headers: { authorization: 'Basic YTpi' } });
    expect(basic.status).toBe(200);
    const crossed = await one.request('POST', '/v1/tax/calculate', { headers: { 'sec-fetch-site': 'cross-site' } });
    expect((await readProblem(crossed)).code).toBe('csrf');
  });

  test('can do what its scopes allow, but never what requires a person', async () => {
    const { token } = await make(one);
    const refused = await ask(token, 'POST', '/v1/tax/calculate', { body: {} });
    expect(refused.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope"');
    expect(await readProblem(refused)).toMatchObject({ status: 403, code: 'insufficient_scope', scopes: ['write'] });
    const all = await make(one, { scopes: ['read', 'import', 'write', 'reports'] });
    for (const [method, path] of [
      ['POST', '/v1/auth/password'],
      ['POST', '/v1/auth/email'],
      ['DELETE', '/v1/auth/totp'],
      ['GET', '/v1/auth/sessions'],
      ['GET', tokens],
      ['POST', tokens],
      ['DELETE', '/v1/account'],
      ['POST', '/v1/auth/logout'],
    ] as const) {
      const response = await ask(all.token, method, path, method === 'GET' ? {} : { body: {} });
      expect([path, response.status, (await readProblem(response)).code]).toEqual([path, 403, 'forbidden']);
    }
  });

  test('is refused in the same way if any character is wrong, or if it is revoked or expired', async () => {
    const person = await app.register('CPA');
    const { id, token } = await make(person, { days: 2 });
    const revoked = await make(person);
    const wrong = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`;
    for (const bad of [wrong, '', 'lot_', token.toUpperCase(), `${token} x`, token.replace('lot_', ''), one.cookie]) {
      const response = await ask(bad, 'GET', '/v1/tax/lots');
      expect([bad, response.status]).toEqual([bad, 401]);
      expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
      expect((await readProblem(response)).code).toBe('invalid_token');
    }
    expect((await ask(token, 'GET', '/v1/tax/lots')).status).toBe(200);
    await letTimePass(app, day);
    expect((await ask(token, 'GET', '/v1/tax/lots')).status).toBe(200);
    await letTimePass(app, day);
    expect((await ask(token, 'GET', '/v1/tax/lots')).status).toBe(401);
    expect((await person.request('DELETE', `${tokens}/${revoked.id}`)).status).toBe(204);
    expect((await ask(revoked.token, 'GET', '/v1/tax/lots')).status).toBe(401);
    expect((await list(person)).map((row) => row.id)).not.toContain(revoked.id);
    // An expired token stays in the list until the user revokes it.
    expect((await list(person)).map((row) => row.id)).toContain(id);
  });

  test('shows when it was last used', async () => {
    const person = await app.register('CPA');
    const { id, token } = await make(person);
    await ask(token, 'GET', '/v1/tax/lots');
    const used = (await list(person)).find((row) => row.id === id)?.lastUsedAt;
    expect(used).not.toBeNull();
    await letTimePass(app, 90);
    await ask(token, 'GET', '/v1/tax/lots');
    expect((await list(person)).find((row) => row.id === id)?.lastUsedAt).not.toBe(used as string);
  });

  test('can be revoked only by its owner, and is removed with the account', async () => {
    const [mine, other] = [await app.register(), await app.register()];
    const { id, token } = await make(mine);
    expect((await other.request('DELETE', `${tokens}/${id}`)).status).toBe(404);
    expect(await list(other)).toEqual([]);
    await mine.json('DELETE', '/v1/account', { body: { password: mine.password } });
    expect((await ask(token, 'GET', '/v1/tax/lots')).status).toBe(401);
  });

  test('shares its rate limit with the other tokens of the account', async () => {
    const slow = await testApp({ env: { RATE_LIMIT_FACTOR: '0.01' } });
    const person = await slow.register();
    const [first, second] = [await make(person), await make(person)];
    const statuses: number[] = [];
    for (const { token } of Array.from({ length: 5 }, () => [first, second]).flat()) {
      const headers = { authorization: `Bearer ${token}` };
      statuses.push((await slow.request('GET', '/v1/tax/years', { headers })).status);
    }
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(8);
    expect(statuses.at(-1)).toBe(429);
    expect((await person.request('GET', '/v1/tax/years')).status).toBe(200);
    await slow.close();
  });

  test('can be created only soon after its owner proved their identity', async () => {
    const person = await app.register();
    await letTimePass(app, 16 * 60);
    const refused = await person.request('POST', tokens, { body: { name: 'Late', scopes: ['read'] } });
    expect([refused.status, (await readProblem(refused)).code]).toEqual([403, 'reauthentication_required']);
  });

  test('is limited to fifty per account, also under parallel requests', async () => {
    const who = await app.register();
    const body = { name: 'One of many', scopes: ['read'] };
    const answers = await Promise.all(Array.from({ length: 60 }, () => who.request('POST', tokens, { body })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(10);
    expect((await who.json<{ data: object[] }>('GET', `${tokens}?limit=60`)).data).toHaveLength(50);
  });

  test('requires a name, a scope and an expiration in days', async () => {
    const person = await app.register('CPA');
    for (const body of [
      { name: ' ', scopes: ['read'] },
      { name: 'x', scopes: [] },
      { name: 'x', scopes: ['admin'] },
      { name: 'x', scopes: ['read'], days: 0 },
      { name: 'x', scopes: ['read'], days: 367 },
      { name: 'x' },
    ]) {
      expect((await person.request('POST', tokens, { body })).status).toBe(422);
    }
    const { data } = await person.json<{ data: { expiresAt: string; createdAt: string }[] }>('GET', tokens);
    for (const row of data) {
      expect(Date.parse(row.expiresAt) - Date.parse(row.createdAt)).toBeLessThanOrEqual(366 * day * 1000);
    }
  });
});

describe('a token for one client', () => {
  test("gives access to that client's books only, and never to the account", async () => {
    const person = await app.register('CPA');
    const { id: client } = await person.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Jo' } }, 201);
    const { id: second } = await person.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Bo' } }, 201);
    const { token } = await make(person, { client, scopes: ['read', 'write'] });
    expect((await ask(token, 'GET', `/v1/tax/lots?client=${client}`)).status).toBe(200);
    const elsewhere = ['', `?client=${second}`, `?client=${crypto.randomUUID()}`].map(
      (query) => `/v1/tax/lots${query}`,
    );
    for (const path of [...elsewhere, '/v1/account', '/v1/clients', `/v1/clients/${client}`, '/v1/status/clients']) {
      const response = await ask(token, 'GET', path);
      expect([path, response.status, (await readProblem(response)).code]).toEqual([path, 403, 'forbidden']);
    }
    expect((await person.request('DELETE', `/v1/clients/${client}`)).status).toBe(204);
    expect((await ask(token, 'GET', `/v1/tax/lots?client=${client}`)).status).toBe(401);
  });

  test('can be created only by users with access to that client', async () => {
    const person = await app.register('CPA');
    const other = await app.register('CPA');
    const { id: client } = await other.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Al' } }, 201);
    for (const id of [client, crypto.randomUUID(), 'nobody']) {
      const response = await person.request('POST', tokens, { body: { name: 'x', scopes: ['read'], client: id } });
      expect(response.status).toBe(404);
    }
  });
});
