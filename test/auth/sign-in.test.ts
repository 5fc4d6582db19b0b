import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type LogFields, silentLog } from '../../src/deps.ts';
import { letTimePass, sessionCookie, type TestApp, testApp, testClock } from '../support/app.ts';
import { withoutMemory } from '../support/remembered-hashes.ts';

const clock = testClock('2025-06-01T12:00:00Z');
let app: TestApp;

beforeAll(async () => {
  app = await testApp({ clock });
});
afterAll(() => app.close());

const post = (path: string, body: unknown, cookie?: string) =>
  app.request('POST', `/v1/auth/${path}`, cookie === undefined ? { body } : { body, cookie });

describe('register', () => {
  test('creates an account on the FREE plan and signs in', async () => {
    const response = await post('register', { email: 'New@Example.com', password: 'correct horse' });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({
      email: 'new@example.com',
      plan: 'FREE',
      timeZone: 'UTC',
      usage: { transactions: 0, transactionLimit: 50, aiMessagesPerDay: 5, clients: 0, clientLimit: 0 },
    });
    expect((await app.request('GET', '/v1/account', { cookie: sessionCookie(response) })).status).toBe(200);
  });

  test('sets the documented session cookie, and one that recognizes the browser', async () => {
    const response = await post('register', { email: 'cookie@example.com', password: 'correct horse' });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^session=[a-z2-7]{24}\.[a-z2-7]{32}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^device=[a-z2-7]{32}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test('returns 409 for an address in use, regardless of case', async () => {
    await post('register', { email: 'taken@example.com', password: 'correct horse' });
    const response = await post('register', { email: 'TAKEN@example.com', password: 'other horse' });
    expect([response.status, (await response.json()).code]).toEqual([409, 'email_taken']);
  });

  test('creates one account for concurrent requests with the same address', async () => {
    const credentials = { email: 'twice@example.com', password: 'correct horse' };
    const responses = await Promise.all(Array.from({ length: 8 }, () => post('register', credentials)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });

  test('refuses invalid addresses and passwords that are too short or too long', async () => {
    const good = { email: 'ok@example.com', password: 'correct horse' };
    for (const wrong of [
      { email: 'nobody' },
      { email: 'a b@c.de' },
      { email: 'a@b' },
      // Characters that look like ASCII: full-width, Cyrillic, and in the domain.
      { email: '\uff41@example.com' },
      { email: '\u0430nn@example.com' },
      { email: 'ann@ex\u0430mple.com' },
      { email: 'a@b.c' },
      { email: 'a@.example.com' },
      { email: 'a@example..com' },
      { password: 'short' },
      { password: 'x'.repeat(201) },
    ]) {
      expect((await post('register', { ...good, ...wrong })).status).toBe(422);
    }
  });
});

describe('login', () => {
  const credentials = { email: 'login@example.com', password: 'correct horse' };

  test("creates a new session and ends the browser's previous one", async () => {
    const old = sessionCookie(await post('register', credentials));
    const response = await post('login', { ...credentials, email: 'LOGIN@example.com' }, old);
    expect(response.status).toBe(200);
    const fresh = sessionCookie(response);
    expect(fresh).not.toBe(old);
    expect((await app.request('GET', '/v1/account', { cookie: old })).status).toBe(401);
    expect((await app.request('GET', '/v1/account', { cookie: fresh })).status).toBe(200);
  });

  test('returns the same response, after the same work, for a wrong password and an unknown address', async () => {
    const found = async (body: unknown) => {
      const started = process.cpuUsage();
      const response = await post('login', body);
      const { instance: _, ...problem } = await response.json();
      const { user, system } = process.cpuUsage(started);
      return { status: response.status, problem, milliseconds: (user + system) / 1000 };
    };
    const [wrong, nobody] = await withoutMemory(async () => {
      await found({ email: 'warm@example.com', password: 'warm' });
      return [
        await found({ ...credentials, password: 'wrong horse' }),
        await found({ email: 'nobody@example.com', password: 'wrong horse' }),
      ] as const;
    });
    expect(wrong.status).toBe(401);
    expect(wrong.problem.code).toBe('invalid_credentials');
    expect(nobody.problem).toEqual(wrong.problem);
    // argon2id takes 28 ms of processor time, so a response without it would take much less.
    expect(nobody.milliseconds).toBeGreaterThan(wrong.milliseconds / 4);
  });

  test('accepts any code if no second factor is set up', async () => {
    const who = await app.register();
    const body = { email: who.email, password: who.password, totp: '123456' };
    expect((await app.request('POST', '/v1/auth/login', { body })).status).toBe(200);
  });

  test('returns 401 for an empty password', async () => {
    expect((await post('login', { ...credentials, password: '' })).status).toBe(401);
  });

  test('logs a failure without the email address', async () => {
    const lines: unknown[] = [];
    const log = { ...silentLog, warn: (event: string, fields?: LogFields) => lines.push([event, fields]) };
    const watched = await testApp({ log });
    await watched.request('POST', '/v1/auth/login', { body: { email: 'nobody@example.com', password: 'wrong horse' } });
    expect(lines).toEqual([
      ['sign-in failed', { requestId: expect.any(String), address: 'memory', way: 'password', userId: null }],
    ]);
    await watched.close();
  });

  test('allows a limited number of attempts per address', async () => {
    const limited = await testApp({ clock, env: { RATE_LIMIT_FACTOR: '0.2' } });
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      const body = { email: 'guess@example.com', password: `guess ${count}` };
      const response = await limited.request('POST', '/v1/auth/login', { body });
      statuses.push(response.status);
      if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([401, 401, 429, 429, 429, 429]);
    await limited.close();
  });
});

describe('a session', () => {
  test("ends after seven days by the database clock, even if the server's clock is a year ahead", async () => {
    const ahead = await testApp({ clock: testClock('2199-01-01T00:00:00Z') });
    const who = await ahead.register();
    await letTimePass(ahead, 7 * 86_400 - 60);
    expect((await who.request('GET', '/v1/account')).status).toBe(200);
    await letTimePass(ahead, 61);
    expect((await who.request('GET', '/v1/account')).status).toBe(401);
    await ahead.close();
  });

  test('ends seven days after the sign-in, regardless of use', async () => {
    const who = await app.register();
    for (let day = 0; day < 6; day += 1) {
      await letTimePass(app, 86_400);
      expect((await who.request('GET', '/v1/account')).status).toBe(200);
    }
    await letTimePass(app, 86_400);
    const response = await who.request('GET', '/v1/account');
    expect([response.status, (await response.json()).code]).toEqual([401, 'unauthenticated']);
  });

  test('cannot be opened with another secret or an invalid token', async () => {
    const who = await app.register();
    const id = who.cookie.slice('session='.length, -33);
    for (const token of [`${id}.${'a'.repeat(32)}`, id, `${id}.`, '', '.', 'null', '{}', "' or 1=1"]) {
      expect((await app.request('GET', '/v1/account', { cookie: `session=${token}` })).status).toBe(401);
    }
  });

  test('is stored without its secret', async () => {
    const who = await app.register();
    const secret = who.cookie.slice(-32);
    const [row] = await app.books.asOwner(
      (sql) => sql<{ text: string }[]>`select string_agg(s::text, ' ') as text from sessions s`,
    );
    expect(row?.text).toContain(who.cookie.slice('session='.length, -33));
    expect(row?.text).not.toContain(secret);
  });

  test('is Secure if the public address uses https', async () => {
    const secure = await testApp({ env: { BASE_URL: 'https://lotbook.example' } });
    const body = { email: 'a@example.com', password: 'correct horse' };
    const response = await secure.request('POST', '/v1/auth/register', { body });
    expect(response.headers.getSetCookie()[0]).toEndWith('; Secure');
    await secure.close();
  });

  test('is ended by logout, which also clears the cookie', async () => {
    const who = await app.register();
    const response = await who.request('POST', '/v1/auth/logout');
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(response.headers.getSetCookie()[0]).toStartWith('session=; Max-Age=0;');
    expect(response.headers.get('clear-site-data')).toBe('"cache", "storage"');
    expect((await who.request('GET', '/v1/account')).status).toBe(401);
  });
});

describe('the open sessions', () => {
  interface Listed {
    data: { id: string; device: string; current: boolean }[];
    hasMore: boolean;
    nextCursor: string | null;
  }

  test('are listed newest first with their device, page by page, and can be ended one by one', async () => {
    const who = await app.register();
    const { email, password } = who;
    for (const device of ['phone', 'tablet']) {
      await app.request('POST', '/v1/auth/login', { body: { email, password }, headers: { 'user-agent': device } });
    }
    const { data, hasMore } = await who.json<Listed>('GET', '/v1/auth/sessions');
    expect(hasMore).toBe(false);
    expect(data.map(({ device, current }) => [device, current])).toEqual([
      ['tablet', false],
      ['phone', false],
      ['', true],
    ]);
    const first = await who.json<Listed>('GET', '/v1/auth/sessions?limit=2');
    const second = await who.json<Listed>('GET', `/v1/auth/sessions?limit=2&cursor=${first.nextCursor}`);
    expect([...first.data, ...second.data]).toEqual(data);
    expect(second.nextCursor).toBeNull();

    expect((await who.request('DELETE', `/v1/auth/sessions/${data[1]?.id}`)).status).toBe(204);
    expect((await who.json<Listed>('GET', '/v1/auth/sessions')).data.map(({ device }) => device)).toEqual([
      'tablet',
      '',
    ]);
  });

  test("exclude other users' sessions", async () => {
    const [mine, theirs] = [await app.register(), await app.register()];
    const { data } = await theirs.json<Listed>('GET', '/v1/auth/sessions');
    expect((await mine.request('DELETE', `/v1/auth/sessions/${data[0]?.id}`)).status).toBe(404);
    expect((await theirs.request('GET', '/v1/account')).status).toBe(200);
  });
});
