import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { keepKeysSwept } from '../../src/http/idempotency.ts';
import { letTimePass, type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { until } from '../support/until.ts';

const clock = testClock('2025-06-01T12:00:00Z');
let app: TestApp;
let cpa: TestClient;

beforeAll(async () => {
  app = await testApp({ clock });
});
afterAll(() => app.close());

const create = (who: TestClient, key: string, name: string) =>
  who.request('POST', '/v1/clients', { body: { name }, headers: { 'idempotency-key': key } });
const fetchNames = async (who: TestClient) =>
  (await who.json<{ data: { name: string }[] }>('GET', '/v1/clients')).data.map((client) => client.name);

describe('an Idempotency-Key', () => {
  test('returns the stored response byte for byte, and repeats no work', async () => {
    cpa = await app.register('CPA');
    const [first, second] = [await create(cpa, 'k1', 'Ann'), await create(cpa, 'k1', 'Ann')];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await second.text()).toBe(await first.text());
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await fetchNames(cpa)).toEqual(['Ann']);
  });

  test('returns 422 idempotency_mismatch with another body', async () => {
    const response = await create(cpa, 'k1', 'Bob');
    expect([response.status, (await response.json()).code]).toEqual([422, 'idempotency_mismatch']);
  });

  test('belongs to one user', async () => {
    const other = await app.register('CPA');
    expect((await create(other, 'k1', 'Carl')).status).toBe(201);
    expect(await fetchNames(cpa)).toEqual(['Ann']);
  });

  test('does the work once for 50 parallel requests, and the other requests get its response or must wait', async () => {
    const who = await app.register('CPA');
    const responses = await Promise.all(Array.from({ length: 50 }, () => create(who, 'same', 'Dora')));
    const statuses = new Set(responses.map((response) => response.status));
    expect(statuses.has(201)).toBe(true);
    expect([...statuses].every((status) => status === 201 || status === 409)).toBe(true);
    const bodies = await Promise.all(
      responses.filter(({ status }) => status === 201).map((response) => response.text()),
    );
    expect(new Set(bodies).size).toBe(1);
    const waits = responses.filter(({ status }) => status === 409);
    for (const response of waits) expect((await response.json()).code).toBe('idempotency_in_flight');
    expect(await fetchNames(who)).toEqual(['Dora']);
  });

  test('can be used again if the request was refused', async () => {
    const free = await app.register();
    expect((await create(free, 'k2', 'Eve')).status).toBe(403);
    await app.books.asOwner((sql) => sql`update users set plan = 'CPA' where email = ${free.email}`);
    expect((await create(free, 'k2', 'Eve')).status).toBe(201);
  });

  test('blocks for fifteen seconds if its server died, and then works', async () => {
    const who = await app.register('CPA');
    await app.books.asOwner(
      (sql) => sql`
        insert into idempotency_keys (taxpayer_id, user_id, route, key, claim, claimed_until, created_at)
        select m.taxpayer_id, u.id, 'POST /v1/clients', 'dead', gen_random_uuid(), now() + interval '15 s', now()
        from users u join memberships m on m.user_id = u.id where u.email = ${who.email}`,
    );
    const early = await create(who, 'dead', 'Finn');
    expect([early.status, (await early.json()).code]).toEqual([409, 'idempotency_in_flight']);
    await letTimePass(app, 16);
    expect((await create(who, 'dead', 'Finn')).status).toBe(201);
    expect(await fetchNames(who)).toEqual(['Finn']);
  });

  test('expires after 24 hours', async () => {
    const who = await app.register('CPA');
    await create(who, 'k3', 'Gus');
    await letTimePass(app, 25 * 3_600);
    clock.move(1000);
    expect((await create(who, 'k3', 'Hal')).status).toBe(201);
    expect(await fetchNames(who)).toEqual(['Gus', 'Hal']);
  });

  test('is removed after 24 hours, even if the client never returns', async () => {
    const who = await app.register('CPA');
    await create(who, 'k4', 'Ivy');
    await letTimePass(app, 25 * 3_600);
    keepKeysSwept(app.deps)();
    const count = () =>
      app.books.asOwner(async (sql) => {
        const [row] = await sql<{ n: number }[]>`select count(*)::integer as n from idempotency_keys where key = 'k4'`;
        return row?.n;
      });
    await until('the key is removed', async () => (await count()) === 0);
  });

  test('returns 400 if it is empty, too long or contains spaces', async () => {
    const who = await app.register('CPA');
    for (const key of ['', 'a b', 'x'.repeat(256)]) expect((await create(who, key, 'Ida')).status).toBe(400);
  });
});
