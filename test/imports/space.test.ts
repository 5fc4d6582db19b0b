import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchAll, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const header = 'date,type,account,asset,quantity,amount\n';
const megabyte = 1_000_000;

/** Returns a file of unreadable lines. */
function unreadable(bytes: number): string {
  const line = `2024-13-41,buy,Broker,X,1,${'9'.repeat(900)}\n`;
  return header + line.repeat(Math.ceil(bytes / line.length));
}

function send(who: TestClient, body: string, query = ''): Promise<Response> {
  return who.request('POST', `/v1/transactions/import${query}`, { body, headers: { 'content-type': 'text/csv' } });
}

/** Returns the size of the stored rows. */
async function selectBytes(table: string): Promise<number> {
  const [row] = await app.books.asOwner(
    (sql) =>
      sql<{ bytes: string }[]>`select coalesce(sum(pg_column_size(t.*)), 0)::bigint as bytes from ${sql(table)} t`,
  );
  return Number(row?.bytes);
}

test('a FREE account stores 20 MB of files over any number of imports, and a refused file leaves nothing behind', async () => {
  const who = await app.register();
  const whole = await send(who, unreadable(21 * megabyte));
  expect([whole.status, await whole.json()]).toMatchObject([
    403,
    { code: 'plan_limit', plan: 'FREE', limit: 20 * megabyte, used: 0 },
  ]);
  expect(await fetchAll(who, '/v1/imports')).toEqual([]);
  expect((await importCsv(who, unreadable(12 * megabyte))).rejected).toBeGreaterThan(5_000);
  const second = await send(who, unreadable(12 * megabyte));
  expect([second.status, (await second.json()).code]).toEqual([403, 'plan_limit']);
  const parallel = await Promise.all([1, 2, 3].map(() => send(who, unreadable(6 * megabyte))));
  expect(parallel.filter(({ status }) => status === 201)).toHaveLength(1);
  const [note] = await fetchAll<{ kind: string; body: string }>(who, '/v1/notifications');
  expect(note?.body).toBe(
    'Your FREE plan includes 20 MB of imported files, and you have 18 MB. Undo imports that you no longer need, or upgrade.',
  );
  expect((await selectBytes('import_texts')) + (await selectBytes('import_rejects'))).toBeLessThan(30 * megabyte);
});

test('a dry run stores nothing, so it has no space limit', async () => {
  const who = await app.register();
  const response = await send(who, unreadable(21 * megabyte), '?dryRun=true');
  expect([response.status, await response.json()]).toMatchObject([
    200,
    { preview: { planLimit: expect.stringContaining('Your FREE plan includes 20 MB of imported files') } },
  ]);
  const { quotas } = await who.json<{ quotas: { importBytes: object } }>('GET', '/v1/status');
  expect(quotas.importBytes).toEqual({ used: 0, limit: 20 * megabyte });
});

test('the number of imports is limited, and undoing one frees a slot', async () => {
  const who = await app.register();
  const { id } = await importCsv(who, `${header}2024-01-02,buy,Broker,X,1,1\n`);
  await app.books.asOwner(
    (sql) => sql`
      insert into imports (taxpayer_id, id, status, created_at, moved_at)
      select m.taxpayer_id, gen_random_uuid(), 'completed', now(), now()
      from memberships m join users u on u.id = m.user_id, generate_series(1, 199) where u.email = ${who.email}`,
  );
  const refused = await send(who, `${header}2024-01-03,buy,Broker,X,1,1\n`);
  expect([refused.status, await refused.json()]).toMatchObject([403, { limit: 200, used: 200, requested: 1 }]);
  await who.json('DELETE', `/v1/imports/${id}`);
  expect((await send(who, `${header}2024-01-03,buy,Broker,X,1,1\n`)).status).toBe(201);
});

test('importing the same file again stores no second text, and rows still link to their lines after either import is undone', async () => {
  const who = await app.register('PRO');
  const rows = Array.from({ length: 300 }, (_, at) => `2024-01-02,buy,Broker,X,1,${at + 1},${crypto.randomUUID()}`);
  const file = `date,type,account,asset,quantity,amount,note\n${rows.join('\n')}\n`;
  const before = await selectBytes('import_texts');
  const first = await importCsv(who, file);
  const once = await selectBytes('import_texts');
  const again = [await importCsv(who, file), await importCsv(who, file)];
  expect(await selectBytes('import_texts')).toBe(once);
  await importCsv(who, file.replace('1,300,', '1,301,'));
  expect(await selectBytes('import_texts')).toBeGreaterThan(once + (once - before) / 2);

  const raws = async (): Promise<(string | null)[]> => {
    const [row] = await fetchAll<{ id: string }>(who, '/v1/transactions?q=X');
    const read = await who.json<{ source: { raw: string | null } | null }>('GET', `/v1/transactions/${row?.id}`);
    return [read.source?.raw ?? null];
  };
  const [kept] = await raws();
  expect(rows).toContain(kept as string);
  for (const { id } of [first, ...again]) {
    expect((await who.request('DELETE', `/v1/imports/${id}`)).status).toBe(204);
    const [raw] = await raws();
    expect(file.replace('1,300,', '1,301,').split('\n')).toContain(raw as string);
  }
  const [last] = await fetchAll<{ id: string }>(who, '/v1/imports');
  await who.request('DELETE', `/v1/imports/${last?.id}`);
  expect(await selectBytes('import_texts')).toBe(before);
});
