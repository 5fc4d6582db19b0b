import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { letTimePass, sessionCookie, type TestApp, type TestClient, testApp } from '../support/app.ts';
import { type Authenticator, softwareAuthenticator } from '../support/authenticator.ts';

const origin = 'http://localhost:3000';
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

type Options = Parameters<Authenticator['create']>[0] & Parameters<Authenticator['get']>[0];
type Asked = Pick<TestClient, 'request' | 'json'>;

interface Added {
  readonly id: string;
  readonly name: string;
  readonly recoveryCodes: readonly string[];
}

const readCode = async (response: Response) => ((await response.json()) as { code?: string }).code;
const optionsFor = (who: Asked) => who.json<Options>('POST', '/v1/auth/passkeys/options');
const add = (who: Asked, passkey: object, name = 'Laptop') =>
  who.request('POST', '/v1/auth/passkeys', { body: { name, passkey } });
const signInOptions = async () =>
  (await (await app.request('POST', '/v1/auth/passkeys/sign-in/options')).json()) as Options;
const signIn = (passkey: object) => app.request('POST', '/v1/auth/passkeys/sign-in', { body: { passkey } });
const methodsOf = (who: TestClient) => who.json('GET', '/v1/auth/methods');

/** Registers a user with one passkey. */
async function withPasskey() {
  const who = await app.register();
  const authenticator = softwareAuthenticator(origin);
  const response = await add(who, authenticator.create(await optionsFor(who)));
  expect(response.status).toBe(201);
  return { who, authenticator, added: (await response.json()) as Added };
}

describe('a passkey', () => {
  test('can be added, renamed, listed and used to sign in without a password, and the owner is notified', async () => {
    const { who, authenticator, added } = await withPasskey();
    expect(added).toMatchObject({ name: 'Laptop', synced: false, lastUsedAt: null });
    expect((await app.mails()).at(-1)).toMatchObject({
      to: who.email,
      text: expect.stringContaining('The passkey “Laptop”'),
    });
    const response = await signIn(authenticator.get(await signInOptions()));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ email: who.email });
    expect((await app.request('GET', '/v1/account', { cookie: sessionCookie(response) })).status).toBe(200);
    const renamed = await who.json('PATCH', `/v1/auth/passkeys/${added.id}`, { body: { name: ' Phone ' } });
    expect(renamed).toMatchObject({ id: added.id, name: 'Phone', lastUsedAt: expect.any(String) });
    expect(await who.json('GET', '/v1/auth/passkeys')).toEqual({ data: [renamed], hasMore: false, nextCursor: null });
    expect(await methodsOf(who)).toMatchObject({ password: true, passkeys: 1 });
    const rows = await app.books.asOwner(
      (sql) => sql<{ count: number }[]>`select count(*)::int from one_time_tokens where kind = 'passkey_challenge'`,
    );
    expect(rows[0]?.count).toBe(0);
  });

  test('is the second factor for the password, with ten recovery codes as a fallback', async () => {
    const { who, added } = await withPasskey();
    const login = (totp?: string) => {
      const body = { email: who.email, password: who.password, ...(totp === undefined ? {} : { totp }) };
      return app.request('POST', '/v1/auth/login', { body });
    };
    const response = await login();
    expect([response.status, await response.json()]).toEqual([
      401,
      expect.objectContaining({ code: 'totp_required', factors: ['passkey', 'recovery_code'] }),
    ]);
    expect(added.recoveryCodes.length).toBe(10);
    expect((await login('123456')).status).toBe(401);
    expect((await login(added.recoveryCodes[0])).status).toBe(200);
    expect((await login(added.recoveryCodes[0])).status).toBe(401);
    // A second passkey adds no codes because the codes from the first one still work.
    const other = softwareAuthenticator(origin);
    const second = (await (await add(who, other.create(await optionsFor(who)), 'Phone')).json()) as Added;
    expect(second.recoveryCodes).toEqual([]);
    expect((await login(added.recoveryCodes[1])).status).toBe(200);
    for (const { id } of [added, second]) {
      expect((await who.request('DELETE', `/v1/auth/passkeys/${id}`)).status).toBe(204);
    }
    expect((await login()).status).toBe(200);
    expect(await who.json('GET', '/v1/auth/totp')).toEqual({ enabled: false, recoveryCodesLeft: 0 });
  });

  test("is accepted as reauthentication, but another user's passkey is not", async () => {
    const [{ who, authenticator }, stranger] = [await withPasskey(), await withPasskey()];
    await letTimePass(app, 15 * 60);
    expect(await readCode(await who.request('POST', '/v1/auth/passkeys/options'))).toBe('reauthentication_required');
    const prove = async (by: Authenticator) =>
      who.request('POST', '/v1/auth/reauthenticate', { body: { passkey: by.get(await signInOptions()) } });
    expect(await readCode(await prove(stranger.authenticator))).toBe('passkey_refused');
    const cookie = sessionCookie(await prove(authenticator));
    expect((await who.request('POST', '/v1/auth/passkeys/options', { cookie })).status).toBe(200);
  });

  test('cannot sign in after its account is deleted', async () => {
    const { who, authenticator } = await withPasskey();
    const { password } = who;
    expect((await who.request('DELETE', '/v1/account', { body: { password } })).status).toBe(204);
    expect(await readCode(await signIn(authenticator.get(await signInOptions())))).toBe('account_deleted');
  });

  test('cannot be renamed or removed by another user', async () => {
    const [{ added }, other] = [await withPasskey(), await app.register()];
    const path = `/v1/auth/passkeys/${added.id}`;
    expect((await other.request('PATCH', path, { body: { name: 'Mine' } })).status).toBe(404);
    expect((await other.request('DELETE', path)).status).toBe(404);
  });

  test('cannot be removed if it is the only way to sign in', async () => {
    const { who, added } = await withPasskey();
    await app.books.asOwner((sql) => sql`update users set password_hash = null where email = ${who.email}`);
    const refused = await who.request('DELETE', `/v1/auth/passkeys/${added.id}`);
    expect([refused.status, await readCode(refused)]).toEqual([409, 'conflict']);
    expect(await methodsOf(who)).toMatchObject({ passkeys: 1 });
  });
});

describe("an authenticator's response", () => {
  test('is accepted once, within five minutes, and only for a challenge issued to this account', async () => {
    const who = await app.register();
    const authenticator = softwareAuthenticator(origin);
    const registration = authenticator.create(await optionsFor(who));
    const other = await app.register();
    expect((await add(other, registration)).status).toBe(422);
    expect((await add(who, registration)).status).toBe(201);
    expect((await add(who, registration)).status).toBe(422);
    const late = softwareAuthenticator(origin).create(await optionsFor(who));
    await letTimePass(app, 301);
    expect((await add(who, late)).status).toBe(422);
    // A sign-in challenge cannot create a passkey, and a challenge for a new passkey cannot sign anyone in.
    const { challenge } = await signInOptions();
    expect(
      (await add(who, softwareAuthenticator(origin).create({ ...(await optionsFor(who)), challenge }))).status,
    ).toBe(422);
    const registering = await optionsFor(who);
    expect((await signIn(authenticator.get({ ...registering, rpId: 'localhost' }))).status).toBe(401);
  });

  test('is refused if it is for another site, without user verification, or with a certificate', async () => {
    const who = await app.register();
    for (const spoilt of [
      { origin: 'https://lotbook.evil.example' },
      { rpId: 'evil.example' },
      { isVerified: false },
      { type: 'webauthn.get' },
      { certificates: [Buffer.from('of who made it')] },
    ]) {
      const registration = softwareAuthenticator(origin).create(await optionsFor(who), spoilt);
      const response = await add(who, registration);
      expect([spoilt, response.status, (await response.json()).errors[0].pointer]).toEqual([spoilt, 422, '/passkey']);
    }
    expect(await methodsOf(who)).toMatchObject({ passkeys: 0 });
  });

  test('does not sign anyone in if it is replayed, for another site, from another user, or from a cloned authenticator', async () => {
    const { authenticator } = await withPasskey();
    const answer = authenticator.get(await signInOptions(), { counter: 5 });
    expect((await signIn(answer)).status).toBe(200);
    expect(await readCode(await signIn(answer))).toBe('passkey_refused');
    for (const spoilt of [
      { origin: 'https://lotbook.evil.example', counter: 6 },
      { rpId: 'evil.example', counter: 6 },
      { isVerified: false, counter: 6 },
      { type: 'webauthn.create', counter: 6 },
      { userHandle: 'c29tZWJvZHk', counter: 6 },
      { counter: 5 },
    ]) {
      const refused = await signIn(authenticator.get(await signInOptions(), spoilt));
      expect([spoilt, refused.status]).toEqual([spoilt, 401]);
    }
    const { response, ...rest } = authenticator.get(await signInOptions(), { counter: 6 });
    const signature = `${response.signature.slice(0, -4)}AAAA`;
    expect((await signIn({ ...rest, response: { ...response, signature } })).status).toBe(401);
    const unknown = softwareAuthenticator(origin);
    unknown.create({ challenge: 'x', rp: { id: 'localhost' }, user: { id: 'x' } });
    expect((await signIn(unknown.get(await signInOptions()))).status).toBe(401);
    expect((await signIn(authenticator.get(await signInOptions(), { counter: 6 }))).status).toBe(200);
  });
});
