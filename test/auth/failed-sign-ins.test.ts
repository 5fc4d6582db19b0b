import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { jsonLog } from '../../src/deps.ts';
import { sessionCookie, type TestApp, testApp, testClock } from '../support/app.ts';
import { computeCode, withFactor } from '../support/second-factor.ts';

/** Covers what an owner sees about failed sign-ins, and what the log contains about all of them. */
const lines: string[] = [];
const clock = testClock('2026-03-04T05:06:07Z');
let app: TestApp;
beforeAll(async () => {
  const log = jsonLog(clock, (line) => lines.push(line));
  app = await testApp({ log, clock, env: { TRUSTED_PROXIES: '10.0.0.1' } });
  // The socket address would be the proxy's.
  app.app.server = { requestIP: () => ({ address: '10.0.0.1' }) } as unknown as typeof app.app.server;
});
afterAll(() => app.close());

interface Entry {
  readonly action: string;
  readonly subject: string | null;
  readonly actor: string;
  readonly email: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
  readonly times: number;
  readonly lastAt: string | null;
}

const signIn = (from: string, body: object): Promise<Response> =>
  app.request('POST', '/v1/auth/login', { body, headers: { 'x-forwarded-for': from } });

async function settled(): Promise<void> {
  while (app.deps.lifecycle.inFlight > 0) await Bun.sleep(2);
}

async function fetchEntries(cookie: string, action: string): Promise<Entry[]> {
  await settled();
  const response = await app.request('GET', `/v1/account/audit?action=${action}`, { cookie });
  return ((await response.json()) as { data: Entry[] }).data;
}

const linesOf = (event: string) =>
  lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line.event === event);

describe('a failed sign-in', () => {
  test('is shown to the owner once per network and hour, with a count', async () => {
    const who = await app.register();
    const wrong = { email: who.email, password: 'wrong horse' };
    const first = await signIn('203.0.113.7', wrong);
    for (const from of ['203.0.113.7', '203.0.113.7', '2001:db8:1:1::1', '2001:db8:1:1::2']) {
      // An entry is written after the answer, and the first one written gives the entry its address.
      await settled();
      await signIn(from, wrong);
    }
    const [six, four, ...rest] = await fetchEntries(who.cookie, 'sign_in_failed');
    expect(rest).toEqual([]);
    expect(four).toMatchObject({
      subject: 'password',
      actor: 'anyone',
      email: null,
      address: '203.0.113.7',
      requestId: first.headers.get('x-request-id'),
      times: 3,
      lastAt: expect.stringMatching(/Z$/),
    });
    expect(six).toMatchObject({ address: '2001:db8:1:1::1', times: 2 });
  });

  test('adds a limited number of entries, even from many networks', async () => {
    const who = await app.register();
    const tries = Array.from({ length: 40 }, (_, at) =>
      signIn(`198.51.100.${at}`, { email: who.email, password: 'wrong horse' }),
    );
    await Promise.all(tries);
    const entries = await fetchEntries(who.cookie, 'sign_in_failed');
    expect(entries.filter(({ address }) => address !== null)).toHaveLength(10);
    expect(entries.filter(({ address }) => address === null)).toMatchObject([{ times: 30 }]);
  });

  test('a failure for an unknown address appears only in the log, and the log contains no email address', async () => {
    lines.length = 0;
    const who = await app.register();
    await signIn('203.0.113.9', { email: 'nobody@example.com', password: 'wrong horse' });
    await signIn('203.0.113.9', { email: who.email, password: 'wrong horse' });
    const { id } = await who.json<{ id: string }>('GET', '/v1/account');
    const common = { level: 'warn', way: 'password', address: '203.0.113.9', requestId: expect.any(String) };
    expect(linesOf('sign-in failed')).toMatchObject([
      { ...common, userId: null },
      { ...common, userId: id },
    ]);
    expect(await fetchEntries(who.cookie, 'sign_in_failed')).toHaveLength(1);
    expect(lines.join('')).not.toContain('@');
  });

  test('a failure because of a wrong code is marked as such, and a successful sign-in names its method', async () => {
    const { who, secret, recoveryCodes } = await withFactor(app, clock);
    const { email, password } = who;
    const again = await signIn('203.0.113.7', { email, password, totp: '000000' });
    expect(again.status).toBe(401);
    lines.length = 0;
    await signIn('203.0.113.7', { email, password, totp: computeCode(clock, secret) });
    const last = await signIn('203.0.113.7', { email, password, totp: recoveryCodes[0] });
    const cookie = sessionCookie(last);
    expect(await fetchEntries(cookie, 'sign_in_failed')).toMatchObject([{ subject: 'code', times: 1 }]);
    const ways = (await fetchEntries(cookie, 'signed_in')).map(({ subject }) => subject);
    expect(ways).toEqual(['password and recovery code', 'password and app']);
    expect(linesOf('signed in').map(({ way }) => way)).toEqual(['password and app', 'password and recovery code']);
  });
});

test('records the session in which the password or code was wrong', async () => {
  const who = await app.register();
  for (const [method, path, body] of [
    ['POST', '/v1/auth/reauthenticate', { password: 'wrong horse' }],
    ['DELETE', '/v1/account', { password: 'wrong horse' }],
  ] as const) {
    expect((await who.request(method, path, { body })).status).toBe(401);
  }
  expect(await fetchEntries(who.cookie, 'proof_failed')).toMatchObject([
    { subject: 'password', actor: 'user', email: who.email, times: 2 },
  ]);
});

test('attempts that cannot be recorded get the same responses, and the log states the reason', async () => {
  const who = await app.register();
  lines.length = 0;
  await app.books.asOwner((sql) => sql`alter table audit_entries add constraint refused check (false) not valid`);
  const refused = await signIn('203.0.113.7', { email: who.email, password: 'wrong horse' });
  await settled();
  await app.books.asOwner((sql) => sql`alter table audit_entries drop constraint refused`);
  expect(refused.status).toBe(401);
  expect(linesOf('failed sign-in not recorded')).toHaveLength(1);
  expect(await fetchEntries(who.cookie, 'sign_in_failed')).toEqual([]);
});

test('the log records wrong links and unexpected returns from a provider', async () => {
  lines.length = 0;
  const body = { token: 'a'.repeat(32), password: 'a longer horse, a better battery' };
  expect((await app.request('POST', '/v1/auth/password/reset/confirm', { body })).status).toBe(422);
  const { token } = body;
  expect((await app.request('POST', '/v1/auth/email/verify', { body: { token } })).status).toBe(422);
  expect((await app.request('POST', '/v1/auth/email/confirm', { body: { token } })).status).toBe(422);
  expect(linesOf('proof of identity failed').map(({ way }) => way)).toEqual(['link', 'link', 'link']);
  expect(lines.join('')).not.toContain(token);
});
