import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { letTimePass, sessionCookie, type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchAll, importCsv } from '../support/books.ts';
import { eraseNow } from '../support/erasure.ts';
import { grantAccess, invite, mailedToken } from '../support/grants.ts';
import { until } from '../support/until.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface Grant {
  readonly id: string;
  readonly email: string;
  readonly role: string;
}
interface Client {
  readonly id: string;
  readonly role: string;
  readonly name: string;
}

const trades = 'date,type,account,asset,quantity,amount\n2024-01-02,buy,A,X,1,10\n2024-02-02,sell,A,X,1,30\n';
const fetchClients = async (who: TestClient) => (await who.json<{ data: Client[] }>('GET', '/v1/clients')).data;
const fetchGrants = async (who: TestClient) => (await who.json<{ data: Grant[] }>('GET', '/v1/account/grants')).data;
const fetchNotices = async (who: TestClient) =>
  (
    await who.json<{ data: { kind: string; title: string; link: string | null }[] }>('GET', '/v1/notifications')
  ).data.filter(({ kind }) => kind === 'access_changed');
const answer = async (who: TestClient, method: string, path: string, body?: unknown) => {
  const response = await who.request(method, path, body === undefined ? {} : { body });
  const text = await response.text();
  return [response.status, text === '' ? '' : ((JSON.parse(text) as { code?: string }).code ?? '')];
};
const accept = (who: TestClient, id: string, token: string) =>
  answer(who, 'POST', `/v1/invitations/${id}/accept`, { token });
/** Waits for a notification because those to other users are stored after the response. */
const noticed = async (who: TestClient, title: string) => {
  const select = async () => (await fetchNotices(who)).filter((notice) => notice.title === title);
  await until(`the notification "${title}"`, async () => (await select()).length > 0);
  const [notice = { link: '' }] = await select();
  return notice;
};

describe('a request by a CPA', () => {
  test('gives access in the requested role once the client accepts, until the client ends it', async () => {
    const [cpa, client] = [await app.register('CPA'), await app.register('FREE')];
    await importCsv(client, trades);
    const { invitation, token } = await invite(app, cpa, { kind: 'request', email: client.email, role: 'preparer' });
    expect(invitation).toMatchObject({ direction: 'sent', state: 'open', role: 'preparer' } as object);
    expect(await fetchClients(cpa)).toEqual([]);
    const seen = await client.json('GET', `/v1/invitations/${invitation.id}`);
    expect(seen).toMatchObject({
      direction: 'received',
      kind: 'request',
      role: 'preparer',
      from: { email: cpa.email },
    });
    expect((await noticed(client, 'A CPA requested access to your books')).link).toBe(
      `/v1/invitations/${invitation.id}`,
    );

    expect(await accept(client, invitation.id, 'wrong')).toEqual([422, 'invalid']);
    expect(await accept(client, invitation.id, token)).toEqual([200, '']);
    expect(await accept(client, invitation.id, token)).toEqual([409, 'conflict']);
    const [{ id, role, name } = { id: '', role: '', name: '' }] = await fetchClients(cpa);
    expect([role, name]).toEqual(['preparer', client.email]);
    expect(await fetchGrants(client)).toMatchObject([{ email: cpa.email, role: 'preparer' }]);
    expect((await noticed(cpa, 'Your invitation was accepted')).link).toBe(`/v1/invitations/${invitation.id}`);
    await noticed(client, 'You gave someone access to your books');
    expect((await app.mails()).at(-1)).toMatchObject({
      to: client.email,
      subject: `${cpa.email} can now see your Lotbook books`,
    });
    const summary = `/v1/tax/summary?year=2024&client=${id}`;
    expect(await cpa.json('GET', summary)).toMatchObject({ total: { gain: '20.00' } });
    expect(await answer(cpa, 'POST', `/v1/tax/calculate?client=${id}`, {})).toEqual([200, '']);
    expect(await answer(cpa, 'POST', `/v1/tax/years/2024/lock?client=${id}`)).toEqual([403, 'forbidden']);

    const [grant] = await fetchGrants(client);
    expect(await answer(client, 'DELETE', `/v1/account/grants/${grant?.id}`)).toEqual([204, '']);
    expect(await answer(cpa, 'GET', summary)).toEqual([404, 'not_found']);
    expect(await fetchClients(cpa)).toEqual([]);
    expect(await fetchGrants(client)).toEqual([]);
    await noticed(cpa, 'Your access to a client ended');
    expect(await client.json('GET', '/v1/tax/summary?year=2024')).toMatchObject({ total: { gain: '20.00' } });
  });

  test('closes the event streams when the access ends, without sending later events', async () => {
    const [cpa, client] = [await app.register('CPA'), await app.register()];
    const id = await grantAccess(app, cpa, client, 'viewer');
    const response = await client.request('GET', '/v1/notifications/stream');
    const stream = await cpa.request('GET', `/v1/notifications/stream?client=${id}`);
    expect([response.status, stream.status]).toEqual([200, 200]);
    const [grant] = await fetchGrants(client);
    await client.json('DELETE', `/v1/account/grants/${grant?.id}`);
    const sent = stream.text();
    // Both streams read the feed of the books, and may start after the first notification.
    const noted = setInterval(() => void importCsv(client, trades).catch(() => {}), 200);
    expect(await sent).toBe('retry: 2000\n\n');
    clearInterval(noted);
    await response.body?.cancel();
  });

  test('gets the same response whether or not the address has an account', async () => {
    const [cpa, known] = [await app.register('CPA'), await app.register()];
    const sent = async (email: string) => {
      const body = { kind: 'request', email, role: 'viewer' };
      const response = await cpa.request('POST', '/v1/invitations', { body });
      const shown = (await response.json()) as Record<string, unknown>;
      const { id, createdAt, expiresAt, email: to, ...rest } = shown;
      const headers = [...response.headers.keys()].sort();
      return { status: response.status, rest, headers, to, mailed: (await mailedToken(app, String(id))).length };
    };
    const [one, other] = [await sent(known.email), await sent('nobody@example.com')];
    expect({ ...one, to: '' }).toEqual({ ...other, to: '' });
    const { data } = await cpa.json<{ data: { email: string; state: string }[] }>('GET', '/v1/invitations');
    expect(data.map(({ state }) => state)).toEqual(['open', 'open']);
  });

  test('is visible only to both sides, and cannot be accepted by the inviter, after a withdrawal or after it expires', async () => {
    const [cpa, client, other] = [await app.register('CPA'), await app.register(), await app.register('CPA')];
    const { invitation, token } = await invite(app, cpa, { kind: 'request', email: client.email, role: 'viewer' });
    const path = `/v1/invitations/${invitation.id}`;
    for (const [method, end] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/decline'],
      ['POST', '/mail'],
    ] as const) {
      expect(await answer(other, method, path + end)).toEqual([404, 'not_found']);
    }
    expect(await accept(other, invitation.id, token)).toEqual([404, 'not_found']);
    expect(await accept(cpa, invitation.id, token)).toEqual([404, 'not_found']);
    expect(await answer(client, 'DELETE', path)).toEqual([404, 'not_found']);
    expect(await answer(client, 'POST', `${path}/mail`)).toEqual([204, '']);
    expect(await accept(client, invitation.id, token)).toEqual([422, 'invalid']);
    expect(await answer(cpa, 'DELETE', path)).toEqual([204, '']);
    expect(await accept(client, invitation.id, await mailedToken(app, invitation.id))).toEqual([409, 'conflict']);
    const late = await invite(app, cpa, { kind: 'request', email: client.email, role: 'viewer' });
    await letTimePass(app, 15 * 86_400);
    const [client2] = [await signIn(client)];
    expect(await accept(client2, late.invitation.id, late.token)).toEqual([409, 'conflict']);
    expect(await client2.json('GET', `/v1/invitations/${late.invitation.id}`)).toMatchObject({ state: 'expired' });
    expect(await fetchGrants(client2)).toEqual([]);
  });

  test('has a link that only the inviter can create, and only on a server without email', async () => {
    const [cpa, client, other] = [await app.register('CPA'), await app.register(), await app.register('CPA')];
    const { invitation, token } = await invite(app, cpa, { kind: 'request', email: client.email, role: 'viewer' });
    const path = `/v1/invitations/${invitation.id}`;
    expect(await answer(other, 'POST', `${path}/link`)).toEqual([404, 'not_found']);
    expect(await answer(client, 'POST', `${path}/link`)).toEqual([404, 'not_found']);
    const { link } = await cpa.json<{ link: string }>('POST', `${path}/link`);
    const [, secret = ''] = link.split(`/invitations/${invitation.id}#`);
    expect(secret).not.toBe(token);
    expect(await accept(client, invitation.id, token)).toEqual([422, 'invalid']);
    expect(await accept(other, invitation.id, secret)).toEqual([404, 'not_found']);
    expect((await accept(client, invitation.id, secret))[0]).toBe(200);
    expect(await answer(cpa, 'POST', `${path}/link`)).toEqual([409, 'conflict']);
    const mailing = await testApp({ env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'lotbook@example.com' } });
    try {
      const [sender, receiver] = [await mailing.register('CPA'), await mailing.register()];
      const sent = await invite(mailing, sender, { kind: 'request', email: receiver.email, role: 'viewer' });
      expect(await answer(sender, 'POST', `/v1/invitations/${sent.invitation.id}/link`)).toEqual([409, 'conflict']);
    } finally {
      await mailing.close();
    }
  });

  test("is refused if it is sent to oneself, without a role, to an invalid address or about another user's books", async () => {
    const [cpa, free] = [await app.register('CPA'), await app.register()];
    const { id } = await cpa.json<Client>('POST', '/v1/clients', { body: { name: 'Ann' } }, 201);
    const refused = async (who: TestClient, body: object) => answer(who, 'POST', '/v1/invitations', body);
    const email = 'jo@example.com';
    expect(await refused(cpa, { kind: 'request', email: cpa.email, role: 'viewer' })).toEqual([422, 'invalid']);
    expect(await refused(cpa, { kind: 'request', email })).toEqual([422, 'invalid']);
    expect(await refused(cpa, { kind: 'request', email, role: 'owner' })).toEqual([422, 'invalid']);
    expect(await refused(cpa, { kind: 'request', email, role: 'viewer', client: id })).toEqual([422, 'invalid']);
    expect(await refused(cpa, { kind: 'handover', email })).toEqual([422, 'invalid']);
    expect(await refused(free, { kind: 'handover', email, client: id })).toEqual([404, 'not_found']);
    expect(await refused(free, { kind: 'offer', email, role: 'viewer', replaces: id })).toEqual([404, 'not_found']);
    expect(await refused(free, { kind: 'request', email, role: 'viewer' })).toEqual([403, 'plan_limit']);
  });

  test('requires a recent sign-in to give access, offer and hand over, but not to request, decline or end access', async () => {
    const [cpa, client] = [await app.register('CPA'), await app.register()];
    const { id } = await cpa.json<Client>('POST', '/v1/clients', { body: { name: 'Ann' } }, 201);
    await grantAccess(app, cpa, client, 'viewer');
    const { invitation, token } = await invite(app, cpa, { kind: 'request', email: client.email, role: 'reviewer' });
    await letTimePass(app, 15 * 60);
    const old = [403, 'reauthentication_required'];
    expect(await accept(client, invitation.id, token)).toEqual(old);
    const email = 'jo@example.com';
    expect(await answer(client, 'POST', '/v1/invitations', { kind: 'offer', email, role: 'viewer' })).toEqual(old);
    expect(await answer(cpa, 'POST', '/v1/invitations', { kind: 'handover', email, client: id })).toEqual(old);
    expect(await answer(cpa, 'POST', '/v1/invitations', { kind: 'request', email, role: 'viewer' })).toEqual([201, '']);
    expect(await answer(client, 'POST', `/v1/invitations/${invitation.id}/decline`)).toEqual([200, '']);
    const [grant] = await fetchGrants(client);
    expect([grant?.role, ...(await answer(client, 'DELETE', `/v1/account/grants/${grant?.id}`))]).toEqual([
      'viewer',
      204,
      '',
    ]);
  });

  test('gives a role that the owner can lower at once but raise only after a recent sign-in, and notifies both users', async () => {
    const [cpa, client] = [await app.register('CPA'), await app.register()];
    const id = await grantAccess(app, cpa, client, 'reviewer');
    const [grant] = await fetchGrants(client);
    const change = (role: string) => answer(client, 'PATCH', `/v1/account/grants/${grant?.id}`, { role });
    const edit = () => answer(cpa, 'PATCH', `/v1/tax/settings?client=${id}`, { method: 'HIFO' });
    expect(await edit()).toEqual([200, '']);
    expect(await change('viewer')).toEqual([200, '']);
    expect(await edit()).toEqual([403, 'forbidden']);
    await noticed(cpa, 'Your role in a client’s books changed');
    expect((await fetchClients(cpa)).map(({ role }) => role)).toEqual(['viewer']);
    expect((await fetchAll<{ action: string; subject: string }>(client, '/v1/account/audit'))[0]).toMatchObject({
      action: 'grant_changed',
      subject: grant?.id,
    });
    await letTimePass(app, 15 * 60);
    expect(await change('preparer')).toEqual([403, 'reauthentication_required']);
    expect(await change('viewer')).toEqual([200, '']);
    expect(await answer(client, 'PATCH', `/v1/account/grants/${crypto.randomUUID()}`, { role: 'viewer' })).toEqual([
      404,
      'not_found',
    ]);
    const { email, password } = client;
    const cookie = sessionCookie(await app.request('POST', '/v1/auth/login', { body: { email, password } }));
    const more = await app.request('PATCH', `/v1/account/grants/${grant?.id}`, { body: { role: 'preparer' }, cookie });
    expect(await more.json()).toMatchObject({ email: cpa.email, role: 'preparer' });
    expect((await app.mails()).findLast(({ to }) => to === email)?.text).toContain('preparer');
    expect(await edit()).toEqual([200, '']);
  });

  test('can be declined and then sent again', async () => {
    const [cpa, client] = [await app.register('CPA'), await app.register()];
    const { invitation } = await invite(app, cpa, { kind: 'request', email: client.email, role: 'viewer' });
    expect(await answer(client, 'POST', `/v1/invitations/${invitation.id}/decline`)).toEqual([200, '']);
    await noticed(cpa, 'Your invitation was declined');
    expect(await grantAccess(app, cpa, client, 'reviewer')).toHaveLength(36);
    // A change of role takes up no further slot.
    expect(await grantAccess(app, cpa, client, 'viewer')).toHaveLength(36);
    expect((await fetchClients(cpa)).map(({ role }) => role)).toEqual(['viewer']);
  });
});

describe('an offer by a client', () => {
  test('gives a CPA access, and ends the access of the previous CPA', async () => {
    const [client, first, second] = [await app.register(), await app.register('CPA'), await app.register('CPA')];
    const books = await grantAccess(app, first, client, 'reviewer');
    const [grant] = await fetchGrants(client);
    const given = { kind: 'offer', email: second.email, role: 'preparer', replaces: grant?.id ?? '' };
    const { invitation, token } = await invite(app, client, given);
    expect(await second.json('GET', `/v1/invitations/${invitation.id}`)).toMatchObject({ replaces: first.email });
    expect(await accept(second, invitation.id, token)).toEqual([200, '']);
    expect((await app.mails()).at(-1)).toMatchObject({
      to: client.email,
      subject: `${second.email} can now see your Lotbook books`,
    });
    expect(await fetchGrants(client)).toMatchObject([{ email: second.email, role: 'preparer' }]);
    expect(await answer(first, 'GET', `/v1/tax/years?client=${books}`)).toEqual([404, 'not_found']);
    expect(await answer(second, 'GET', `/v1/tax/years?client=${books}`)).toEqual([200, '']);
    await noticed(first, 'Your access to a client ended');
  });

  test('requires a plan with clients', async () => {
    const [client, other] = [await app.register(), await app.register('PRO')];
    const { invitation, token } = await invite(app, client, { kind: 'offer', email: other.email, role: 'viewer' });
    expect(await accept(other, invitation.id, token)).toEqual([403, 'plan_limit']);
    expect(await fetchGrants(client)).toEqual([]);
  });
});

describe('a client without an account', () => {
  test('can be handed to another CPA, and remains when the account of the first CPA is deleted', async () => {
    const [first, second] = [await app.register('CPA'), await app.register('CPA')];
    const { id } = await first.json<Client>('POST', '/v1/clients', { body: { name: 'Ann' } }, 201);
    await importCsv(first, trades, `?client=${id}`);
    const { invitation, token } = await invite(app, first, { kind: 'handover', email: second.email, client: id });
    expect(await accept(second, invitation.id, token)).toEqual([200, '']);
    expect(await answer(first, 'GET', `/v1/clients/${id}`)).toEqual([404, 'not_found']);
    expect(await answer(first, 'DELETE', '/v1/account', { password: first.password })).toEqual([204, '']);
    expect(await second.json('GET', `/v1/tax/summary?year=2024&client=${id}`)).toMatchObject({
      total: { gain: '20.00' },
    });
    expect(await fetchClients(second)).toMatchObject([{ id, role: 'manager', name: 'Ann' }]);
  });
});

describe('books that a CPA created for a client', () => {
  test("become the client's with everything in them, and the CPA keeps a role", async () => {
    const [cpa, client] = [await app.register('CPA'), await app.register()];
    const { id } = await cpa.json<Client>('POST', '/v1/clients', { body: { name: 'Ann', taxpayerName: 'Ann B' } }, 201);
    await importCsv(cpa, trades, `?client=${id}`);
    await client.json('PATCH', '/v1/account', { body: { name: 'Ann Bee' } });
    const actions = async () =>
      (await fetchAll<{ action: string }>(client, '/v1/account/audit')).map(({ action }) => action);
    const before = await actions();
    const given = { kind: 'ownership', email: client.email, role: 'preparer', client: id };
    expect(await answer(cpa, 'POST', '/v1/invitations', { ...given, role: undefined })).toEqual([422, 'invalid']);
    const { invitation, token } = await invite(app, cpa, given);
    const [one, other] = await Promise.all([1, 2].map(() => accept(client, invitation.id, token)));
    expect([one, other].toSorted()).toEqual([
      [200, ''],
      [409, 'conflict'],
    ]);

    expect(await client.json('GET', '/v1/account')).toMatchObject({
      name: 'Ann Bee',
      taxpayerName: 'Ann B',
      usage: { transactions: 2 },
    });
    expect(await client.json('GET', '/v1/tax/summary?year=2024')).toMatchObject({ total: { gain: '20.00' } });
    expect(await fetchClients(cpa)).toMatchObject([{ id, role: 'preparer', name: 'Ann' }]);
    expect(await answer(cpa, 'POST', `/v1/tax/years/2024/lock?client=${id}`)).toEqual([403, 'forbidden']);
    await noticed(client, 'You now own your books');
    // The audit trails of both the account and the books continue.
    const after = await actions();
    expect(after).toContain('invitation_accepted');
    expect(after).toContain('file_imported');
    for (const action of before) expect(after).toContain(action);

    const [grant] = await fetchGrants(client);
    if (grant !== undefined) await client.json('DELETE', `/v1/account/grants/${grant.id}`);
    expect(await fetchClients(cpa)).toEqual([]);
    expect(await answer(cpa, 'DELETE', '/v1/account', { password: cpa.password })).toEqual([204, '']);
    await letTimePass(app, 15 * 86_400);
    await eraseNow(app);
    const { email, password } = client;
    const cookie = sessionCookie(await app.request('POST', '/v1/auth/login', { body: { email, password } }));
    const summary = await app.request('GET', '/v1/tax/summary?year=2024', { cookie });
    expect(await summary.json()).toMatchObject({ total: { gain: '20.00' } });
  });

  test('cannot be taken over by a user with transactions, or given away by a CPA who no longer owns them', async () => {
    const [cpa, client, empty] = [await app.register('CPA'), await app.register(), await app.register()];
    const { id } = await cpa.json<Client>('POST', '/v1/clients', { body: { name: 'Ann' } }, 201);
    await importCsv(client, trades);
    const given = { kind: 'ownership', role: 'viewer', client: id };
    const first = await invite(app, cpa, { ...given, email: client.email });
    expect(await accept(client, first.invitation.id, first.token)).toEqual([409, 'conflict']);
    expect(await client.json('GET', '/v1/tax/summary?year=2024')).toMatchObject({ total: { gain: '20.00' } });
    const second = await invite(app, cpa, { ...given, email: empty.email });
    await app.books.asOwner((sql) => sql`update memberships set role = 'viewer' where taxpayer_id = ${id}`);
    expect(await accept(empty, second.invitation.id, second.token)).toEqual([409, 'conflict']);
    expect((await empty.request('GET', '/v1/account')).status).toBe(200);
  });
});

describe('a CPA', () => {
  test("a CPA with access cannot change the client's name, sign-in or grants, but can leave", async () => {
    const [cpa, client] = [await app.register('CPA'), await app.register()];
    const id = await grantAccess(app, cpa, client, 'reviewer');
    expect(await answer(cpa, 'PATCH', `/v1/clients/${id}`, { name: 'Mine' })).toEqual([403, 'forbidden']);
    expect(await answer(cpa, 'PATCH', `/v1/clients/${id}`, { email: 'x@example.com' })).toEqual([403, 'forbidden']);
    expect(await answer(cpa, 'PATCH', `/v1/clients/${id}`, { timeZone: 'America/Chicago' })).toEqual([200, '']);
    expect(
      await answer(cpa, 'POST', '/v1/invitations', { kind: 'handover', email: 'x@example.com', client: id }),
    ).toEqual([403, 'forbidden']);
    expect(await answer(cpa, 'GET', `/v1/account/grants?client=${id}`)).toEqual([400, 'unknown_parameter']);
    const mute = { kinds: { access_changed: false } };
    expect(await answer(cpa, 'PATCH', `/v1/notifications/settings?client=${id}`, mute)).toEqual([403, 'forbidden']);
    expect(await answer(cpa, 'DELETE', `/v1/clients/${id}`)).toEqual([204, '']);
    expect(await client.json('GET', '/v1/account')).toMatchObject({ timeZone: 'America/Chicago' });
    expect(await fetchGrants(client)).toEqual([]);
    await noticed(client, 'A user left your books');
  });

  test('a CPA who deletes their own account leaves the books of clients unchanged', async () => {
    const [cpa, client] = [await app.register('CPA'), await app.register()];
    await importCsv(client, trades);
    await grantAccess(app, cpa, client, 'reviewer');
    expect(await answer(cpa, 'DELETE', '/v1/account', { password: cpa.password })).toEqual([204, '']);
    expect(await client.json('GET', '/v1/tax/summary?year=2024')).toMatchObject({ total: { gain: '20.00' } });
    expect(await fetchGrants(client)).toEqual([]);
  });

  test('a CPA on a smaller plan can read and download the books of clients but cannot change them', async () => {
    const [cpa, client] = [await app.register('CPA'), await app.register()];
    await importCsv(client, trades);
    const id = await grantAccess(app, cpa, client, 'reviewer');
    const { id: report } = await cpa.json<{ id: string }>('POST', `/v1/tax/reports?client=${id}`, {
      body: { year: 2024 },
    });
    for (const plan of ['PRO', 'FREE']) {
      await app.books.asOwner((sql) => sql`update users set plan = ${plan} where email = ${cpa.email}`);
      expect((await fetchClients(cpa)).map((each) => each.id)).toEqual([id]);
      expect(await cpa.json('GET', `/v1/tax/summary?year=2024&client=${id}`)).toMatchObject({
        total: { gain: '20.00' },
      });
      const file = await cpa.request('GET', `/v1/tax/reports/${report}/download?format=csv&client=${id}`);
      expect([file.status, (await file.text()).includes('20.00')]).toEqual([200, true]);
      const body = { year: 2024 };
      const response = await cpa.request('POST', `/v1/tax/reports?client=${id}`, { body });
      expect([response.status, await response.json()]).toMatchObject([
        403,
        { code: 'plan_limit', plan, limit: 0, used: 1, requested: 0, upgrade: { plan: 'CPA', limit: 10 } },
      ]);
      expect(await answer(cpa, 'PATCH', `/v1/clients/${id}`, { timeZone: 'UTC' })).toEqual([403, 'plan_limit']);
    }
    await app.books.asOwner((sql) => sql`update users set plan = 'CPA' where email = ${cpa.email}`);
    expect(await answer(cpa, 'POST', `/v1/tax/reports?client=${id}`, { year: 2024 })).toEqual([201, '']);
  });
});

describe('exactly ten clients', () => {
  test('remain after ten concurrent acceptances and ten new clients for a CPA with nine clients', async () => {
    const cpa = await app.register('CPA');
    const clients = await Promise.all(Array.from({ length: 10 }, () => app.register()));
    const asked = [];
    for (const client of clients) {
      asked.push({ client, ...(await invite(app, cpa, { kind: 'request', email: client.email, role: 'preparer' })) });
    }
    const offered = [];
    for (const client of await Promise.all([app.register(), app.register()])) {
      offered.push(await invite(app, client, { kind: 'offer', email: cpa.email, role: 'viewer' }));
    }
    for (let at = 0; at < 9; at++) await cpa.json('POST', '/v1/clients', { body: { name: `C${at}` } }, 201);
    const answers = await Promise.all([
      ...asked.map(({ client, invitation, token }) => accept(client, invitation.id, token)),
      ...offered.map(({ invitation, token }) => accept(cpa, invitation.id, token)),
      ...Array.from({ length: 5 }, (_, at) => answer(cpa, 'POST', '/v1/clients', { name: `D${at}` })),
    ]);
    const done = answers.filter(([status]) => status === 200 || status === 201);
    expect([done.length, (await fetchClients(cpa)).length]).toEqual([1, 10]);
    expect(answers.filter(([status]) => ![200, 201, 403, 409].includes(Number(status)))).toEqual([]);
  });

  test('ten concurrent acceptances of one invitation give access once, and a concurrent withdrawal either wins or loses', async () => {
    const [cpa, client] = [await app.register('CPA'), await app.register()];
    const { invitation, token } = await invite(app, cpa, { kind: 'request', email: client.email, role: 'viewer' });
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => accept(client, invitation.id, token)),
      answer(cpa, 'DELETE', `/v1/invitations/${invitation.id}`),
    ]);
    const accepted = answers.slice(0, 10).filter(([status]) => status === 200).length;
    const withdrawn = answers[10]?.[0] === 204;
    expect([accepted, withdrawn]).toEqual(withdrawn ? [0, true] : [1, false]);
    expect(await fetchGrants(client)).toHaveLength(accepted);
  });
});

async function signIn(who: TestClient): Promise<TestClient> {
  const body = { email: who.email, password: who.password };
  const response = await app.request('POST', '/v1/auth/login', { body });
  const cookie =
    response.headers
      .getSetCookie()
      .find((line) => line.startsWith('session='))
      ?.split(';')[0] ?? '';
  const request: TestClient['request'] = (method, path, given = {}) => app.request(method, path, { cookie, ...given });
  return {
    ...who,
    cookie,
    request,
    json: async <T>(method: string, path: string, given = {}) =>
      (await (await request(method, path, given)).json()) as T,
  };
}
