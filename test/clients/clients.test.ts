import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface Client {
  id: string;
  name: string;
  createdAt: string;
}
interface Clients {
  data: Client[];
  nextCursor: string | null;
}
const create = (who: TestClient, name: string) => who.json<Client>('POST', '/v1/clients', { body: { name } }, 201);
const fetchStatus = async (who: TestClient, method: string, path: string, body?: unknown) =>
  (await who.request(method, path, body === undefined ? {} : { body })).status;

describe('a client', () => {
  test('is created, read, changed and deleted', async () => {
    const cpa = await app.register('CPA');
    const body = { name: 'Ann', email: 'ann@example.com', tin: '123-45-6789' };
    const made = await cpa.json<Client>('POST', '/v1/clients', { body }, 201);
    const { id, createdAt, ...rest } = made;
    expect([id.length, Number.isNaN(Date.parse(createdAt))]).toEqual([36, false]);
    expect(rest).toEqual({
      name: 'Ann',
      email: 'ann@example.com',
      taxpayerName: 'Ann',
      tin: '123-45-6789',
      timeZone: 'UTC',
      timeZoneStated: false,
      transactions: 0,
      years: [],
      role: 'manager',
    } as unknown as typeof rest);
    expect(await cpa.json<Client>('GET', `/v1/clients/${made.id}`)).toEqual(made);
    const change = { name: 'Anna', email: null, timeZone: 'America/Chicago' };
    const changed = await cpa.json('PATCH', `/v1/clients/${made.id}`, { body: change });
    expect(changed).toMatchObject({ name: 'Anna', taxpayerName: 'Ann', timeZone: 'America/Chicago' });
    expect(changed.email).toBeUndefined();
    expect(await fetchStatus(cpa, 'DELETE', `/v1/clients/${made.id}`)).toBe(204);
    expect(await fetchStatus(cpa, 'GET', `/v1/clients/${made.id}`)).toBe(404);
  });

  test('requires a name, and refuses an invalid time zone without creating or changing anything', async () => {
    const cpa = await app.register('CPA');
    for (const body of [
      {},
      { name: '' },
      { name: '  ' },
      { name: 'x', timeZone: 'Nowhere' },
      { name: 'x', plan: 'PRO' },
    ]) {
      expect(await fetchStatus(cpa, 'POST', '/v1/clients', body)).toBe(422);
    }
    const { id } = await create(cpa, 'Ann');
    expect(await fetchStatus(cpa, 'PATCH', `/v1/clients/${id}`, { name: 'Bob', timeZone: 'Nowhere' })).toBe(422);
    expect((await cpa.json<Clients>('GET', '/v1/clients')).data.map(({ name }) => name)).toEqual(['Ann']);
  });

  test("returns 404 for another preparer's client", async () => {
    const [mine, theirs] = [await app.register('CPA'), await app.register('CPA')];
    const { id } = await create(theirs, 'Secret');
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }], ['DELETE']] as const) {
      expect(await fetchStatus(mine, method, `/v1/clients/${id}`, body)).toBe(404);
    }
    expect(await fetchStatus(mine, 'GET', '/v1/clients/not-an-id')).toBe(404);
    expect((await theirs.json<Client>('GET', `/v1/clients/${id}`)).name).toBe('Secret');
  });

  test('the list is paged, oldest client first', async () => {
    const cpa = await app.register('CPA');
    for (const name of ['A', 'B', 'C']) await create(cpa, name);
    const first = await cpa.json<Clients>('GET', '/v1/clients?limit=2');
    const second = await cpa.json<Clients>('GET', `/v1/clients?limit=2&cursor=${first.nextCursor}`);
    expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(['A', 'B', 'C']);
    expect(second.nextCursor).toBeNull();
  });
});

describe('the limit', () => {
  test('is ten for the CPA plan, even under 50 parallel requests, and a deletion frees a slot', async () => {
    const cpa = await app.register('CPA');
    const names = Array.from({ length: 50 }, (_, at) => `Client ${at}`);
    const responses = await Promise.all(names.map((name) => cpa.request('POST', '/v1/clients', { body: { name } })));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(statuses.filter((status) => status === 403)).toHaveLength(40);
    const refused = responses.find(({ status }) => status === 403);
    expect(await refused?.json()).toMatchObject({ code: 'plan_limit', plan: 'CPA', limit: 10, used: 10, requested: 1 });

    const { data } = await cpa.json<Clients>('GET', '/v1/clients');
    expect(data).toHaveLength(10);
    expect((await cpa.json<{ usage: { clients: number } }>('GET', '/v1/account')).usage.clients).toBe(10);
    expect(await fetchStatus(cpa, 'DELETE', `/v1/clients/${data[0]?.id}`)).toBe(204);
    expect(await fetchStatus(cpa, 'POST', '/v1/clients', { name: 'Eleventh' })).toBe(201);
  });

  test('is zero for the other plans', async () => {
    for (const plan of ['FREE', 'PRO'] as const) {
      const response = await (await app.register(plan)).request('POST', '/v1/clients', { body: { name: 'Ann' } });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({
        code: 'plan_limit',
        plan,
        limit: 0,
        used: 0,
        requested: 1,
        upgrade: { plan: 'CPA', limit: 10 },
      });
    }
  });
});

describe('?client=', () => {
  test("appears in the links in that client's notifications", async () => {
    const cpa = await app.register('CPA');
    const { id } = await create(cpa, 'Ann');
    const body = 'date,type,account,asset,quantity,amount\n2024-01-02,buy,A,X,1,10\n2024-02-02,sell,A,X,2,30\n';
    const headers = { 'content-type': 'text/csv' };
    await cpa.json('POST', `/v1/transactions/import?client=${id}`, { body, headers });
    await cpa.json('POST', `/v1/tax/calculate?client=${id}`, { body: {} });
    const feed = async (query: string) =>
      (await cpa.json<{ data: { id: string; kind: string; link: string }[] }>('GET', `/v1/notifications${query}`)).data;
    const notes = await feed(`?client=${id}`);
    expect(notes.map(({ kind }) => kind)).toContain('review_needed');
    for (const { link } of notes) {
      expect([link, link.endsWith(`?client=${id}`)]).toEqual([link, true]);
      expect([link, (await cpa.request('GET', link)).status]).toEqual([link, 200]);
    }
    await cpa.json('POST', `/v1/notifications/${notes[0]?.id}/read?client=${id}`);
    expect((await feed(`?client=${id}&unread=true`)).map((note) => note.id)).toEqual(
      notes.slice(1).map((note) => note.id),
    );
    expect(await feed('')).toEqual([]);
  });

  test("selects that client's books, and requests without it use the user's own books", async () => {
    const cpa = await app.register('CPA');
    const { id } = await create(cpa, 'Ann');
    await app.books.asOwner(
      (sql) => sql`
        insert into notifications (taxpayer_id, sequence, kind, title, body, created_at)
        values (${id}, 1, 'tell_broker', 'hers', 'b', now())`,
    );
    const titles = async (query: string) =>
      (await cpa.json<{ data: { title: string }[] }>('GET', `/v1/notifications${query}`)).data.map(
        ({ title }) => title,
      );
    expect(await titles(`?client=${id}`)).toEqual(['hers']);
    expect(await titles('')).toEqual([]);
  });

  test("returns the same 404 for another user's client, the user's own id and unknown ids", async () => {
    const [mine, theirs] = [await app.register('CPA'), await app.register('CPA')];
    const { id } = await create(theirs, 'Secret');
    const [row] = await app.books.asOwner(
      (sql) => sql<{ id: string }[]>`
        select m.taxpayer_id as id from memberships m join users u on u.id = m.user_id
        where u.email = ${theirs.email} and m.role = 'owner'`,
    );
    for (const client of [id, row?.id, crypto.randomUUID(), 'x', '']) {
      const response = await mine.request('GET', `/v1/notifications?client=${client}`);
      expect([response.status, (await response.json()).code]).toEqual([404, 'not_found']);
    }
  });
});

test('a client is changed or deleted only if If-Match names the current version', async () => {
  const cpa = await app.register('CPA');
  const { id } = await create(cpa, 'Ann');
  const path = `/v1/clients/${id}`;
  const fetchTag = async () => (await cpa.request('GET', path)).headers.get('etag') ?? '';
  const read = await fetchTag();
  const send = (method: string, match: string, body?: object) =>
    cpa.request(method, path, { headers: { 'if-match': match }, ...(body === undefined ? {} : { body }) });
  const changed = await send('PATCH', read, { name: 'Anne' });
  expect([changed.status, changed.headers.get('etag')]).toEqual([200, await fetchTag()]);
  expect((await send('PATCH', read, { name: 'Bea' })).status).toBe(412);
  const now = await fetchTag();
  const rivals = ['Cleo', 'Dora', 'Edda', 'Fay'].map((name) => send('PATCH', now, { name }));
  const statuses = (await Promise.all(rivals)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 412, 412, 412]);
  await cpa.json('PATCH', path, { body: { name: 'Anne' } });
  expect((await send('DELETE', read)).status).toBe(412);
  expect((await cpa.json<Client>('GET', path)).name).toBe('Anne');
  expect((await send('DELETE', await fetchTag())).status).toBe(204);
});
