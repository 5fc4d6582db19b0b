import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { sha256 } from '@oslojs/crypto/sha2';
import { createApp } from '../../src/app.ts';
import type { KnownDevice } from '../../src/features/people/auth/devices.queries.ts';
import { guessesMax } from '../../src/features/people/auth/guess-ceiling.ts';
import { codeGuesser } from '../../src/features/people/auth/guesses.ts';
import { sessionCookie, type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { type Authenticator, softwareAuthenticator } from '../support/authenticator.ts';
import { plantToken } from '../support/one-time-tokens.ts';
import { type Person, type ProviderStandIn, standInCredentials, startProvider } from '../support/provider.ts';
import { computeCode, withFactor } from '../support/second-factor.ts';
import { operationsOf, readDocument } from '../support/walk/api-document.ts';

const clock = testClock('2026-03-04T05:06:07Z');
const env = { ...standInCredentials, SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'lotbook@example.com' };
let app: TestApp;
let provider: ProviderStandIn;
let withProvider: ReturnType<typeof createApp>;
let someone: Awaited<ReturnType<typeof withFactor>>;
let userId: string;
beforeAll(async () => {
  app = await testApp({ clock, env });
  provider = startProvider();
  withProvider = createApp(app.deps, { endpoints: provider.endpoints });
  someone = await withFactor(app, clock);
  ({ id: userId } = await someone.who.json<{ id: string }>('GET', '/v1/account'));
});
afterAll(async () => {
  await provider.close();
  await app.close();
});

/** Fields of request bodies that may contain a user's secret. */
const secretMembers = ['password', 'current', 'totp', 'token', 'passkey'];

/**
 * Which counters a wrong value increases. `account`: the account's counter, from any address. `session`: the counters
 * of the account and the session. `network`: the network's counter, because no account is known (160 random bits).
 * `random`: none, because the value is a signature, or random and sent by a signed-in user. `new`: none, because the
 * user chooses the value.
 */
type Count = 'account' | 'session' | 'network' | 'random' | 'new';

const counts: Readonly<Record<string, Count>> = {
  'signIn password': 'account',
  'signIn totp': 'account',
  'signInWithSecondFactor totp': 'account',
  'updatePassword current': 'session',
  'createTotpKey password': 'session',
  'deleteTotp password': 'session',
  'deleteTotp totp': 'session',
  'createEmailChange password': 'session',
  'verifyIdentity password': 'session',
  'verifyIdentity totp': 'session',
  'deleteAccount password': 'session',
  'verifyBrowser token': 'network',
  'previewPasswordReset token': 'network',
  'resetPassword token': 'network',
  'verifyEmailChange token': 'network',
  'revokeEmailChange token': 'network',
  'verifyEmail token': 'network',
  'revokeAccountDeletion token': 'network',
  'acceptInvitation token': 'random',
  'verifyIdentity passkey': 'random',
  'signInWithPasskey passkey': 'random',
  'createPasskey passkey': 'new',
  'verifyTotp totp': 'new',
  'createAccount password': 'new',
  'updatePassword password': 'new',
  'resetPassword password': 'new',
};

const wrong = 'spring season';

test('the table lists every secret in a request body', async () => {
  const listed = operationsOf(await readDocument()).flatMap(({ operation }) => {
    const schema = operation.requestBody?.content['application/json']?.schema as { properties?: object } | undefined;
    return secretMembers
      .filter((member) => member in (schema?.properties ?? {}))
      .map((member) => `${operation.operationId} ${member}`);
  });
  expect(listed.sort()).toEqual(Object.keys(counts).sort());
});

/**
 * Returns the server's counters: failures for the account and its sessions, and the time of the last failure from the
 * tests' network.
 */
async function fetchCounts({ email }: Pick<TestClient, 'email'>) {
  const bucket = sha256(new TextEncoder().encode('network memory')).toHex();
  const [row] = await app.books.asOwner(
    (sql) => sql<{ account: number; session: number; network: number | null }[]>`
      select (select coalesce(sum(passwords + codes), 0)::integer from account_guesses g where g.user_id = u.id) as account,
        (select coalesce(sum(failures), 0)::integer from sessions s where s.user_id = u.id) as session,
        (select extract(epoch from max(counted_at))::double precision from wrong_guesses where bucket = ${bucket}) as network
      from users u where u.email = ${email}`,
  );
  if (row === undefined) throw new Error('Nobody has the address.');
  return row;
}

async function planted(who: Pick<TestClient, 'email'>, passwords: number, codes: number): Promise<void> {
  await app.request('POST', '/v1/auth/login', { body: { email: who.email, password: wrong } });
  await app.books.asOwner(
    (sql) => sql`
      update account_guesses set passwords = ${passwords}, codes = ${codes}
      where user_id = (select id from users where email = ${who.email})`,
  );
}

/** Returns the cookie of a provider sign-in that still needs a code. */
async function pending(): Promise<string> {
  const token = crypto
    .getRandomValues(new Uint8Array(20))
    .toHex()
    .slice(0, 32)
    .replaceAll(/[01-9]/g, 'b');
  await plantToken(app, 'second_factor', token, { userId, payload: {} });
  return `pending_sign_in=${token}`;
}

describe('a wrong secret', () => {
  const bodies: Readonly<Record<string, object>> = {
    'createEmailChange password': { email: 'new@example.com', password: wrong },
    'updatePassword current': { current: wrong, password: 'a longer horse, a better battery' },
    'resetPassword token': { token: 'a'.repeat(32), password: 'a longer horse, a better battery' },
  };
  const guessed = Object.entries(counts).filter(([, count]) => ['account', 'session', 'network'].includes(count));

  test.each(guessed)('in %s counts toward the %s', async (name, count) => {
    const { who } = someone;
    const [operationId = '', member = ''] = name.split(' ');
    const operation = operationsOf(await readDocument()).find((each) => each.operation.operationId === operationId);
    if (operation === undefined) throw new Error(`There is no operation ${operationId}.`);
    const values: Readonly<Record<string, string>> = { password: wrong, totp: '000000', token: 'a'.repeat(32) };
    let body = bodies[name] ?? { [member]: values[member] };
    if (name === 'signIn password') body = { email: who.email, password: wrong };
    if (name === 'signIn totp') body = { email: who.email, password: who.password, totp: '000000' };
    const before = await fetchCounts(who);
    const cookie = name === 'signInWithSecondFactor totp' ? await pending() : count === 'session' ? who.cookie : '';
    const response = await app.request(operation.method, operation.path, { body, cookie });
    expect([name, [401, 422].includes(response.status)]).toEqual([name, true]);
    const after = await fetchCounts(who);
    expect([
      after.account - before.account,
      after.session - before.session,
      after.network === before.network ? 0 : 1,
    ]).toEqual(
      { account: [1, 0, name === 'signIn password' ? 1 : 0], session: [1, 1, 0], network: [0, 0, 1] }[
        count as 'account'
      ],
    );
  });
});

const finish = async (totp: string) =>
  app.request('POST', '/v1/auth/login/factor', { cookie: await pending(), body: { totp } });

test('correct values do not count', async () => {
  const { who, secret, recoveryCodes } = someone;
  await planted(who, 50, 40);
  const before = await fetchCounts(who);
  const { email, password } = who;
  expect((await app.request('POST', '/v1/auth/login', { body: { email, password } })).status).toBe(401);
  clock.move(60_000);
  const proofs = [{ password }, { totp: computeCode(clock, secret) }, { totp: recoveryCodes[0] }];
  let { cookie } = who;
  for (const body of proofs) {
    const proved = await app.request('POST', '/v1/auth/reauthenticate', { body, cookie });
    expect(proved.status).toBe(204);
    cookie = sessionCookie(proved);
  }
  // A new proof of identity resets the failure count of the session but not of the account.
  expect(await fetchCounts(who)).toMatchObject({ account: before.account, session: 0 });
});

test('a browser that became known through a link alone gets no separate code attempts', () => {
  const guesserIn = (device: KnownDevice | null) => codeGuesser(userId, { kind: 'browser', device });
  const secretHash = new Uint8Array(32);
  expect(guesserIn({ secretHash, hasSignedIn: false })).toEqual(guesserIn(null));
  expect(guesserIn({ secretHash, hasSignedIn: true })).not.toEqual(guesserIn(null));
});

describe('above the limit', () => {
  test('a provider with a code signs in unless more than 100 codes were wrong', async () => {
    const { who, recoveryCodes } = someone;
    await planted(who, 5_000, guessesMax);
    const closed = await finish(recoveryCodes[1] ?? '');
    expect([closed.status, (await closed.json()).code]).toEqual([401, 'sign_in_link_required']);
    await planted(who, 5_000, guessesMax - 1);
    expect((await finish('000000')).status).toBe(401);
    // The 100th code was wrong, and the recovery code was not used up above.
    await planted(who, 5_000, guessesMax - 1);
    expect((await finish(recoveryCodes[1] ?? '')).status).toBe(200);
    expect(await fetchCounts(who)).toMatchObject({ account: 0 });
  });

  test('a passkey and Google each sign in', async () => {
    const who = await app.register();
    const authenticator = softwareAuthenticator('http://localhost:3000');
    type Options = Parameters<Authenticator['create']>[0] & Parameters<Authenticator['get']>[0];
    const made = authenticator.create(await who.json<Options>('POST', '/v1/auth/passkeys/options'));
    await who.json('POST', '/v1/auth/passkeys', { body: { name: 'Laptop', passkey: made } }, 201);
    await planted(who, 5_000, 5_000);
    const options = (await (await app.request('POST', '/v1/auth/passkeys/sign-in/options')).json()) as Options;
    const body = { passkey: authenticator.get(options) };
    expect((await app.request('POST', '/v1/auth/passkeys/sign-in', { body })).status).toBe(200);
    expect(await fetchCounts(who)).toMatchObject({ account: 0 });

    const person: Person = { id: 7, email: 'google7@example.com', verified: true, name: 'Person 7' };
    sessionCookie(await signInWithGoogle(person));
    await planted(person, 5_000, 5_000);
    sessionCookie(await signInWithGoogle(person));
    expect(await fetchCounts(person)).toMatchObject({ account: 0 });
  });
});

async function signInWithGoogle(person: Person): Promise<Response> {
  const get = (path: string, cookie = '') =>
    withProvider.fetch(new Request(`http://localhost:3000${path}`, { headers: { cookie } }));
  const departure = await get('/auth/google');
  const [cookie = ''] = departure.headers.getSetCookie();
  const { pathname, search } = provider.consent(new URL(departure.headers.get('location') ?? ''), person);
  return get(pathname + search, cookie.split(';')[0] ?? '');
}
