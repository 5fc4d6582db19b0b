import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { letTimePass, type TestApp, testApp } from '../support/app.ts';

/** Two servers that share a database, behind a proxy that names the client. */
let app: TestApp;
let servers: readonly ((request: Request) => Promise<Response>)[];
beforeAll(async () => {
  app = await testApp({ env: { RATE_LIMIT_FACTOR: '1', TRUSTED_PROXIES: '10.0.0.1' } });
  const other = app.another().app;
  // The socket address would be the proxy's.
  servers = [app.app, other].map((each) => {
    each.server = { requestIP: () => ({ address: '10.0.0.1' }) } as unknown as typeof each.server;
    return async (request) => each.fetch(request);
  });
});
afterAll(() => app.close());

let turn = 0;
/** Sends each request to the other server. */
async function ask(from: string, path: string, body: object, cookie = ''): Promise<Response> {
  turn += 1;
  const headers = { 'x-forwarded-for': from, 'content-type': 'application/json', cookie };
  const request = new Request(`http://localhost/v1/auth/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const answer = await servers[turn % 2]?.(request);
  if (answer === undefined) throw new Error('There is no such server.');
  return answer;
}

async function counted(answers: Iterable<Promise<Response>>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const answer of answers) {
    const { status } = await answer;
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

async function settled(): Promise<void> {
  while (app.deps.lifecycle.inFlight > 0) await Bun.sleep(2);
}

const password = 'correct horse battery';
const numbered = (count: number, each: (at: number) => Promise<Response>) => {
  return (function* () {
    for (let at = 0; at < count; at += 1) yield each(at);
  })();
};

describe('two servers together', () => {
  test('one network cannot trigger emails to 150 accounts, even from several addresses', async () => {
    const asked = await counted(
      numbered(150, (at) => ask(`2001:db8:1:1::${at + 1}`, 'password/reset', { email: `many${at}@example.com` })),
    );
    expect(asked).toEqual({ 202: 30, 429: 120 });
    const elsewhere = await ask('2001:db8:1:2::1', 'password/reset', { email: 'many1@example.com' });
    expect(elsewhere.status).toBe(202);
  });

  test('other people can trigger only a few emails to an account, and its owner can still request one from a known browser', async () => {
    const owner = { email: 'owner@example.com', password };
    const made = await ask('198.51.100.1', 'register', owner);
    const device =
      made.headers
        .getSetCookie()
        .find((line) => line.startsWith('device='))
        ?.split(';')[0] ?? '';
    await settled();
    const mailsBefore = (await app.mails()).length;
    const asked = await counted(numbered(20, (at) => ask(`203.0.113.${at}`, 'password/reset', { email: owner.email })));
    await settled();
    expect([asked, (await app.mails()).length - mailsBefore]).toEqual([{ 202: 20 }, 3]);
    // The links have expired, but the count of requests by others has hardly dropped.
    await letTimePass(app, 31 * 60);
    await counted(numbered(20, (at) => ask(`203.0.113.${at + 50}`, 'password/reset', { email: owner.email })));
    await settled();
    const sent = (await app.mails()).length - mailsBefore;
    expect(sent).toBeLessThanOrEqual(3 + 3);
    expect((await ask('198.51.100.1', 'login', owner)).status).toBe(200);
    await letTimePass(app, 31 * 60);
    await settled();
    const before = (await app.mails()).length;
    expect((await ask('198.51.100.1', 'password/reset', { email: owner.email }, device)).status).toBe(202);
    await settled();
    expect((await app.mails()).length - before).toBe(1);
  });

  test('registration does not reveal which addresses have accounts, and their owners can still sign in', async () => {
    const known = { email: 'known@example.com', password };
    expect((await ask('198.51.100.7', 'register', known)).status).toBe(201);
    const tried = await counted(numbered(50, () => ask('203.0.113.200', 'register', known)));
    expect(tried).toEqual({ 409: 30, 429: 20 });
    const fresh = { email: 'fresh@example.com', password };
    expect((await ask('203.0.113.201', 'register', fresh)).status).toBe(201);
    expect((await ask('198.51.100.7', 'login', known)).status).toBe(200);
  });

  test('a caller that changes networks within a /56 or a /48 gets no extra guesses', async () => {
    const started = performance.now();
    const owner = { email: 'rotated@example.com', password };
    expect((await ask('198.51.100.8', 'register', owner)).status).toBe(201);
    const guess = { ...owner, password: 'spring season' };
    const hex = (index: number) => index.toString(16).padStart(2, '0');
    const within56 = numbered(40, (index) => ask(`2001:db8:7:aa${hex(index)}::1`, 'login', guess));
    expect(await counted(within56)).toEqual({ 401: 20, 429: 20 });
    // A /64 gets 10 guesses at an account, a /56 gets 20, and a /48 gets 40.
    const within48 = numbered(60, (index) => ask(`2001:db8:7:${hex(index)}00::1`, 'login', guess));
    expect(await counted(within48)).toEqual({ 401: 20, 429: 40 });
    const others = numbered(130, (index) =>
      ask(`2001:db8:7:${hex(index % 256)}01::1`, 'login', { ...guess, email: `rotated${index}@example.com` }),
    );
    const { 401: accepted = 0, 429: limited = 0 } = await counted(others);
    // A /48 gets another guess every 30 seconds, which a busy machine may take.
    const refilledMax = Math.ceil((performance.now() - started) / 30_000);
    expect(accepted).toBeWithin(80, 80 + refilledMax + 1);
    expect(accepted + limited).toBe(130);
    expect((await ask('2001:db8:8:1::1', 'login', owner)).status).toBe(200);
  });

  test('a user who repeatedly requests email changes can trigger at most five emails to other people', async () => {
    const made = await ask('198.51.100.9', 'register', { email: 'mover@example.com', password });
    const cookie = made.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const asked = await counted(
      numbered(12, (at) => ask('198.51.100.9', 'email', { email: `stranger${at}@example.com` }, cookie)),
    );
    expect(asked).toEqual({ 202: 5, 429: 7 });
  });

  test('links cannot be guessed', async () => {
    const paths = ['email/verify', 'email/confirm'] as const;
    const guessed = await counted(
      numbered(40, (at) => ask('203.0.113.210', paths[at % 2] ?? '', { token: `${at}`.padStart(32, 'a') })),
    );
    expect(guessed).toEqual({ 422: 30, 429: 10 });
    const reset = await ask('203.0.113.210', 'password/reset/confirm', { token: 'a'.repeat(32), password });
    expect(reset.status).toBe(429);
    expect(Number(reset.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
