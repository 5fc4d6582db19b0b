import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  createUser,
  disableTotp,
  listUsers,
  type OperatorDeps,
  removeUser,
  restoreUser,
  signOut,
} from '../../src/features/people/auth/operator.ts';
import { resetLink } from '../../src/features/people/auth/reset.routes.ts';
import { createSubscriptionPort } from '../../src/features/people/billing/subscription.ts';
import { setPlan } from '../../src/features/people/plans.ts';
import { sessionCookie, type TestApp, type TestClient, testApp } from '../support/app.ts';

/** Covers what an operator does from the command line while a server runs. */
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const fetchEntries = async (who: Pick<TestClient, 'json'>): Promise<unknown[]> => {
  const { data } = await who.json<{ data: { action: string; actor: string; email: string | null }[] }>(
    'GET',
    '/v1/account/audit?actor=operator',
  );
  return data.map(({ action, email }) => [action, email]);
};

test('an account is created without a password, and its link sets the first one', async () => {
  const { database } = app.books;
  expect(await createUser(database, 'New@Example.com', app.deps.clock.now())).toBe('created');
  expect(await createUser(database, 'new@example.com', app.deps.clock.now())).toBe('taken');
  expect(await createUser(database, 'a@b', app.deps.clock.now())).toBe('invalid');
  const link = await resetLink({ database, config: app.deps.config }, 'new@example.com');
  const body = { token: link?.split('#')[1], password: 'a sentence that only she would write' };
  expect((await app.request('POST', '/v1/auth/password/reset/confirm', { body })).status).toBe(204);
  const login = await app.request('POST', '/v1/auth/login', {
    body: { email: 'new@example.com', password: body.password },
  });
  expect(login.status).toBe(200);
  const audit = await app.request('GET', '/v1/account/audit?actor=operator', { cookie: sessionCookie(login) });
  const { data } = (await audit.json()) as { data: { action: string; email: string | null; address: string | null }[] };
  expect(data.map(({ action, email, address }) => [action, email, address])).toEqual([
    ['password_reset_asked', null, null],
    ['account_created', null, null],
  ]);
});

test('plans and second factors are changed, and the audit trail of the account shows it', async () => {
  const who = await app.register();
  const { database } = app.books;
  await app.books.asOwner(async (sql) => {
    await sql`
      insert into totp_keys (user_id, sealed, key_id, confirmed_at)
      select id, 'sealed', 'some key', now() from users where email = ${who.email}`;
    await sql`
      insert into passkeys (user_id, id, credential_id, public_key, counter, name, is_synced, created_at)
      select id, gen_random_uuid(), 'abc', 'key', 0, 'Laptop', false, now() from users where email = ${who.email}`;
  });
  expect(await listUsers(database)).toContainEqual(
    expect.objectContaining({ email: who.email, hasApp: true, passkeys: 1 }),
  );
  expect(await disableTotp(database, who.email.toUpperCase())).toBe(true);
  expect(await setPlan(database, who.email, 'PRO')).toBe(true);
  expect(await listUsers(database)).toContainEqual(
    expect.objectContaining({ email: who.email, hasApp: false, passkeys: 0, plan: 'PRO' }),
  );
  expect(await fetchEntries(who)).toEqual([
    ['plan_changed', null],
    ['second_factor_removed', null],
  ]);
  expect(await disableTotp(database, 'nobody@example.com')).toBe(false);
  expect(await removeUser(operatorDeps(), 'nobody@example.com', true)).toBeUndefined();
});

test('an account is signed out everywhere, and its owner sees who did it', async () => {
  const who = await app.register();
  const { email, password } = who;
  const other = sessionCookie(await app.request('POST', '/v1/auth/login', { body: { email, password } }));
  const body = { name: 'Nightly', scopes: ['read'] };
  const { token } = await who.json<{ token: string }>('POST', '/v1/auth/tokens', { body }, 201);
  expect(await signOut(app.books.database, email)).toBe(true);
  for (const cookie of [who.cookie, other])
    expect((await app.request('GET', '/v1/account', { cookie })).status).toBe(401);
  const audit = await app.request('GET', '/v1/account/audit?actor=operator', {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await audit.json()).toMatchObject({ data: [{ action: 'sessions_ended', email: null, address: null }] });
  expect(await signOut(app.books.database, 'nobody@example.com')).toBe(false);
});

const operatorDeps = (): OperatorDeps => {
  const { database } = app.books;
  return { database, config: app.deps.config, elsewhere: createSubscriptionPort({ database, billing: null }) };
};

test('an account is deleted with a grace period, restored, and erased completely', async () => {
  const who = await app.register();
  const { email, password } = who;
  const login = (): Promise<Response> => app.request('POST', '/v1/auth/login', { body: { email, password } });
  const { id } = await who.json<{ id: string }>('GET', '/v1/account');
  const removal = await removeUser(operatorDeps(), email.toUpperCase(), false);
  expect(removal?.erasedAt?.getTime()).toBeGreaterThan(Date.now() + 13 * 86_400_000);
  expect(removal?.mail).toMatchObject({ to: email, subject: 'Your Lotbook account was deleted' });
  expect(removal?.mail.text).toContain('The administrator of this server deleted');
  expect((await who.request('GET', '/v1/account')).status).toBe(401);
  expect((await listUsers(app.books.database)).find((user) => user.email === email)?.erasedAt).toEqual(
    removal?.erasedAt ?? null,
  );
  expect(await removeUser(operatorDeps(), email, false)).toBeUndefined();

  expect(await restoreUser(operatorDeps(), email)).toMatchObject({ to: email });
  expect(await restoreUser(operatorDeps(), email)).toBeUndefined();
  const again = await login();
  expect(again.status).toBe(200);
  const audit = await app.request('GET', '/v1/account/audit?actor=operator', { cookie: sessionCookie(again) });
  const { data } = (await audit.json()) as { data: { action: string }[] };
  expect(data.map(({ action }) => action)).toEqual(['account_deletion_taken_back', 'account_deleted']);

  await removeUser(operatorDeps(), email, false);
  expect(await removeUser(operatorDeps(), email, true)).toMatchObject({ erasedAt: null });
  expect((await login()).status).toBe(401);
  const [row] = await app.books.asOwner((sql) => sql`select by_operator from deleted_accounts where user_id = ${id}`);
  expect(row).toEqual({ by_operator: true });
});
