import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { letTimePass, sessionCookie, type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchAll } from '../support/books.ts';
import { eraseNow, tablesWith } from '../support/erasure.ts';
import { grantAccess, invite } from '../support/grants.ts';

const graceSeconds = 14 * 86_400;
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const remove = ({ request, password }: TestClient) => request('DELETE', '/v1/account', { body: { password } });
const login = ({ email, password }: TestClient, more: object = {}) =>
  app.request('POST', '/v1/auth/login', { body: { email, password, ...more } });
const readCode = async (response: Response): Promise<unknown[]> => [response.status, (await response.json()).code];
const restoreToken = async (email: string): Promise<string> => {
  const mail = (await app.mails()).findLast(({ to, text }) => to === email && text.includes('/account/restore#'));
  return /\/account\/restore#([a-z2-7]+)/.exec(mail?.text ?? '')?.[1] ?? '';
};
const restore = (token: string) => app.request('POST', '/v1/account/restore', { body: { token } });
const erased = (id: string) => app.books.asOwner((sql) => sql`select 1 from deleted_accounts where user_id = ${id}`);

describe('an account in its grace period', () => {
  test('cannot be used, and only its owner is told why', async () => {
    const who = await app.register();
    const { token } = await who.json<{ token: string }>(
      'POST',
      '/v1/auth/tokens',
      { body: { name: 'Sync', scopes: ['read'], days: 30 } },
      201,
    );
    const stream = await who.request('GET', '/v1/notifications/stream');
    const response = await remove(who);
    expect(response.status).toBe(204);
    const erasedAt = response.headers.get('erased-at') ?? '';
    expect(Math.abs(Date.parse(erasedAt) - Date.now() - graceSeconds * 1000)).toBeLessThan(3_600_000);

    expect((await who.request('GET', '/v1/account')).status).toBe(401);
    const bearer = { headers: { authorization: `Bearer ${token}` } };
    expect((await app.request('GET', '/v1/tax/years', bearer)).status).toBe(401);
    const reader = stream.body?.getReader();
    for (let end = await reader?.read(); end?.done === false; end = await reader?.read());

    const answer = await login(who);
    expect(await answer.json()).toMatchObject({ status: 401, code: 'account_deleted', erasedAt });
    expect(await readCode(await login({ ...who, password: 'something else' }))).toEqual([401, 'invalid_credentials']);
    expect(await readCode(await login({ ...who, password: 'something else' }, { restore: true }))).toEqual([
      401,
      'invalid_credentials',
    ]);
    const { limits } = (await (await app.request('GET', '/v1/config')).json()) as { limits: object };
    expect(limits).toMatchObject({ deletionGraceDays: 14 });
  });

  test('is restored once with all its books, by signing in or by the emailed link', async () => {
    const who = await app.register();
    const buy = { date: '2024-05-01', type: 'buy', account: 'B', asset: 'X', quantity: '1', amount: '7' };
    await who.json('POST', '/v1/transactions', { body: buy }, 201);
    const { revision } = await who.json<{ revision: string }>('GET', '/v1/status');
    await remove(who);
    const first = await restoreToken(who.email);
    const back = await login(who, { restore: true });
    expect(back.status).toBe(200);
    expect(await back.json()).toMatchObject({ email: who.email, emailVerified: true, usage: { transactions: 1 } });
    const cookie = sessionCookie(back);
    const subjects = (await app.mails()).filter(({ to }) => to === who.email).map(({ subject }) => subject);
    expect(subjects).toContain('The deletion of your Lotbook account was canceled');
    const status = await app.request('GET', '/v1/status', { cookie });
    expect(await status.json()).toMatchObject({ revision });
    // The link from a canceled deletion does nothing.
    expect((await restore(first)).status).toBe(422);
    const audit = await app.request('GET', '/v1/account/audit', { cookie });
    const { data } = (await audit.json()) as { data: { action: string; actor: string }[] };
    expect(data.slice(0, 2).map(({ action, actor }) => [action, actor])).toEqual([
      ['account_deletion_taken_back', 'user'],
      ['account_deleted', 'user'],
    ]);

    await app.request('DELETE', '/v1/account', { cookie, body: { password: who.password } });
    // The link does not cancel a later deletion either because the account may have another address by then.
    expect((await restore(first)).status).toBe(422);
    const token = await restoreToken(who.email);
    const answers = await Promise.all(Array.from({ length: 4 }, () => restore(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422, 422, 422]);
    expect((await login(who)).status).toBe(200);
    await letTimePass(app, graceSeconds + 1);
    await eraseNow(app);
    expect((await login(who)).status).toBe(200);
  });

  test('frees its address, and can be restored only while the address is still free', async () => {
    const who = await app.register();
    const { id } = await who.json<{ id: string }>('GET', '/v1/account');
    await remove(who);
    const { email } = who;
    const given = { body: { email, password: 'another long sentence' } };
    const anew = await app.request('POST', '/v1/auth/register', given);
    expect(anew.status).toBe(201);
    const account = await anew.json();
    expect(account).toMatchObject({ email, usage: { transactions: 0 } });
    expect(account.id).not.toBe(id);
    expect(await readCode(await login(who, { restore: true }))).toEqual([401, 'invalid_credentials']);
    const token = await restoreToken(email);
    expect(await readCode(await restore(token))).toEqual([409, 'email_taken']);
    // The new account is deleted too. The password restores the newer of the two accounts, and each link restores its
    // own.
    const cookie = sessionCookie(anew);
    const response = await app.request('DELETE', '/v1/account', { cookie, body: { password: given.body.password } });
    expect(response.status).toBe(204);
    expect((await login({ ...who, password: given.body.password })).status).toBe(401);
    expect((await restore(token)).status).toBe(204);
    expect(await (await login(who)).json()).toMatchObject({ id });
  });

  test('ends the access it gave and received, and notifies the other users', async () => {
    const [who, cpa, client] = [await app.register('CPA'), await app.register('CPA'), await app.register()];
    await grantAccess(app, cpa, who, 'reviewer');
    const clientId = await grantAccess(app, who, client, 'preparer');
    const { id: made } = await who.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Jo' } }, 201);
    const open = await invite(app, who, { kind: 'request', email: 'someone@example.org', role: 'viewer' });
    expect((await remove(who)).status).toBe(204);

    expect(await fetchAll(cpa, '/v1/clients')).toEqual([]);
    expect((await client.json<{ data: object[] }>('GET', '/v1/account/grants')).data).toEqual([]);
    for (const [person, title] of [
      [cpa, 'Your access to a client ended'],
      [client, 'Access to your books ended'],
    ] as const) {
      const [note] = await fetchAll<{ title: string; body: string }>(person, '/v1/notifications');
      expect(note).toMatchObject({ title, body: expect.stringContaining(`${who.email} deleted their account.`) });
    }
    expect((await restore(open.token)).status).toBe(422);
    const cookie = sessionCookie(await login(who, { restore: true }));
    const clients = (await (await app.request('GET', '/v1/clients', { cookie })).json()) as { data: { id: string }[] };
    expect(clients.data.map(({ id }) => id)).toEqual([made]);
    expect((await app.request('GET', `/v1/tax/years?client=${clientId}`, { cookie })).status).toBe(404);
  });
});

describe('an account after its grace period', () => {
  test('cannot be restored, and is erased once, with a final email', async () => {
    const who = await app.register('CPA');
    const { id } = await who.json<{ id: string }>('GET', '/v1/account');
    const { id: client } = await who.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Jo' } }, 201);
    await remove(who);
    const token = await restoreToken(who.email);
    const left = () => tablesWith(app, [id, client, who.email]);
    await letTimePass(app, graceSeconds - 60);
    await eraseNow(app);
    expect(await left()).toEqual(expect.arrayContaining(['account_deletions', 'taxpayers', 'users']));
    await letTimePass(app, 120);
    expect(await readCode(await login(who, { restore: true }))).toEqual([401, 'invalid_credentials']);
    expect((await restore(token)).status).toBe(422);
    await Promise.all([eraseNow(app), eraseNow(app)]);
    expect(await left()).toEqual(['deleted_accounts']);
    const letters = (await app.mails()).filter(({ to, subject }) => to === who.email && subject.includes('erased'));
    expect(letters.length).toBe(1);
  });

  test('removes the rows of every table that refers to users or taxpayers', async () => {
    // These rows stay on purpose: the record that the account existed, and the names of bucket objects until they are
    // removed.
    const kept = ['deleted_accounts', 'blobs'];
    const unbound = await app.books.asOwner(
      (sql) => sql<{ name: string; column: string }[]>`
        with recursive bound as (
          select 'users'::regclass::oid as id union select 'taxpayers'::regclass
          union
          select f.conrelid from pg_constraint f join bound b on b.id = f.confrelid
          where f.contype = 'f' and f.confdeltype = 'c'
        )
        select c.relname as name, a.attname as column from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attname in ('user_id', 'taxpayer_id')
        where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname <> all(${kept})
          and c.oid not in (select id from bound)
          -- Large tables have no foreign keys: a trigger of taxpayers takes them along.
          and not exists (select from pg_trigger t join pg_proc p on p.oid = t.tgfoid
            where t.tgrelid = 'taxpayers'::regclass and p.prosrc like '%delete from ' || c.relname || ' where taxpayer_id = old.id;%')
        order by 1, 2`,
    );
    expect([...unbound]).toEqual([]);
  });

  test('is erased by the next server if one is killed midway', async () => {
    const who = await app.register();
    const { id } = await who.json<{ id: string }>('GET', '/v1/account');
    await remove(who);
    await letTimePass(app, graceSeconds + 1);
    const script = join(import.meta.dir, '..', 'support', 'erase-process.ts');
    let child: Bun.Subprocess | undefined;
    const erasing = () => backends(app);
    await app.books.asOwner(async (sql) => {
      // Returns what the erasing transaction is waiting for.
      const made = await sql<{ id: string }[]>`select id from taxpayers where created_by = ${id}`;
      for (const books of made) await sql`select pg_advisory_xact_lock(hashtextextended(${books.id}, 0))`;
      child = Bun.spawn([process.execPath, script, app.books.url], { stdout: 'ignore', stderr: 'inherit' });
      await until(async () => (await erasing()).includes('advisory'));
      child.kill('SIGKILL');
      await child.exited;
      await until(async () => (await erasing()).length === 0);
    });
    expect((await erased(id)).length).toBe(0);
    await eraseNow(app);
    expect((await erased(id)).length).toBe(1);
  });
});

/** Returns what each connection of the erasing process is waiting for. */
async function backends({ books }: TestApp): Promise<(string | null)[]> {
  const rows = await books.asOwner(
    (sql) => sql<{ event: string | null }[]>`
      select wait_event as event from pg_stat_activity where application_name = 'erasing' and datname = current_database()`,
  );
  return rows.map(({ event }) => event);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 150_000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('It did not become so.');
    await Bun.sleep(50);
  }
}
