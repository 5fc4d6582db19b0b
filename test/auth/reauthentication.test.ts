import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createApp } from '../../src/app.ts';
import { letTimePass, sessionCookie, type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { type ProviderStandIn, standInCredentials, startProvider } from '../support/provider.ts';
import { computeCode, withFactor } from '../support/second-factor.ts';

const clock = testClock('2026-02-01T12:00:00Z');
let app: TestApp;
let provider: ProviderStandIn;
beforeAll(async () => {
  app = await testApp({ clock, env: standInCredentials });
  provider = startProvider();
});
afterAll(async () => {
  await provider.close();
  await app.close();
});

const prove = (who: Pick<TestClient, 'request'>, body: object) =>
  who.request('POST', '/v1/auth/reauthenticate', { body });
const readCode = async (response: Response) => ((await response.json()) as { code?: string }).code;
const fifteenMinutes = 15 * 60;

describe('a session that is more than 15 minutes old', () => {
  test('cannot change how the account signs in until the user proves their identity', async () => {
    const who = await app.register();
    const acts: readonly (readonly [method: string, path: string, body: object, done: number])[] = [
      ['POST', '/v1/auth/email', { email: 'elsewhere@example.com' }, 202],
      ['POST', '/v1/auth/totp', {}, 200],
      ['DELETE', '/v1/auth/totp', { totp: '123456' }, 204],
    ];
    await letTimePass(app, fifteenMinutes - 30);
    expect((await who.request('POST', '/v1/auth/totp', { body: {} })).status).toBe(200);
    await letTimePass(app, 30);
    for (const [method, path, body] of acts) {
      const response = await who.request(method, path, { body });
      expect([path, response.status, await readCode(response)]).toEqual([path, 403, 'reauthentication_required']);
    }
    const cookie = sessionCookie(await prove(who, { password: who.password }));
    for (const [method, path, body, done] of acts) {
      expect([path, (await who.request(method, path, { body, cookie })).status]).toEqual([path, done]);
    }
  });

  test('still accepts the password in the request itself', async () => {
    const who = await app.register();
    await letTimePass(app, fifteenMinutes);
    const { password } = who;
    expect((await who.request('POST', '/v1/auth/totp', { body: { password } })).status).toBe(200);
    const change = { current: password, password: 'a longer horse, a better battery' };
    expect((await who.request('POST', '/v1/auth/password', { body: change })).status).toBe(204);
    const deletion = { password: change.password };
    expect((await who.request('DELETE', '/v1/account', { body: deletion })).status).toBe(204);
  });

  test('can read and write books', async () => {
    const who = await app.register();
    await letTimePass(app, 86_400);
    const body = 'date,type,account,asset,quantity,amount\n2024-01-02,buy,Broker,KO,1,60\n';
    const headers = { 'content-type': 'text/csv' };
    expect((await who.request('POST', '/v1/transactions/import', { body, headers })).status).toBe(201);
  });
});

describe('the proof of identity', () => {
  test('gives the session a new secret and does not extend it', async () => {
    const who = await app.register();
    await letTimePass(app, 86_400);
    const response = await prove(who, { password: who.password });
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^session=[a-z2-7]{24}\.[a-z2-7]{32}; Max-Age=518400; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    const cookie = sessionCookie(response);
    expect(cookie.split('.')[0]).toBe(who.cookie.split('.')[0]);
    expect((await who.request('GET', '/v1/account')).status).toBe(401);
    expect((await who.request('GET', '/v1/account', { cookie })).status).toBe(200);
    await letTimePass(app, 6 * 86_400);
    expect((await who.request('GET', '/v1/account', { cookie })).status).toBe(401);
  });

  test('needs one correct password or one correct code', async () => {
    const who = await app.register();
    for (const body of [{}, { password: who.password, totp: '123456' }, { pin: '1' }]) {
      expect([body, (await prove(who, body)).status]).toEqual([body, 422]);
    }
    for (const body of [{ password: 'wrong horse' }, { password: '' }, { totp: '123456' }]) {
      const response = await prove(who, body);
      expect([body, response.status, await readCode(response)]).toEqual([body, 401, 'invalid_credentials']);
    }
    expect((await who.request('GET', '/v1/account')).status).toBe(200);
  });

  test('accepts each code once', async () => {
    const { who, secret } = await withFactor(app, clock);
    const body = { totp: computeCode(clock, secret) };
    const cookie = sessionCookie(await prove(who, body));
    const again = await who.request('POST', '/v1/auth/reauthenticate', { body, cookie });
    expect([again.status, await readCode(again)]).toEqual([401, 'totp_required']);
  });

  test('allows only a few guesses', async () => {
    const limited = await testApp({ env: { RATE_LIMIT_FACTOR: '0.3' } });
    const who = await limited.register();
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      statuses.push((await prove(who, { password: `wrong horse ${count}` })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    await limited.close();
  });
});

test('the sign-in methods are listed, and a user with only a provider signs in there again', async () => {
  const who = await app.register();
  expect(await who.json('GET', '/v1/auth/methods')).toEqual({
    password: true,
    totp: false,
    passkeys: 0,
    providers: [],
  });
  const site = createApp(app.deps, { endpoints: provider.endpoints });
  const ask = async (method: string, path: string, cookie: string, body?: object) =>
    site.fetch(
      new Request(`http://localhost:3000${path}`, {
        method,
        headers: { cookie, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  const person = { id: 77, email: 'social77@example.com', verified: true, name: 'Person 77' };
  const signIn = async (cookie = '') => {
    const start = await ask('GET', '/auth/github', cookie);
    const flow = start.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const back = provider.consent(new URL(start.headers.get('location') ?? ''), person);
    return sessionCookie(await ask('GET', `${back.pathname}${back.search}`, `${flow}; ${cookie}`));
  };
  const first = await signIn();
  const methods = await (await ask('GET', '/v1/auth/methods', first)).json();
  expect(methods).toEqual({ password: false, totp: false, passkeys: 0, providers: ['github'] });
  await letTimePass(app, fifteenMinutes);
  const password = { password: 'first password' };
  expect((await ask('POST', '/v1/auth/password', first, password)).status).toBe(403);
  expect((await ask('POST', '/v1/auth/reauthenticate', first, password)).status).toBe(401);
  expect((await ask('POST', '/v1/auth/password', await signIn(first), password)).status).toBe(204);
});
