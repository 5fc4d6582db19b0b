import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { listUsers, verifyUser } from '../../src/features/people/auth/operator.ts';
import { resetLink } from '../../src/features/people/auth/reset.routes.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { importCsv } from '../support/books.ts';
import { grantAccess } from '../support/grants.ts';
import { mailedToken } from '../support/one-time-tokens.ts';
import { computeCode } from '../support/second-factor.ts';

/** A user who registers another person's address must leave nothing behind in the account. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ env: { SMTP_URL: 'smtp://localhost:1', MAIL_FROM: 'lotbook@example.com' } });
});
afterAll(() => app.close());

const unverified = () => app.register('CPA', { isVerified: false });
const post = (path: string, body: object) => app.request('POST', path, { body });
const login = (email: string, password: string) => post('/v1/auth/login', { email, password });

describe('an account with an unconfirmed address', () => {
  test('imports, edits and reads like any other, and is confirmed by the emailed link', async () => {
    const who = await unverified();
    await importCsv(who, 'date,type,account,asset,quantity,amount\n2024-01-02,buy,A,X,1,10\n');
    const token = await mailedToken(app, who.email, '/email/verify');
    const made = { body: { name: 'Nightly import', scopes: ['read'] } };
    const refused = await who.request('POST', '/v1/auth/tokens', made);
    expect([refused.status, (await refused.json()).detail]).toEqual([
      403,
      expect.stringContaining('/v1/auth/email/verification'),
    ]);
    expect((await post('/v1/auth/email/verify', { token })).status).toBe(204);
    expect((await who.request('POST', '/v1/auth/tokens', made)).status).toBe(201);
  });

  test('can be confirmed by the operator, which the list of users and the audit trail show', async () => {
    const who = await unverified();
    const { database } = app.books;
    const listed = async () => (await listUsers(database)).find(({ email }) => email === who.email)?.isVerified;
    expect(await listed()).toBe(false);
    expect(await verifyUser(database, ` ${who.email.toUpperCase()}`)).toBe(true);
    expect(await verifyUser(database, 'nobody@example.com')).toBe(false);
    expect(await listed()).toBe(true);
    const { data } = await who.json<{ data: { action: string }[] }>('GET', '/v1/account/audit?actor=operator');
    expect(data.map(({ action }) => action)).toEqual(['email_verified']);
    await who.json('POST', '/v1/auth/tokens', { body: { name: 'Nightly import', scopes: ['read'] } }, 201);
  });
});

test("shows the operator's command and no copyable link on a server that cannot send email", async () => {
  const silent = await testApp();
  const who = await silent.register('FREE', { isVerified: false });
  const response = await who.request('POST', '/v1/auth/tokens', { body: { name: 'A', scopes: ['read'] } });
  expect([response.status, await response.json()]).toMatchObject([
    403,
    { code: 'email_unverified', detail: expect.stringContaining(`"lotbook user verify ${who.email}"`) },
  ]);
  // The link from the operator sets a password but proves nothing about the address.
  const link = await resetLink({ database: silent.books.database, config: silent.deps.config }, who.email);
  const body = { token: link?.split('#')[1], password: 'a better horse' };
  expect((await silent.request('POST', '/v1/auth/password/reset/confirm', { body })).status).toBe(204);
  const entered = await silent.request('POST', '/v1/auth/login', {
    body: { email: who.email, password: body.password },
  });
  expect(await entered.json()).toMatchObject({ emailVerified: false });
  await silent.close();
});

describe('password resets and email confirmation', () => {
  async function linkTo(email: string): Promise<string> {
    await post('/v1/auth/password/reset', { email });
    while (app.deps.lifecycle.inFlight > 0) await Bun.sleep(2);
    return mailedToken(app, email, '/reset/confirm');
  }
  const preview = async (token: string) => (await post('/v1/auth/password/reset/preview', { token })).json();
  const confirm = (token: string, more: object = {}) =>
    post('/v1/auth/password/reset/confirm', { token, password: 'a better horse', ...more });

  /** Creates an account with everything that an impostor can leave behind, in a session of a confirmed account. */
  async function filled(): Promise<{ who: TestClient; token: string; cpa: TestClient; transactions: number }> {
    const [who, cpa] = [await app.register('CPA'), await app.register('CPA')];
    await importCsv(who, 'date,type,account,asset,quantity,amount\n2024-01-02,buy,A,X,1,10\n');
    const { token } = await who.json<{ token: string }>('POST', '/v1/auth/tokens', {
      body: { name: 'A', scopes: ['read'] },
    });
    await grantAccess(app, cpa, who, 'viewer');
    await who.json(
      'POST',
      '/v1/invitations',
      { body: { kind: 'offer', email: 'more@example.com', role: 'viewer' } },
      201,
    );
    const { secret } = await who.json<{ secret: string }>('POST', '/v1/auth/totp', { body: {} });
    await who.json('POST', '/v1/auth/totp/confirm', { body: { totp: computeCode(app.deps.clock, secret) } });
    await app.books.asOwner(async (sql) => {
      const [user] = await sql`select id from users where email = ${who.email}`;
      await sql`insert into identities (provider, subject, user_id, created_at) values ('google', ${who.email}, ${user?.id}, now())`;
      await sql`
        insert into passkeys (user_id, id, credential_id, public_key, counter, name, is_synced, created_at)
        values (${user?.id}, gen_random_uuid(), ${who.email}, 'key', 0, 'Key', false, now())`;
    });
    return { who, token, cpa, transactions: 1 };
  }
  const unconfirm = (who: TestClient) =>
    app.books.asOwner((sql) => sql`update users set email_verified_at = null where email = ${who.email}`);
  const kept = async (who: TestClient) => {
    return app.books.asOwner(async (sql) => {
      const [row] = await sql<{ own: string }[]>`
        select (select count(*)::integer from access_tokens t where t.user_id = u.id) as tokens,
          (select count(*)::integer from passkeys p where p.user_id = u.id) as passkeys,
          (select count(*)::integer from identities i where i.user_id = u.id) as identities,
          (select count(*)::integer from totp_keys k where k.user_id = u.id) as apps,
          (select count(*)::integer from recovery_codes c where c.user_id = u.id) > 0 as codes,
          (select count(*)::integer from invitations v where v.user_id = u.id and v.state = 'open') as invitations,
          (select count(*)::integer from memberships m join memberships o on o.taxpayer_id = m.taxpayer_id
            where o.user_id = u.id and o.role = 'owner' and m.role = 'viewer') as grants,
          (select o.taxpayer_id from memberships o where o.user_id = u.id and o.role = 'owner') as own
        from users u where u.email = ${who.email}`;
      const { own = null, ...ofPerson } = row ?? {};
      const [books] = await sql`select transactions_stored as transactions from taxpayers where id = ${own}`;
      return { ...ofPerson, ...books };
    });
  };
  const all = {
    tokens: 1,
    passkeys: 1,
    identities: 1,
    apps: 1,
    codes: true,
    invitations: 1,
    grants: 1,
    transactions: 1,
  };
  const none = {
    tokens: 0,
    passkeys: 0,
    identities: 0,
    apps: 0,
    codes: false,
    invitations: 0,
    grants: 0,
    transactions: 1,
  };

  test('a reset of an unconfirmed account removes all access that an impostor left, and keeps the files', async () => {
    const { who, token: ofProgram } = await filled();
    await unconfirm(who);
    expect(await kept(who)).toEqual(all);
    const token = await linkTo(who.email);
    expect(await preview(token)).toMatchObject({ verified: false, tokens: 1, grants: 1, transactions: 1 });
    expect((await confirm(token)).status).toBe(204);
    expect(await kept(who)).toEqual(none);
    expect((await who.request('GET', '/v1/account')).status).toBe(401);
    const program = await app.request('GET', '/v1/account', { headers: { authorization: `Bearer ${ofProgram}` } });
    expect(program.status).toBe(401);
    // No code is required, and the address counts as confirmed.
    const entered = await login(who.email, 'a better horse');
    expect([entered.status, await entered.json()]).toMatchObject([200, { emailVerified: true }]);
  });

  test('a reset of an unconfirmed account deletes the books if the owner chooses to', async () => {
    const { who, cpa } = await filled();
    const client = { name: 'Bob Roe', timeZone: 'America/New_York' };
    const { id } = await who.json<{ id: string }>('POST', '/v1/clients', { body: client }, 201);
    await unconfirm(who);
    const token = await linkTo(who.email);
    expect(await preview(token)).toMatchObject({ transactions: 1, clients: 1 });
    expect((await confirm(token, { deleteBooks: true })).status).toBe(204);
    expect(await kept(who)).toEqual({ ...none, transactions: 0 });
    expect(await app.books.asOwner((sql) => sql`select 1 from taxpayers where id = ${id}`)).toHaveLength(0);
    const entered = await login(who.email, 'a better horse');
    expect(await entered.json()).toMatchObject({ usage: { transactions: 0 }, timeZone: 'UTC' });
    const { data } = await cpa.json<{ data: { email?: string }[] }>('GET', '/v1/clients');
    expect(data.filter(({ email }) => email === who.email)).toEqual([]);
  });

  test('a reset of a confirmed account removes the access that the owner selects, but never the second factor or the books', async () => {
    for (const [end, gone] of [
      [[], {}],
      [['tokens'], { tokens: 0 }],
      [['identities'], { identities: 0 }],
      [['grants'], { grants: 0, invitations: 0 }],
      [['tokens', 'identities', 'grants'], { tokens: 0, identities: 0, grants: 0, invitations: 0 }],
    ] as const) {
      const { who } = await filled();
      const token = await linkTo(who.email);
      expect(await preview(token)).toEqual({
        email: who.email,
        verified: true,
        tokens: 1,
        providers: ['google'],
        grants: 1,
        transactions: 1,
        clients: 0,
      });
      const refused = await confirm(token, { deleteBooks: true });
      expect([refused.status, (await refused.json()).errors[0].pointer]).toEqual([422, '/deleteBooks']);
      expect((await confirm(token, { end })).status).toBe(204);
      expect(await kept(who)).toEqual({ ...all, ...gone });
      expect((await login(who.email, 'a better horse')).status).toBe(401);
    }
  }, 120_000);

  test('a reset cannot be previewed without its link', async () => {
    expect((await post('/v1/auth/password/reset/preview', { token: 'a'.repeat(32) })).status).toBe(422);
  });
});
