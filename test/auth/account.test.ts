import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Caller } from '../../src/features/people/auth/access.ts';
import { changeAccount } from '../../src/features/people/auth/profile.ts';
import { sessionCookie, type TestApp, testApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

describe('the account', () => {
  test('is updated by a merge patch, in which null removes a field', async () => {
    const who = await app.register();
    const change = { name: ' Ann Lee ', taxpayerName: 'Ann B Lee', tin: '123-45-6789', timeZone: 'America/New_York' };
    expect(await who.json('PATCH', '/v1/account', { body: change })).toMatchObject({ ...change, name: 'Ann Lee' });
    const patched = await who.json('PATCH', '/v1/account', { body: { tin: null } });
    expect(patched).toMatchObject({ name: 'Ann Lee', taxpayerName: 'Ann B Lee', timeZone: 'America/New_York' });
    expect(patched.tin).toBeUndefined();
  });

  test('can clear its name, taxpayer and time zone', async () => {
    const who = await app.register();
    const change = { name: 'Ann Lee', taxpayerName: 'Ann B Lee', timeZone: 'America/New_York' };
    await who.json('PATCH', '/v1/account', { body: change });
    const body = { name: null, taxpayerName: null, timeZone: null };
    expect(await who.json('PATCH', '/v1/account', { body })).toMatchObject({
      name: '',
      taxpayerName: '',
      timeZone: 'UTC',
    });
  });

  test('accepts merge-patch+json', async () => {
    const who = await app.register();
    const headers = { 'content-type': 'application/merge-patch+json' };
    const response = await who.request('PATCH', '/v1/account', { body: '{"name":"Bo"}', headers });
    expect((await response.json()).name).toBe('Bo');
  });

  test('refuses unknown time zones, invalid numbers and read-only fields', async () => {
    const who = await app.register();
    for (const body of [{ timeZone: 'Mars/Olympus' }, { tin: '12' }, { plan: 'CPA' }, { email: 'x@y.z' }]) {
      expect((await who.request('PATCH', '/v1/account', { body })).status).toBe(422);
    }
    const refused = await who.request('PATCH', '/v1/account', { body: { name: 'Changed', timeZone: 'Nowhere' } });
    expect([refused.status, (await who.json('GET', '/v1/account')).name]).toEqual([422, '']);
    const [pointer] = (await (await who.request('PATCH', '/v1/account', { body: { timeZone: 'X' } })).json()).errors;
    expect(pointer.pointer).toBe('/timeZone');
  });
});

describe('a new password', () => {
  test('requires the current one, ends the other sessions and keeps this one', async () => {
    const who = await app.register();
    const login = (password: string) => app.request('POST', '/v1/auth/login', { body: { email: who.email, password } });
    const other = sessionCookie(await login(who.password));
    const wrong = await who.request('POST', '/v1/auth/password', {
      body: { current: 'wrong', password: 'new password' },
    });
    expect([wrong.status, (await wrong.json()).code]).toEqual([401, 'invalid_credentials']);

    const body = { current: who.password, password: 'new password' };
    expect((await who.request('POST', '/v1/auth/password', { body })).status).toBe(204);
    expect((await who.request('GET', '/v1/account')).status).toBe(200);
    expect((await app.request('GET', '/v1/account', { cookie: other })).status).toBe(401);
    expect((await login(who.password)).status).toBe(401);
    expect((await login('new password')).status).toBe(200);
  });
});

describe('deleting the account', () => {
  test('needs the password', async () => {
    const who = await app.register();
    for (const body of [{ password: 'wrong' }, { password: '' }]) {
      expect((await who.request('DELETE', '/v1/account', { body })).status).toBe(401);
    }
    expect((await who.request('DELETE', '/v1/account')).status).toBe(422);
    expect((await who.request('GET', '/v1/account')).status).toBe(200);
  });

  test('removes every row of the user and of the clients they created, and no rows of other users', async () => {
    const app = await testApp({ env: { DELETION_GRACE_DAYS: '0' } });
    const stays = await app.register('CPA');
    await stays.json('POST', '/v1/clients', { body: { name: 'Stays' } });
    const before = await rowCounts(app);
    const goes = await app.register('CPA');
    await goes.json('POST', '/v1/clients', { body: { name: 'Goes' }, headers: { 'idempotency-key': 'k' } });
    expect(await rowCounts(app)).not.toEqual(before);

    const response = await goes.request('DELETE', '/v1/account', { body: { password: goes.password } });
    expect([response.status, response.headers.get('erased-at')]).toEqual([204, null]);
    // Only a record that the account existed remains.
    const left = { ...before, deleted_accounts: (before.deleted_accounts ?? 0) + 1 };
    expect(await rowCounts(app)).toEqual(left);
    expect((await goes.request('GET', '/v1/account')).status).toBe(401);
    await app.close();
  });
});

describe('changing the time zone', () => {
  test('updates the ledger in the same transaction, so the zone is unchanged if that fails', async () => {
    const who = await app.register();
    const { id } = await who.json<{ id: string }>('GET', '/v1/account');
    const caller = await fetchCaller(app, id);
    const found: string[] = [];
    const change = (timeZone: string, fails: boolean) =>
      changeAccount(app.deps, caller, { timeZone }, async (_sql, taxpayerId, zone) => {
        found.push(`${taxpayerId} ${zone}`);
        if (fails) throw new Error('no');
      });
    await change('Asia/Tokyo', false);
    expect(found).toEqual([`${caller.taxpayerId} Asia/Tokyo`]);
    await expect(change('Asia/Seoul', true)).rejects.toThrow('no');
    expect((await who.json('GET', '/v1/account')).timeZone).toBe('Asia/Tokyo');
  });
});

async function fetchCaller({ books }: TestApp, userId: string): Promise<Caller> {
  const [row] = await books.asOwner(
    (sql) =>
      sql<{ taxpayerId: string }[]>`select taxpayer_id as "taxpayerId" from memberships where user_id = ${userId}`,
  );
  return {
    userId,
    email: '',
    isVerified: true,
    stamp: 0,
    plan: 'FREE',
    isDemo: false,
    hasRecentProof: true,
    sessionId: '',
    token: null,
    taxpayerId: row?.taxpayerId ?? '',
  };
}

/** Returns the row count of each table, by table name. */
async function rowCounts({ books }: TestApp): Promise<Record<string, number>> {
  return books.asOwner(async (sql) => {
    const tables = await sql<{ name: string }[]>`
      select table_name as name from information_schema.tables where table_schema = 'public' order by 1`;
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from ${sql(name)}`;
      counts[name] = row?.count ?? 0;
    }
    return counts;
  });
}
