import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { letTimePass, sessionCookie, type TestApp, testApp } from '../support/app.ts';
import { draws } from '../support/depth.ts';
import { withoutMemory } from '../support/remembered-hashes.ts';

// Uses a fifth of each limit: a network gets two wrong guesses at one account and six in total, and one account gets
// ten in total.
const env = { RATE_LIMIT_FACTOR: '0.2', TRUSTED_PROXIES: '127.0.0.1' };
const password = 'correct horse battery';

let app: TestApp;
let servers: Bun.Server<undefined>[];
beforeAll(async () => {
  app = await testApp({ env });
  // Two servers that share only the database.
  servers = [app.app, app.another().app].map((node) => {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => node.fetch(request) });
    node.server = server;
    return server;
  });
});
afterAll(async () => {
  for (const server of servers) await server.stop(true);
  await app.close();
});

let turn = 0;
/** Sends the request from this address, alternating between the servers. */
async function post(address: string, path: string, body: object, cookie = ''): Promise<Response> {
  turn += 1;
  const url = new URL(`/v1/auth/${path}`, servers[turn % servers.length]?.url);
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address, cookie };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

let people = 0;
/** Registers a user from their home address. */
async function register(): Promise<{ email: string; cookies: string; device: string }> {
  people += 1;
  const email = `owner${people}@example.com`;
  const response = await post(`198.51.100.${people}`, 'register', { email, password });
  const [session = '', device = ''] = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  return { email, cookies: `${session}; ${device}`, device };
}

const readStatus = async (answer: Promise<Response>): Promise<number> => (await answer).status;
const login = (address: string, email: string, guess: string, cookie = '') =>
  readStatus(post(address, 'login', { email, password: guess }, cookie));

describe('a guesser', () => {
  test('gets a few attempts at many accounts from one address, and all servers count them together', async () => {
    const statuses: number[] = [];
    for (let at = 0; at < 30; at += 1)
      statuses.push(await login('203.0.113.1', `victim${at}@example.com`, 'spring season'));
    expect(statuses.filter((status) => status === 401)).toHaveLength(6);
    expect(statuses.slice(6)).toEqual(Array(24).fill(429));
    expect(await login('2001:db8:1::1', 'victim1@example.com', 'spring season')).toBe(401);
  });

  test('is counted exactly when all guesses arrive at once', async () => {
    const { email } = await register();
    const guesses = Array.from({ length: 30 }, (_, at) => login('203.0.113.2', email, `a guess ${at}`));
    const tried = (await Promise.all(guesses)).filter((status) => status === 401);
    // Two guesses are allowed, plus those already in progress on the two servers, each with at most four slots.
    expect(tried.length).toBeLessThanOrEqual(2 + 2 * 4);
  });

  test('gets the same responses whether or not an account exists', async () => {
    const { email } = await register();
    const answers = async (address: string, at: string): Promise<unknown[]> => {
      const found: unknown[] = [];
      for (let count = 0; count < 3; count += 1) {
        const response = await post(address, 'login', { email: at, password: 'spring season' });
        const { instance: _, ...problem } = (await response.json()) as Record<string, unknown>;
        found.push(problem);
      }
      return found;
    };
    expect(await answers('203.0.113.3', email)).toEqual(await answers('203.0.113.4', 'nobody@example.com'));
  });

  test('may continue after a while, and leaves no address in the database', async () => {
    const { email } = await register();
    for (let count = 0; count < 3; count += 1) await login('203.0.113.5', email, 'spring season');
    expect(await login('203.0.113.5', email, password)).toBe(429);
    await letTimePass(app, 3600);
    expect(await login('203.0.113.5', email, password)).toBe(200);
    const rows = await app.books.asOwner((sql) => sql`select w::text as text from wrong_guesses w`);
    expect(JSON.stringify(rows)).not.toMatch(/example|203\.0|guess/);
  });
});

describe('the owner of an account under attack', () => {
  test("signs in from a new address, and from a known browser behind the guesser's address", async () => {
    const { email, device } = await register();
    for (let at = 0; at < 6; at += 1) {
      for (let count = 0; count < 2; count += 1) await login(`192.0.2.${at}`, email, 'spring season');
    }
    // A network gets one guess instead of two at an account under attack.
    expect(await login('192.0.2.100', email, 'spring season')).toBe(401);
    expect(await login('192.0.2.100', email, password)).toBe(429);
    expect(await login('192.0.2.101', email, password)).toBe(200);
    expect(await login('192.0.2.0', email, password)).toBe(429);
    expect(await login('192.0.2.0', email, password, device)).toBe(200);
  });

  test('can change the password in a session, where only wrong guesses in that session count', async () => {
    const { email, cookies } = await register();
    for (let at = 0; at < 4; at += 1) await login(`192.0.2.${200 + at}`, email, 'spring season');
    const change = (current: string) =>
      readStatus(post('192.0.2.200', 'password', { current, password: 'a better horse' }, cookies));
    expect([await change('wrong'), await change('wrong'), await change(password)]).toEqual([401, 401, 429]);
    await letTimePass(app, 3600);
    expect(await change(password)).toBe(204);
  });

  test('cannot be attacked from a device that is known only to another user', async () => {
    const [mine, theirs] = [await register(), await register()];
    for (let count = 0; count < 2; count += 1) await login('203.0.113.9', mine.email, 'spring season', theirs.device);
    expect(await login('203.0.113.9', mine.email, password, theirs.device)).toBe(429);
  });
});

test('a browser is forgotten after the password changes elsewhere', async () => {
  const { email, cookies, device } = await register();
  const elsewhere = await post('198.51.100.99', 'login', { email, password });
  const change = { current: password, password: 'a better horse' };
  expect(await readStatus(post('198.51.100.99', 'password', change, sessionCookie(elsewhere)))).toBe(204);
  const [row] = await app.books.asOwner(
    (sql) => sql<{ count: number }[]>`
      select count(*)::integer as count from devices d join users u on u.id = d.user_id where u.email = ${email}`,
  );
  expect([row?.count, cookies.includes(device)]).toEqual([0, true]);
});

test('the next sign-in replaces a hash with weaker parameters', async () => {
  const { email } = await register();
  const weak = await Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 8192, timeCost: 1 });
  await app.books.asOwner((sql) => sql`update users set password_hash = ${weak} where email = ${email}`);
  const hashNow = async (): Promise<string> => {
    const [row] = await app.books.asOwner(
      (sql) => sql<{ hash: string }[]>`
      select password_hash as hash from users where email = ${email}`,
    );
    return row?.hash ?? '';
  };
  expect(await login('198.51.100.50', email, 'wrong horse')).toBe(401);
  expect(await hashNow()).toBe(weak);
  expect(await login('198.51.100.51', email, password)).toBe(200);
  const renewed = await hashNow();
  expect(renewed).toStartWith('$argon2id$v=19$m=19456,t=2,');
  expect(await login('198.51.100.52', email, password)).toBe(200);
  expect(await hashNow()).toBe(renewed);
});

test('many concurrent sign-ins succeed while other requests are served', async () => {
  const calm = await testApp();
  const [who, other] = [await calm.register(), await calm.register()];
  const body = { email: who.email, password: who.password };
  let isOver = false;
  const signIns = withoutMemory(() =>
    Promise.all(
      Array.from({ length: draws(60, 200) }, () => readStatus(calm.request('POST', '/v1/auth/login', { body }))),
    ),
  ).finally(() => {
    isOver = true;
  });
  let answered = 0;
  while (!isOver) {
    expect((await other.request('GET', '/v1/status')).status).toBe(200);
    answered += 1;
    await Bun.sleep(20);
  }
  expect(new Set(await signIns)).toEqual(new Set([200]));
  expect(answered).toBeGreaterThan(5);
  await calm.close();
});
