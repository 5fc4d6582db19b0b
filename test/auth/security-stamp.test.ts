import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Caller } from '../../src/features/people/auth/access.ts';
import { requestEmailChange } from '../../src/features/people/auth/email/email-change.ts';
import { linkIdentity } from '../../src/features/people/auth/identities.ts';
import {
  findToken,
  sweepTokens,
  type TokenKind,
  tokenRules,
} from '../../src/features/people/auth/one-time-tokens.queries.ts';
import { signOut } from '../../src/features/people/auth/operator.ts';
import { changePassword } from '../../src/features/people/auth/sign-in.ts';
import { createToken } from '../../src/features/people/auth/tokens/tokens.ts';
import { renewRecoveryCodes } from '../../src/features/people/auth/totp/totp.routes.ts';
import { confirmTotp, offerTotp } from '../../src/features/people/auth/totp/totp.ts';
import { changeGrant } from '../../src/features/people/clients/grants.routes.ts';
import { acceptInvitation } from '../../src/features/people/clients/invitations/acceptance.ts';
import { letTimePass, readClient, sessionCookie, type TestApp, type TestClient, testApp } from '../support/app.ts';
import { mailedToken, plantToken } from '../support/one-time-tokens.ts';
import { computeCode } from '../support/second-factor.ts';

/** Every link, flow and challenge of an account is bound to its security stamp. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const kinds = Object.keys(tokenRules) as TokenKind[];
/** The links that return the account to its owner. */
const lasting: readonly TokenKind[] = ['email_undo', 'account_restore'];

const fetchId = async (who: TestClient): Promise<string> => (await who.json<{ id: string }>('GET', '/v1/account')).id;
const post = (path: string, body: object) => app.request('POST', path, { body });

async function openKinds(userId: string): Promise<TokenKind[]> {
  const open = await app.books.database.asService(async (sql) => {
    const found: TokenKind[] = [];
    for (const kind of kinds) if ((await findToken(sql, kind, `${kind} ${userId}`)) !== undefined) found.push(kind);
    return found;
  });
  return open;
}

async function plantAll(userId: string): Promise<void> {
  for (const kind of kinds) await plantToken(app, kind, `${kind} ${userId}`, { userId, payload: {} as never });
}

/** Everything that changes the stamp. Each function resolves when it is done. */
const events: Readonly<Record<string, (who: TestClient) => Promise<unknown>>> = {
  'a change of the password': (who) =>
    who.json('POST', '/v1/auth/password', { body: { current: who.password, password: 'another horse, another day' } }),
  'a reset of the password': async (who) => {
    await post('/v1/auth/password/reset', { email: who.email });
    while (app.deps.lifecycle.inFlight > 0) await Bun.sleep(2);
    const token = await mailedToken(app, who.email, '/reset/confirm');
    expect((await post('/v1/auth/password/reset/confirm', { token, password: 'a better horse' })).status).toBe(204);
  },
  'the end of all sessions': (who) => who.json('DELETE', '/v1/auth/sessions'),
  'the end of another session': async (who) => {
    const { data } = await who.json<{ data: { id: string; current: boolean }[] }>('GET', '/v1/auth/sessions');
    if (data.length === 1) {
      await post('/v1/auth/login', { email: who.email, password: who.password });
      return events['the end of another session']?.(who);
    }
    return who.json('DELETE', `/v1/auth/sessions/${data.find(({ current }) => !current)?.id}`);
  },
  'the end of all sessions by the operator': (who) => signOut(app.books.database, who.email),
  'the restore of a deleted account': async (who) => {
    await who.json('DELETE', '/v1/account', { body: { password: who.password } });
    const body = { email: who.email, password: who.password, restore: true };
    expect((await app.request('POST', '/v1/auth/login', { body })).status).toBe(200);
  },
};

describe.each(Object.keys(events))('%s', (name) => {
  test('invalidates every kind of earlier token except the links that return the account to its owner', async () => {
    const who = await app.register();
    const userId = await fetchId(who);
    await plantAll(userId);
    expect(await openKinds(userId)).toEqual(kinds);
    await events[name]?.(who);
    // A restored account needs no restore link, and an earlier link must not restore it after a later deletion.
    const ended = name === 'the restore of a deleted account' ? 'account_restore' : null;
    expect(await openKinds(userId)).toEqual(kinds.filter((kind) => lasting.includes(kind) && kind !== ended));
    await plantAll(userId);
    expect(await openKinds(userId)).toEqual(kinds);
  });
});

test('signing out of one session keeps the links valid', async () => {
  const who = await app.register();
  const userId = await fetchId(who);
  await plantAll(userId);
  await who.json('POST', '/v1/auth/logout');
  expect(await openKinds(userId)).toEqual(kinds);
});

describe('an email change requested by a thief', () => {
  async function stolen(to: string) {
    const owner = await app.register();
    const login = await post('/v1/auth/login', { email: owner.email, password: owner.password });
    const thief = readClient(app.request, owner.email, owner.password, sessionCookie(login));
    const body = { email: to, password: owner.password };
    await thief.json('POST', '/v1/auth/email', { body });
    return { owner, thief, token: await mailedToken(app, to, '/email/confirm') };
  }

  test('ends when the password changes', async () => {
    const { owner, token } = await stolen('thief1@example.com');
    await events['a change of the password']?.(owner);
    expect((await post('/v1/auth/email/confirm', { token })).status).toBe(422);
    expect(await owner.json('GET', '/v1/account')).toMatchObject({ email: owner.email });
  });

  test('ends when the password is reset', async () => {
    const { owner, token } = await stolen('thief2@example.com');
    await events['a reset of the password']?.(owner);
    expect((await post('/v1/auth/email/confirm', { token })).status).toBe(422);
  });

  test("ends with the thief's session", async () => {
    const { owner, token } = await stolen('thief6@example.com');
    await events['the end of another session']?.(owner);
    expect((await post('/v1/auth/email/confirm', { token })).status).toBe(422);
  });

  test('ends with all sessions', async () => {
    const { owner, token } = await stolen('thief3@example.com');
    await owner.json('DELETE', '/v1/auth/sessions');
    expect((await post('/v1/auth/email/confirm', { token })).status).toBe(422);
  });

  test('is canceled by the link in the email to the current address', async () => {
    const { owner, token } = await stolen('thief4@example.com');
    const undo = await mailedToken(app, owner.email, '/email/undo');
    const canceled = await post('/v1/auth/email/undo', { token: undo });
    expect([canceled.status, await canceled.json()]).toEqual([200, { outcome: 'canceled' }]);
    expect((await post('/v1/auth/email/confirm', { token })).status).toBe(422);
    expect((await post('/v1/auth/email/undo', { token: undo })).status).toBe(422);
    // The user stays signed in after the cancellation.
    expect(await owner.json('GET', '/v1/account')).toMatchObject({ email: owner.email });
  });

  test('ends if the password changes during the request', async () => {
    const owner = await app.register();
    const userId = await fetchId(owner);
    const caller = { userId, email: owner.email, stamp: 0, hasRecentProof: true } as Caller;
    // The request was authenticated with the previous stamp.
    await events['a change of the password']?.(owner);
    await requestEmailChange(app.deps, caller, { email: 'thief5@example.com' });
    const token = await mailedToken(app, 'thief5@example.com', '/email/confirm');
    expect(token).not.toBe('');
    expect((await post('/v1/auth/email/confirm', { token })).status).toBe(422);
  });
});

test('a request authenticated before the password changed creates nothing that outlives a session', async () => {
  const who = await app.register();
  const userId = await fetchId(who);
  const caller = { userId, email: who.email, stamp: 0, hasRecentProof: true, sessionId: crypto.randomUUID() } as Caller;
  const { secret } = await offerTotp(app.deps, caller, undefined);
  await events['a change of the password']?.(who);
  const refused = { code: 'unauthenticated' };
  await expect(createToken(app.deps, caller, { name: 'Late', scopes: ['read'] })).rejects.toMatchObject(refused);
  await expect(linkIdentity(app.deps, caller, 'google', 'late')).rejects.toMatchObject(refused);
  await expect(changeGrant(app.deps, caller, userId, 'viewer')).rejects.toMatchObject(refused);
  await expect(acceptInvitation(app.deps, caller, userId, 'late')).rejects.toMatchObject(refused);
  const passwords = { current: 'another horse, another day', password: 'the horse of a thief' };
  const request = new Request('http://localhost:3000/v1/auth/password', { method: 'POST' });
  await expect(changePassword(app.deps, request, caller, passwords)).rejects.toMatchObject(refused);
  expect((await post('/v1/auth/login', { email: who.email, password: passwords.current })).status).toBe(200);
  const code = computeCode(app.deps.clock, secret);
  await expect(confirmTotp(app.deps, caller, code)).rejects.toMatchObject(refused);
  await confirmTotp(app.deps, { ...caller, stamp: 1 }, code);
  await expect(renewRecoveryCodes(app.deps, caller)).rejects.toMatchObject(refused);
  expect(await app.books.asOwner((sql) => sql`select 1 from access_tokens where user_id = ${userId}`)).toHaveLength(0);
});

test('links are stored as hashes, and expired ones are removed', async () => {
  const who = await app.register();
  const userId = await fetchId(who);
  await plantAll(userId);
  const fetchRows = () =>
    app.books.asOwner((sql) => sql`select t::text from one_time_tokens t where user_id = ${userId}`);
  const before = await fetchRows();
  expect(before.length).toBeGreaterThanOrEqual(kinds.length);
  expect(JSON.stringify(before)).not.toContain(`password_reset ${userId}`);
  await letTimePass(app, 30 * 86_400);
  await app.books.database.asService(sweepTokens);
  expect(await fetchRows()).toHaveLength(0);
});
