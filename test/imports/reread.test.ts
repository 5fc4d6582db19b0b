import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import {
  csvOf,
  fetchAll,
  fetchBookContent,
  type ImportResource,
  importCsv,
  type ListResponse,
} from '../support/books.ts';

interface Reread {
  readonly applied: boolean;
  readonly import: ImportResource;
  readonly changes: {
    readonly added: readonly { readonly asset: string }[];
    readonly changed: readonly { readonly members: readonly string[] }[];
    readonly gone: readonly { readonly asset: string }[];
  };
  readonly years: readonly { readonly year: number }[];
}

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const reread = (who: TestClient, id: string, body: object = {}): Promise<Reread> =>
  who.json('POST', `/v1/imports/${id}/reread`, { body });
const imports = (who: TestClient): Promise<ImportResource[]> => fetchAll(who, '/v1/imports');
const nothing = { added: [], changed: [], gone: [] };

test('the original is returned unchanged, including line endings and quotes', async () => {
  const who = await app.register();
  const head = 'date,type,account,asset,quantity,amount,note\r\n';
  const lines =
    '2024-01-02,buy,"Brock, L.",X,1,10,"two\nlines ""quoted"""\n2024-01-03,buy,B,Y,1,10,Größe\r\n\r\n2024-01-04,buy,B,Z,1,10,last';
  const { id } = await importCsv(who, head + lines);
  const response = await who.request('GET', `/v1/imports/${id}/file`);
  expect(response.headers.get('content-type')).toStartWith('text/csv');
  expect(await response.text()).toBe(head + lines);
  const same = await importCsv(who, head + lines);
  expect(await (await who.request('GET', `/v1/imports/${same.id}/file`)).text()).toBe(head + lines);
  expect((await who.request('GET', '/v1/imports/00000000-0000-4000-8000-000000000000/file')).status).toBe(404);
});

test('a long file is returned complete', async () => {
  const who = await app.register('PRO');
  const lines = Array.from(
    { length: 3_000 },
    (_, at) => `2024-01-02,dividend,B,X,,${at + 1},${at}${' note'.repeat(200)}`,
  );
  const text = `date,type,account,asset,quantity,amount,note\n${lines.join('\n')}\n`;
  const { id } = await importCsv(who, text);
  expect((await (await who.request('GET', `/v1/imports/${id}/file`)).text()) === text).toBe(true);
});

test('reading a file again with the same result changes nothing, as a dry run or applied', async () => {
  const who = await app.register();
  const { id } = await importCsv(who, csvOf('buy 2024-01-02 10 X @1000 #b1', 'sell 2024-06-03 4 X @500 #s1'));
  const [row] = (await who.json<ListResponse<{ id: string }>>('GET', '/v1/transactions?type=buy')).data;
  await who.json('PATCH', `/v1/transactions/${row?.id}`, { body: { amount: '1100' } });
  const before = await fetchBookContent(who);
  expect(await reread(who, id)).toMatchObject({ applied: false, changes: nothing, years: [] });
  expect((await imports(who)).map((one) => one.id)).toEqual([id]);
  const { import: applied, ...answer } = await reread(who, id, { apply: true });
  expect(answer).toMatchObject({ applied: true, changes: nothing, years: [] });
  expect(applied).toMatchObject({ status: 'completed', rows: 2, imported: 2, duplicates: 0 });
  expect((await imports(who)).map((one) => one.id)).toEqual([applied.id]);
  // Manual corrections are kept.
  expect(await fetchBookContent(who)).toBe(before);
  expect(await who.json('GET', '/v1/account')).toMatchObject({ usage: { transactions: 2 } });
  expect((await who.request('GET', `/v1/imports/${applied.id}/file`)).status).toBe(200);
});

test('a different result is first shown and then applied, and undoing it removes all of it', async () => {
  const who = await app.register();
  const text = 'date,type,asset,quantity,amount\n2024-01-02,buy,X,10,1000\n2024-06-03,sell,X,4,500\n';
  const { id } = await importCsv(who, text, '?account=Old');
  const before = await fetchBookContent(who);
  const tried = await reread(who, id, { account: 'New' });
  expect(tried.changes.changed.length + tried.changes.added.length).toBe(2);
  expect(await fetchBookContent(who)).toBe(before);
  const { import: applied } = await reread(who, id, { account: 'New', apply: true });
  const rows = await fetchAll<{ account: string }>(who, '/v1/transactions');
  expect(rows.map(({ account }) => account)).toEqual(['New', 'New']);
  // Reading the file once more uses the same options.
  expect(await reread(who, applied.id)).toMatchObject({ changes: nothing });
  expect((await who.request('DELETE', `/v1/imports/${applied.id}`)).status).toBe(204);
  expect(await fetchAll(who, '/v1/transactions')).toEqual([]);
});

test('rows that another file also contains are kept, and a repeated request has no further effect', async () => {
  const who = await app.register();
  const shared = 'date,type,asset,quantity,amount,account\n2024-01-02,buy,X,10,1000,A\n';
  const other = await importCsv(who, shared);
  const { id } = await importCsv(who, `${shared}2024-06-03,sell,X,4,500,A\n`);
  const headers = { 'idempotency-key': 'again' };
  const asked = { body: { apply: true }, headers };
  const first = await who.json<Reread>('POST', `/v1/imports/${id}/reread`, asked);
  expect(first.import).toMatchObject({ imported: 1, duplicates: 1 });
  expect(await who.json<Reread>('POST', `/v1/imports/${id}/reread`, asked)).toEqual(first);
  expect((await imports(who)).map((one) => one.id).sort()).toEqual([other.id, first.import.id].sort());
  expect((await who.request('POST', `/v1/imports/${id}/reread`, { body: {} })).status).toBe(404);
});

test('reading a file again is refused if it would change a locked year', async () => {
  const who = await app.register();
  const text = 'date,type,asset,quantity,amount\n2024-01-02,buy,X,10,1000\n2024-06-03,sell,X,4,500\n';
  const { id } = await importCsv(who, text, '?account=Old');
  await who.json('POST', '/v1/tax/years/2024/lock', { body: {} });
  const before = await fetchBookContent(who);
  const response = await who.request('POST', `/v1/imports/${id}/reread`, { body: { account: 'New', apply: true } });
  expect([response.status, (await response.json()) as object]).toMatchObject([409, { code: 'year_locked' }]);
  expect(await fetchBookContent(who)).toBe(before);
  expect((await imports(who)).map((one) => one.id)).toEqual([id]);
});
