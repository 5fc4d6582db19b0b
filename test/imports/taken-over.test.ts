import { afterAll, beforeAll, expect, test } from 'bun:test';
import { sweepImports } from '../../src/features/ledger/imports/sweep.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, fetchAll } from '../support/books.ts';
import { letServersFallSilent } from '../support/kills/ground.ts';
import { storingHeldUp } from '../support/kills/held-storing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const file = csvOf('buy 2026-01-05 1 ONE @100 #a', 'sell 2026-02-05 1 ONE @140 #b');
const headers = { 'content-type': 'text/csv', 'idempotency-key': 'file-of-January' };
const send = (who: TestClient, more: Readonly<Record<string, string>> = {}) =>
  who.request('POST', '/v1/transactions/import', { body: file, headers: { ...headers, ...more } });

test('another server stores the import of a silent server once, and all clients get the same response', async () => {
  const who = await app.register();
  const stored = await storingHeldUp(app.books, who.email);
  const sent = send(who);
  await stored.isWaiting();
  // The import waits as long as necessary.
  expect((await send(who)).status).toBe(409);
  await letServersFallSilent(app.books);
  const servers = [app.another(), app.another()];
  await Promise.all(servers.map(({ deps }) => sweepImports(deps)));
  expect(await app.books.asOwner((sql) => sql`select name from jobs.job where name = 'books'`)).toHaveLength(1);
  await stored.release();

  const answers = [await sent];
  for (;;) {
    const again = await send(who);
    if (again.status !== 409) answers.push(again);
    if (answers.length === 2) break;
    await Bun.sleep(20);
  }
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  const views = await Promise.all(
    answers.map((response) => response.json() as Promise<{ id: string; imported: number }>),
  );
  expect(views[1]).toEqual(views[0] as (typeof views)[0]);
  expect(views[0]).toMatchObject({ status: 'completed', imported: 2, duplicates: 0 });
  expect(await fetchAll(who, '/v1/imports')).toMatchObject([{ id: views[0]?.id, status: 'completed' }]);
  const titles = (await fetchAll<{ title: string }>(who, '/v1/notifications')).map(({ title }) => title);
  expect(titles.filter((title) => title.startsWith('Import'))).toEqual(['Import finished: items to review']);
  const acts = (await fetchAll<{ action: string }>(who, '/v1/account/audit')).map(({ action }) => action);
  expect(acts.filter((action) => action === 'file_imported')).toHaveLength(1);
  expect(await fetchAll(who, '/v1/transactions')).toHaveLength(2);
});

test('an import that can no longer be stored fails with a reason, and its key can be used again at once', async () => {
  const who = await app.register();
  const stored = await storingHeldUp(app.books, who.email);
  const sent = send(who);
  await stored.isWaiting();
  // Simulates a restart of PostgreSQL, whose log does not contain staged rows.
  await app.books.asOwner((sql) => sql`delete from staged`);
  await letServersFallSilent(app.books);
  const other = app.another();
  await sweepImports(other.deps);
  const failed = async () => (await fetchAll<{ status: string }>(who, '/v1/imports'))[0]?.status === 'failed';
  for (const until = performance.now() + 150_000; !(await failed()); await Bun.sleep(20)) {
    if (performance.now() > until) throw new Error('It goes on.');
  }
  await stored.release();
  expect((await sent).status).toBe(503);
  const again = await send(who);
  expect(again.status).toBe(201);
  expect(await fetchAll(who, '/v1/imports')).toMatchObject([
    { status: 'completed', imported: 2 },
    { status: 'failed' },
  ]);
});
