import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ownFailuresMax } from '../../src/features/people/auth/devices.queries.ts';
import { guessesMax } from '../../src/features/people/auth/guess-ceiling.ts';
import { resetLink } from '../../src/features/people/auth/reset.routes.ts';
import { letTimePass, sessionCookie, type TestApp, type TestClient, testApp } from '../support/app.ts';
import { mailedToken } from '../support/one-time-tokens.ts';
import { computeCode as totpOf } from '../support/second-factor.ts';

/**
 * Covers consecutive failures on one account from changing addresses. The limits per network are set too high to
 * matter.
 */
const withMail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'lotbook@example.com', TRUSTED_PROXIES: '10.0.0.1' };
const socket = { requestIP: () => ({ address: '10.0.0.1' }) };

let app: TestApp;
let nodes: Pick<TestApp, 'app' | 'deps'>[];
beforeAll(async () => {
  app = await testApp({ env: withMail });
  nodes = [app, app.another()];
  // The socket address would be the proxy's.
  for (const node of nodes) node.app.server = socket as unknown as typeof node.app.server;
});
afterAll(() => app.close());

let requests = 0;
/** Sends each request from a different address to the next server. */
async function post(path: string, body: object, cookie = ''): Promise<Response> {
  requests += 1;
  const address = `203.${(requests >> 16) % 256}.${(requests >> 8) % 256}.${requests % 256}`;
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address, cookie };
  const request = new Request(`http://localhost/v1/auth/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const node = nodes[requests % nodes.length];
  if (node === undefined) throw new Error('There is no server.');
  return node.app.fetch(request);
}

const login = (email: string, password: string, cookie = '') => post('login', { email, password }, cookie);
const wrong = 'spring season';

async function readCode(response: Promise<Response> | Response): Promise<string> {
  const answer = await response;
  return answer.ok ? 'ok' : ((await answer.json()) as { code: string }).code;
}

async function guess(email: string, times: number): Promise<Record<string, number>> {
  const codes = await Promise.all(Array.from({ length: times }, () => readCode(login(email, wrong))));
  await settled();
  return Object.fromEntries(
    [...new Set(codes)].sort().map((code) => [code, codes.filter((each) => each === code).length]),
  );
}

async function settled(): Promise<void> {
  while (nodes.some(({ deps }) => deps.lifecycle.inFlight > 0)) await Bun.sleep(2);
}

function deviceOf(response: Response): string {
  const line = response.headers.getSetCookie().find((each) => each.startsWith('device='));
  if (line === undefined) throw new Error('The response sets no device cookie.');
  return line.split(';')[0] ?? '';
}

/** Registers a user and a known browser. */
async function person(): Promise<TestClient & { device: string }> {
  const who = await app.register();
  return { ...who, device: deviceOf(await login(who.email, who.password)) };
}

const fetchId = async (who: TestClient) => (await who.json<{ id: string }>('GET', '/v1/account')).id;

async function readFailures(userId: string): Promise<number> {
  const [row] = await app.books.asOwner(
    (sql) => sql<{ failures: number }[]>`
      select passwords + codes as failures from account_guesses where user_id = ${userId}`,
  );
  return row?.failures ?? 0;
}

/** Sets the number of wrong passwords for the account. */
async function plantFailures(
  { email }: Pick<TestClient, 'email'>,
  failures: number,
  { books, request } = app,
): Promise<void> {
  await readCode(request('POST', '/v1/auth/login', { body: { email, password: wrong } }));
  await books.asOwner(
    (sql) => sql`
      update account_guesses set passwords = ${failures}, codes = 0
      where user_id = (select id from users where email = ${email})`,
  );
}

/** Sets the number of failures for each known browser or each session. */
async function plantOwnFailures(table: 'devices' | 'sessions', { email }: TestClient, failures: number): Promise<void> {
  await app.books.asOwner(
    (sql) => sql`
      update ${sql(table)} set failures = ${failures} where user_id = (select id from users where email = ${email})`,
  );
}

/** Sets the same count for addresses without an account. */
async function plantFailuresOfNobody(failures: number, { books } = app): Promise<void> {
  await books.asOwner((sql) => sql`update account_guesses set passwords = ${failures} where user_id is null`);
}

const mailsTo = async (who: TestClient, subject: string) =>
  (await app.mails()).filter((mail) => mail.to === who.email && mail.subject.includes(subject));
const linkTo = (who: TestClient) => mailedToken(app, who.email, '/sign-in/link');
const linkSubject = 'Use a new browser';
const noticeSubject = 'Many wrong passwords';

describe('after 100 consecutive failures', () => {
  test('the right password signs in from a known browser, but another browser needs an emailed link', async () => {
    const who = await person();
    await plantFailures(who, guessesMax - 20);
    expect(await guess(who.email, 20)).toEqual({ invalid_credentials: 20 });
    expect(await readCode(login(who.email, wrong))).toBe('sign_in_link_required');
    await settled();
    expect(await mailsTo(who, linkSubject)).toEqual([]);
    expect(await readCode(login(who.email, who.password))).toBe('sign_in_link_required');
    await settled();
    expect(await readCode(login(who.email, who.password))).toBe('sign_in_link_required');
    await settled();
    expect(await mailsTo(who, linkSubject)).toHaveLength(1);

    const token = await linkTo(who);
    const used = await post('login/link', { token });
    expect([used.status, used.headers.getSetCookie().length]).toEqual([204, 1]);
    expect(used.headers.getSetCookie()[0]).toMatch(
      /^device=[a-z2-7]{32}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(await readCode(login(who.email, wrong, deviceOf(used)))).toBe('invalid_credentials');
    expect(await readCode(login(who.email, who.password, deviceOf(used)))).toBe('ok');
    // The sign-in resets the failure count.
    expect(await readFailures(await fetchId(who))).toBe(0);
    expect(await readCode(login(who.email, who.password))).toBe('ok');
    const { data } = await who.json<{ data: { action: string }[] }>(
      'GET',
      '/v1/account/audit?action=sign_in_link_used',
    );
    expect(data).toHaveLength(1);
  });

  test('the owner signs in from a known browser while others keep guessing', async () => {
    const who = await person();
    await plantFailures(who, 5_000);
    const guesses = guess(who.email, 10);
    expect(await readCode(login(who.email, who.password, who.device))).toBe('ok');
    await guesses;
  });

  test('an address without an account gets the same responses as one with an account', async () => {
    const who = await person();
    const nobody = `nobody${crypto.randomUUID()}@example.com`;
    const seen = async (email: string, password: string) => {
      const response = await login(email, password);
      const { instance: _, requestId: __, ...problem } = (await response.json()) as Record<string, unknown>;
      return [response.status, [...response.headers.keys()].sort(), problem];
    };
    await plantFailures(who, guessesMax - 10);
    expect(await readCode(login(nobody, wrong))).toBe('invalid_credentials');
    await plantFailuresOfNobody(guessesMax - 10);
    for (const email of [who.email, nobody]) expect(await guess(email, 10)).toEqual({ invalid_credentials: 10 });
    const right = await seen(who.email, who.password);
    expect(right[0]).toBe(401);
    expect(await seen(who.email, wrong)).toEqual(right);
    expect(await seen(nobody, who.password)).toEqual(right);
    const rows = await app.books.asOwner((sql) => sql`select g::text as text from account_guesses g`);
    expect(JSON.stringify(rows)).not.toMatch(/example|@/);
  });

  test('a link works once, for its own account, until the password changes', async () => {
    const [who, other] = [await person(), await person()];
    for (const each of [who, other]) await plantFailures(each, guessesMax);
    const askForLink = async (each: TestClient) => {
      expect(await readCode(login(each.email, each.password))).toBe('sign_in_link_required');
      await settled();
      return linkTo(each);
    };
    const device = deviceOf(await post('login/link', { token: await askForLink(who) }));
    expect(await readCode(login(other.email, other.password, device))).toBe('sign_in_link_required');
    expect(await readCode(post('login/link', { token: await linkTo(who) }))).toBe('invalid');
    await settled();
    const token = await linkTo(other);
    const password = 'a longer horse, a better battery';
    await other.json('POST', '/v1/auth/password', { body: { current: other.password, password } }, 204);
    expect(await readCode(post('login/link', { token }))).toBe('invalid');
    expect(await readCode(post('login/link', { token: 'a'.repeat(32) }))).toBe('invalid');
  });

  test('another link is emailed after 15 minutes, and every link expires after 30', async () => {
    const who = await person();
    await plantFailures(who, guessesMax);
    for (const expected of [1, 1]) {
      await readCode(login(who.email, who.password));
      await settled();
      expect(await mailsTo(who, linkSubject)).toHaveLength(expected);
    }
    const first = await linkTo(who);
    await letTimePass(app, 15 * 60);
    await readCode(login(who.email, who.password));
    await settled();
    expect(await mailsTo(who, linkSubject)).toHaveLength(2);
    await letTimePass(app, 16 * 60);
    expect(await readCode(post('login/link', { token: first }))).toBe('invalid');
    expect(await readCode(post('login/link', { token: await linkTo(who) }))).toBe('ok');
  });

  test('the browser that sets a new password becomes known', async () => {
    const who = await person();
    await plantFailures(who, guessesMax);
    expect((await post('password/reset', { email: who.email })).status).toBe(202);
    await settled();
    const token = await mailedToken(app, who.email, '/reset/confirm');
    const password = 'a longer horse, a better battery';
    const reset = await post('password/reset/confirm', { token, password });
    expect(await readCode(login(who.email, password, who.device))).toBe('sign_in_link_required');
    expect(await readCode(login(who.email, password, deviceOf(reset)))).toBe('ok');
    // This browser has not signed in before, so the owner is notified.
    expect((await mailsTo(who, 'new browser')).at(-1)?.subject).toBe('A sign-in to Lotbook from a new browser');
  });
});

test('two servers count exactly when 50 guesses around the limit arrive at once', async () => {
  const who = await person();
  await plantFailures(who, guessesMax - 20);
  expect(await guess(who.email, 50)).toEqual({ invalid_credentials: 20, sign_in_link_required: 30 });
  expect(await readFailures(await fetchId(who))).toBe(guessesMax + 30);
  expect(await mailsTo(who, noticeSubject)).toHaveLength(1);
});

test('the owner is notified once, with the count and what to do, until the next sign-in', async () => {
  const who = await person();
  const fetchNotices = async () =>
    (await who.json<{ data: { kind: string; title: string; body: string }[] }>('GET', '/v1/notifications')).data.filter(
      ({ kind }) => kind === 'sign_in_guesses',
    );
  await plantFailures(who, guessesMax - 2);
  expect(await guess(who.email, 1)).toEqual({ invalid_credentials: 1 });
  expect(await fetchNotices()).toEqual([]);
  await guess(who.email, 12);
  expect(await fetchNotices()).toMatchObject([
    {
      title: expect.stringMatching(/^1\d\d wrong passwords or codes in a row/),
      body: expect.stringContaining('a link'),
    },
  ]);
  const [mail, ...rest] = await mailsTo(who, noticeSubject);
  expect([rest.length, mail?.text]).toEqual([
    0,
    expect.stringMatching(/Since \d{4}-\d\d-\d\d \d\d:\d\d UTC, 1\d\d wrong/),
  ]);
  const entries = await who.json<{ data: object[] }>('GET', '/v1/account/audit?action=sign_in_guesses_noticed');
  expect(entries.data).toMatchObject([{ actor: 'anyone', address: null }]);
  expect(await readCode(login(who.email, who.password, who.device))).toBe('ok');
  await plantFailures(who, guessesMax - 1);
  await guess(who.email, 2);
  expect(await fetchNotices()).toHaveLength(2);
});

describe('a known browser', () => {
  test('is forgotten after 20 consecutive failures from it', async () => {
    const [who, other] = [await person(), await person()];
    await plantFailures(who, guessesMax);
    await plantOwnFailures('devices', who, ownFailuresMax - 4);
    for (let count = 0; count < 3; count += 1)
      expect(await readCode(login(who.email, wrong, who.device))).toBe('invalid_credentials');
    // A sign-in resets the count.
    expect(await readCode(login(who.email, who.password, who.device))).toBe('ok');
    await plantFailures(who, guessesMax);
    await plantOwnFailures('devices', who, ownFailuresMax - 5);
    const codes = await Promise.all(Array.from({ length: 10 }, () => readCode(login(who.email, wrong, who.device))));
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(5);
    expect(await readCode(login(who.email, who.password, who.device))).toBe('sign_in_link_required');
    expect(await readCode(login(other.email, other.password, other.device))).toBe('ok');
  });

  test.each([
    ['all sessions end', (who: TestClient) => who.json('DELETE', '/v1/auth/sessions', {}, 204)],
    ['another session ends', endOtherSession],
    [
      'the password changes in another browser',
      (who: TestClient) =>
        who.json('POST', '/v1/auth/password', { body: { current: who.password, password: who.password } }, 204),
    ],
  ])('is forgotten after %s', async (_, act) => {
    const who = await person();
    await act(who);
    await plantFailures(who, guessesMax);
    expect(await readCode(login(who.email, who.password, who.device))).toBe('sign_in_link_required');
  });
});

async function endOtherSession(who: TestClient): Promise<void> {
  const { data } = await who.json<{ data: { id: string; current: boolean }[] }>('GET', '/v1/auth/sessions');
  const other = data.find(({ current }) => !current);
  await who.json('DELETE', `/v1/auth/sessions/${other?.id}`, {}, 204);
}

test('a session ends after 20 consecutive wrong passwords or codes, and the other sessions stay open', async () => {
  const who = await person();
  const id = await fetchId(who);
  const thief = sessionCookie(await login(who.email, who.password));
  const prove = (password: string, cookie: string) => readCode(post('reauthenticate', { password }, cookie));
  await plantOwnFailures('sessions', who, ownFailuresMax - 4);
  for (let count = 0; count < 3; count += 1) expect(await prove(wrong, thief)).toBe('invalid_credentials');
  const proved = await post('reauthenticate', { password: who.password }, thief);
  expect(proved.status).toBe(204);
  const renewed = sessionCookie(proved);
  // The proof reset the failure count of this session only.
  const codes = await Promise.all(Array.from({ length: ownFailuresMax + 5 }, () => prove(wrong, renewed)));
  expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(ownFailuresMax);
  expect(await prove(who.password, renewed)).toBe('unauthenticated');
  expect(await prove(who.password, who.cookie)).toBe('ok');
  expect(await readFailures(id)).toBeGreaterThanOrEqual(3 + ownFailuresMax);
});

describe('a server that cannot send email', () => {
  let mailless: TestApp;
  beforeAll(async () => {
    mailless = await testApp();
  });
  afterAll(() => mailless.close());

  const send = (email: string, password: string, cookie = '') =>
    mailless.request('POST', '/v1/auth/login', { body: { email, password }, cookie });

  test('allows one try every 15 minutes from unknown browsers, including for an address without an account', async () => {
    const who = await mailless.register();
    const known = deviceOf(await send(who.email, who.password));
    const nobody = 'nobody@example.com';
    const paced: unknown[] = [];
    await plantFailures(who, guessesMax - 5, mailless);
    expect(await readCode(send(nobody, wrong))).toBe('invalid_credentials');
    await plantFailuresOfNobody(guessesMax - 5, mailless);
    for (const email of [who.email, nobody]) {
      const codes = await Promise.all(Array.from({ length: 25 }, () => readCode(send(email, wrong))));
      const next = await send(email, who.password);
      paced.push([codes.filter((code) => code === 'rate_limited').length, next.status, await readCode(next)]);
      expect(Number(next.headers.get('retry-after'))).toBeGreaterThan(800);
    }
    expect(paced).toEqual([
      [19, 429, 'rate_limited'],
      [19, 429, 'rate_limited'],
    ]);
    expect(await readCode(send(who.email, wrong, known))).toBe('invalid_credentials');
    await letTimePass(mailless, 15 * 60);
    expect(await readCode(send(who.email, wrong))).toBe('invalid_credentials');
    expect(await readCode(send(who.email, who.password))).toBe('rate_limited');
    await letTimePass(mailless, 15 * 60);
    expect(await readCode(send(who.email, who.password))).toBe('ok');
  });

  test('lets an owner with a second factor use that try, whether the earlier failures were passwords or codes', async () => {
    const who = await mailless.register();
    const { secret } = await who.json<{ secret: string }>('POST', '/v1/auth/totp', { body: {} });
    const body = { totp: totpOf({ now: () => new Date() }, secret) };
    const { recoveryCodes } = await who.json<{ recoveryCodes: string[] }>('POST', '/v1/auth/totp/confirm', { body });
    const signIn = (totp?: string) =>
      readCode(
        mailless.request('POST', '/v1/auth/login', { body: { email: who.email, password: who.password, totp } }),
      );
    for (const [at, secretKind] of (['passwords', 'codes'] as const).entries()) {
      await plantFailures(who, 0, mailless);
      await mailless.books.asOwner(
        (sql) => sql`update account_guesses set ${sql({ [secretKind]: 500 })}, paced_at = null`,
      );
      // The page sends the password first, then the password and the code.
      expect(await signIn()).toBe('totp_required');
      expect(await signIn(recoveryCodes[at])).toBe('ok');
    }
    // Only a correct sign-in gives the try back.
    await plantFailures(who, 500, mailless);
    await mailless.books.asOwner((sql) => sql`update account_guesses set codes = 500, paced_at = null`);
    expect(await signIn('aaaa-bbbb-cccc')).toBe('totp_required');
    expect(await signIn(recoveryCodes[2])).toBe('rate_limited');
  });

  test('lets the owner in from a known browser, or with a link from the operator', async () => {
    const who = await mailless.register();
    const known = deviceOf(await send(who.email, who.password));
    await plantFailures(who, guessesMax, mailless);
    await readCode(mailless.request('POST', '/v1/auth/login', { body: { email: who.email, password: wrong } }));
    await mailless.books.asOwner((sql) => sql`update account_guesses set passwords = 500, paced_at = now()`);
    expect(await readCode(send(who.email, who.password))).toBe('rate_limited');
    expect(await readCode(send(who.email, who.password, known))).toBe('ok');
    await readCode(send(who.email, wrong));
    await mailless.books.asOwner((sql) => sql`update account_guesses set passwords = 500, paced_at = now()`);
    const link = await resetLink({ database: mailless.books.database, config: mailless.deps.config }, who.email);
    const body = { token: link?.split('#')[1], password: 'a longer horse, a better battery' };
    const reset = await mailless.request('POST', '/v1/auth/password/reset/confirm', { body });
    expect(await readCode(send(who.email, body.password))).toBe('rate_limited');
    expect(await readCode(send(who.email, body.password, deviceOf(reset)))).toBe('ok');
  });
});
