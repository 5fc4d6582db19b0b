import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Sql } from '../../src/db/connection.ts';
import { letTimePass, type TestApp, type TestClient, testApp } from '../support/app.ts';
import { grantAccess } from '../support/grants.ts';
import { mailedToken } from '../support/one-time-tokens.ts';
import { computeCode } from '../support/second-factor.ts';

/** Covers how an owner recovers an account after a thief changed its address. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const post = (path: string, body: object) => app.request('POST', path, { body });
const undo = (token: string) => post('/v1/auth/email/undo', { token });
const login = (email: string, password: string) => post('/v1/auth/login', { email, password });

const tokenTo = (to: string, path: string) => mailedToken(app, to, path);

async function changeEmail(who: TestClient, from: string, to: string): Promise<{ cancel: string; undo: string }> {
  await who.json('POST', '/v1/auth/email', { body: { email: to, password: who.password } });
  const cancel = await tokenTo(from, '/email/undo');
  expect((await post('/v1/auth/email/confirm', { token: await tokenTo(to, '/email/confirm') })).status).toBe(204);
  return { cancel, undo: await tokenTo(from, '/email/undo') };
}

async function resetBy(email: string, password: string): Promise<void> {
  const token = await tokenTo(email, '/reset/confirm');
  expect((await post('/v1/auth/password/reset/confirm', { token, password })).status).toBe(204);
}

describe('an undo', () => {
  test('restores the previous address, ends all sessions, removes the password, and emails a link for a new one', async () => {
    const who = await app.register();
    const links = await changeEmail(who, who.email, 'elsewhere1@example.com');
    const response = await undo(links.undo);
    expect([response.status, await response.json()]).toEqual([200, { outcome: 'undone' }]);
    expect((await who.request('GET', '/v1/account')).status).toBe(401);
    expect((await login('elsewhere1@example.com', who.password)).status).toBe(401);
    expect((await login(who.email, who.password)).status).toBe(401);
    await resetBy(who.email, 'a better horse');
    expect((await login(who.email, 'a better horse')).status).toBe(200);
    expect((await undo(links.undo)).status).toBe(422);
  });

  test('also works with the link in the first email, for seven days, even after the password changed', async () => {
    const who = await app.register();
    const links = await changeEmail(who, who.email, 'elsewhere2@example.com');
    const body = { current: who.password, password: 'what the thief chose' };
    await who.json('POST', '/v1/auth/password', { body });
    await letTimePass(app, 7 * 86_400 - 60);
    expect((await undo(links.cancel)).status).toBe(200);
    await letTimePass(app, 120);
    expect((await undo(links.undo)).status).toBe(422);
  });

  test('removes recent additions, keeps those more than a day old, and locks the thief out', async () => {
    const [who, friend] = [await app.register('CPA'), await app.register('CPA')];
    const old = await who.json<{ token: string }>('POST', '/v1/auth/tokens', {
      body: { name: 'Old', scopes: ['read'] },
    });
    await grantAccess(app, friend, who, 'viewer');
    await app.books.asOwner(async (sql) => {
      await sql`update access_tokens set created_at = created_at - interval '2 days'`;
      await sql`update memberships set created_at = created_at - interval '2 days'`;
    });
    const early = await who.json<{ token: string }>('POST', '/v1/auth/tokens', {
      body: { name: 'Hour', scopes: ['read'] },
    });
    const links = await changeEmail(who, who.email, 'elsewhere3@example.com');
    const late = await who.json<{ token: string }>('POST', '/v1/auth/tokens', {
      body: { name: 'New', scopes: ['read'] },
    });
    const other = await app.register('CPA');
    await grantAccess(app, other, { ...who, email: 'elsewhere3@example.com' }, 'reviewer');
    await who.json('POST', '/v1/invitations', { body: { kind: 'offer', email: 'more@example.com', role: 'viewer' } });
    await app.books.asOwner(async (sql) => {
      const [user] = await sql`select id from users where email = 'elsewhere3@example.com'`;
      await sql`insert into identities (provider, subject, user_id, created_at) values ('google', 'thief', ${user?.id}, now())`;
      await sql`
        insert into passkeys (user_id, id, credential_id, public_key, counter, name, is_synced, created_at)
        values (${user?.id}, gen_random_uuid(), 'thief', 'key', 0, 'Thief', false, now())`;
    });
    const { secret } = await who.json<{ secret: string }>('POST', '/v1/auth/totp', { body: {} });
    await who.json('POST', '/v1/auth/totp/confirm', { body: { totp: computeCode(app.deps.clock, secret) } });
    expect((await undo(links.undo)).status).toBe(200);
    const read = (token: string) =>
      app.request('GET', '/v1/account', { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status);
    expect([await read(old.token), await read(early.token), await read(late.token)]).toEqual([200, 401, 401]);
    expect(await app.books.asOwner((sql) => sql`select 1 from identities`)).toHaveLength(0);
    expect(await app.books.asOwner((sql) => sql`select 1 from passkeys`)).toHaveLength(0);
    expect(await app.books.asOwner((sql) => sql`select 1 from totp_keys`)).toHaveLength(0);
    expect(await app.books.asOwner((sql) => sql`select 1 from recovery_codes`)).toHaveLength(0);
    const open = await app.books.asOwner((sql) => sql`select 1 from invitations where state = 'open'`);
    expect(open).toHaveLength(0);
    const grants = await app.books.asOwner(
      (sql) => sql<{ role: string }[]>`
      select role from memberships where role in ('viewer', 'preparer', 'reviewer') order by role`,
    );
    expect(grants.map(({ role }) => role)).toEqual(['viewer']);
    await resetBy(who.email, 'a better horse');
    expect((await login(who.email, 'a better horse')).status).toBe(200);
  });

  test('undoes several changes at once, after which later addresses can no longer undo anything', async () => {
    const who = await app.register();
    const first = await changeEmail(who, who.email, 'second4@example.com');
    const second = await changeEmail(who, 'second4@example.com', 'third4@example.com');
    expect((await undo(first.undo)).status).toBe(200);
    expect((await undo(second.undo)).status).toBe(422);
    expect((await undo(second.cancel)).status).toBe(422);
    const rows = await app.books.asOwner((sql) => sql`select 1 from users where email = ${who.email}`);
    expect(rows).toHaveLength(1);
  });

  test('restores an account that was deleted after the change, unlike the link sent to the other address', async () => {
    const who = await app.register();
    const links = await changeEmail(who, who.email, 'elsewhere5@example.com');
    await who.json('DELETE', '/v1/account', { body: { password: who.password } });
    const restore = await tokenTo('elsewhere5@example.com', '/account/restore');
    expect((await undo(links.undo)).status).toBe(200);
    expect((await post('/v1/account/restore', { token: restore })).status).toBe(422);
    await resetBy(who.email, 'a better horse');
    expect((await login(who.email, 'a better horse')).status).toBe(200);
  });

  test('cannot be blocked by registering the previous address or by moving another account to it', async () => {
    const [who, other] = [await app.register(), await app.register()];
    const links = await changeEmail(who, who.email, 'elsewhere6@example.com');
    expect((await post('/v1/auth/register', { email: who.email, password: 'thief of addresses' })).status).toBe(409);
    await other.json('POST', '/v1/auth/email', { body: { email: who.email, password: other.password } });
    expect(await tokenTo(who.email, '/email/confirm')).toBe('');
    expect((await undo(links.undo)).status).toBe(200);
  });

  test('is refused if another account takes the previous address at the same moment', async () => {
    const [who, other] = [await app.register(), await app.register()];
    const links = await changeEmail(who, who.email, 'elsewhere8@example.com');
    const waiting = (sql: Sql) => sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const response = await app.books.asOwner(async (sql) => {
      await sql`update users set email = ${who.email} where email = ${other.email}`;
      const late = undo(links.undo);
      let isOver = false;
      const over = () => (isOver = true);
      late.then(over, over);
      while (!isOver && (await app.books.asOwner(waiting)).length === 0) await Bun.sleep(5);
      return { late };
    });
    const refused = await response.late;
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'email_taken']);
    expect(await who.json('GET', '/v1/account')).toMatchObject({ email: 'elsewhere8@example.com' });
  });

  test('reserves the address only once it has changed: a deletion during the request frees it', async () => {
    for (const isVerified of [true, false]) {
      const who = await app.register('FREE', { isVerified });
      const email = `never-confirmed-${isVerified}@example.com`;
      await who.json('POST', '/v1/auth/email', { body: { email, password: who.password } }, 202);
      await who.json('DELETE', '/v1/account', { body: { password: who.password } }, 204);
      const again = await post('/v1/auth/register', { email: who.email, password: 'another person' });
      expect([isVerified, again.status]).toEqual([isVerified, 201]);
    }
  });

  test('is not offered to an unconfirmed address, which may belong to someone else', async () => {
    const who = await app.register();
    await app.books.asOwner((sql) => sql`update users set email_verified_at = null where email = ${who.email}`);
    const links = await changeEmail(who, who.email, 'right7@example.com');
    expect((await undo(links.cancel)).status).toBe(422);
    expect(await who.json('GET', '/v1/account')).toMatchObject({ email: 'right7@example.com' });
    expect((await post('/v1/auth/register', { email: who.email, password: 'another person' })).status).toBe(201);
  });
});
