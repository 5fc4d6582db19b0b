import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { tablesOf } from '../../src/features/ledger/archives/contents.ts';
import { sweepUndone } from '../../src/features/ledger/imports/undo.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, fetchAll, fetchBookContent, importCsv } from '../support/books.ts';
import { selectContent } from '../support/contents.ts';
import { draws } from '../support/depth.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface Undone {
  readonly id: string;
  readonly fileName: string | null;
  readonly undoneAt?: string;
}

const undo = (who: TestClient, id: string) => who.json('DELETE', `/v1/imports/${id}`, {}, 204);
const restore = (who: TestClient, id: string) => who.json<Undone>('POST', `/v1/imports/${id}/restore`, {}, 200);
const listUndone = (who: TestClient): Promise<Undone[]> => fetchAll(who, '/v1/imports?undone=true');
const fetchUsed = async (who: TestClient): Promise<number> =>
  (await who.json<{ usage: { transactions: number } }>('GET', '/v1/account')).usage.transactions;

async function refusal(response: Promise<Response>): Promise<[string, string]> {
  const { code, detail } = (await (await response).json()) as { code: string; detail: string };
  return [code, detail];
}

/** Returns all stored rows of the user's books, except the text, which two imports of one file share. */
async function readAll(who: TestClient): Promise<unknown> {
  const [{ taxpayerId } = { taxpayerId: '' }] = await app.books.asOwner(
    (sql) => sql<{ taxpayerId: string }[]>`select m.taxpayer_id as "taxpayerId" from memberships m
      join users u on u.id = m.user_id where u.email = ${who.email}`,
  );
  return app.books.asOwner(async (sql) => {
    const tables: Record<string, unknown> = {};
    for (const name of tablesOf('kept').filter((one) => !['import_texts', 'calculations'].includes(one))) {
      const rows = await sql<{ row: Record<string, unknown> }[]>`
        select to_jsonb(t) as row from ${sql(name)} t where taxpayer_id = ${taxpayerId} order by to_jsonb(t)::text`;
      tables[name] = rows.map(({ row }) => (name === 'imports' ? { ...row, text_of: null } : row));
    }
    return { tables, content: await selectContent(sql, taxpayerId), used: await fetchUsed(who) };
  });
}

const pool = [
  'buy 2023-01-05 10 ACME @1000 #a',
  'buy 2023-02-06 4 KO @200 #b',
  'sell 2023-05-09 3 ACME @360 #c',
  'sell 2024-01-09 2 ACME @150 #d',
  'buy 2024-01-20 2 ACME @160 #e',
  'dividend 2024-03-05 - KO @8 #f',
  'sell 2024-06-05 6 KO @420 #g',
  'sell 2025-02-05 5 ACME @900 #h',
];

test('undoing an import and restoring it changes nothing, whatever was edited, answered and shared with other files', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.nat(pool.length - 1), { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 }),
      fc.nat(),
      fc.nat(),
      fc.boolean(),
      async (files, undone, edited, isCorrected) => {
        const who = await app.register('PRO');
        const ids: string[] = [];
        for (const [at, rows] of files.entries()) {
          // A later file may state the same trades with other amounts.
          const own = [...new Set(rows)].map((row) => pool[row] ?? '');
          const stated = isCorrected && at === 1 ? own.map((row) => row.replace('@', '@1')) : own;
          ids.push(
            (await importCsv(who, csvOf(...stated), `?account=Broker${isCorrected ? '&correction=true' : ''}`)).id,
          );
        }
        const stored = await fetchAll<{ id: string }>(who, '/v1/transactions');
        const target = stored[edited % stored.length];
        await who.json('PATCH', `/v1/transactions/${target?.id}`, { body: { note: 'checked', amount: '77' } });
        const [issue] = await fetchAll<{ id: string }>(who, '/v1/tax/issues?status=open');
        if (issue !== undefined) {
          await who.request('POST', `/v1/tax/issues/${issue.id}/resolve`, { body: { action: 'accept', note: 'fine' } });
        }
        const before = await readAll(who);
        const id = ids[undone % ids.length] ?? '';
        await undo(who, id);
        expect((await listUndone(who)).map((one) => one.id)).toEqual([id]);
        await restore(who, id);
        expect(await readAll(who)).toEqual(before);
        expect(await listUndone(who)).toEqual([]);
        expect(await who.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
      },
    ),
    { numRuns: draws(3, 20) },
  );
});

test('an undone import can be restored in any order that undid it last first, with its file', async () => {
  const who = await app.register('PRO');
  const text = csvOf(pool[0] ?? '', pool[2] ?? '');
  const first = await importCsv(who, text);
  const second = await importCsv(who, csvOf(pool[0] ?? '', pool[7] ?? ''));
  const before = await fetchBookContent(who);
  await undo(who, first.id);
  await undo(who, second.id);
  expect(await fetchUsed(who)).toBe(0);
  expect(await refusal(who.request('POST', `/v1/imports/${first.id}/restore`))).toEqual([
    'conflict',
    "This import can't be restored anymore, because its transactions or Lotbook itself have changed. Import the file again instead.",
  ]);
  await restore(who, second.id);
  await restore(who, first.id);
  expect(await fetchBookContent(who)).toBe(before);
  expect(await (await who.request('GET', `/v1/imports/${first.id}/file`)).text()).toBe(text);
  expect(await fetchUsed(who)).toBe(3);
});

test('a restore is refused after another import, beyond the plan, in a locked year, and for another user', async () => {
  const who = await app.register();
  const { id } = await importCsv(who, csvOf(...pool.slice(0, 3)));
  await undo(who, id);
  const other = await app.register();
  expect((await other.request('POST', `/v1/imports/${id}/restore`)).status).toBe(404);
  expect(await listUndone(other)).toEqual([]);
  const rows = Array.from(
    { length: 49 },
    (_, day) => `buy 2024-02-${String((day % 28) + 1).padStart(2, '0')} ${day + 1} KO @5`,
  );
  const later = await importCsv(who, csvOf(...rows));
  const [code, detail] = await refusal(who.request('POST', `/v1/imports/${id}/restore`));
  expect([code, detail]).toEqual([
    'conflict',
    'Another file was imported after you undid this import. Undo that import first, or import the file again.',
  ]);
  await undo(who, later.id);
  await restore(who, id);
  await undo(who, id);
  await restore(who, later.id);
  // The restored file counts as of its first import, so only the limit of 50 transactions refuses the other one.
  const [limit, sentence] = await refusal(who.request('POST', `/v1/imports/${id}/restore`));
  expect([limit, sentence]).toEqual(['plan_limit', expect.stringContaining('You have 49 and tried to add 3 more.')]);
  await undo(who, later.id);
  await who.json('POST', '/v1/tax/years/2023/lock', { body: {} });
  expect((await refusal(who.request('POST', `/v1/imports/${id}/restore`)))[0]).toBe('year_locked');
  expect(await fetchAll(who, '/v1/transactions')).toEqual([]);
});

test('an upgrade that changes a table refuses to restore older copies of its rows', async () => {
  const upgraded = await testApp();
  const who = await upgraded.register('PRO');
  const { id } = await importCsv(who, csvOf(...pool));
  await undo(who, id);
  await upgraded.books.asOwner((sql) => sql`alter table transactions add column added text`);
  const [code, sentence] = await refusal(who.request('POST', `/v1/imports/${id}/restore`));
  expect([code, sentence]).toEqual(['conflict', expect.stringContaining('again instead')]);
  await upgraded.close();
});

test('a day after the undo, the file, its rows and its edits are removed', async () => {
  const who = await app.register('PRO');
  const { id } = await importCsv(who, csvOf(...pool));
  await undo(who, id);
  const yesterday = new Date(app.deps.clock.now().getTime() - 25 * 3_600_000);
  await app.books.asOwner((sql) => sql`update undone_imports set undone_at = ${yesterday} where id = ${id}`);
  await sweepUndone(app.deps);
  expect((await who.request('POST', `/v1/imports/${id}/restore`)).status).toBe(404);
  for (const table of ['undone_rows', 'undone_texts']) {
    expect(await app.books.asOwner((sql) => sql`select from ${sql(table)} where import_id = ${id}`)).toHaveLength(0);
  }
});
