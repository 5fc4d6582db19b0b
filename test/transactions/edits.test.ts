import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, elect, fetchAll, fetchBookContent, importCsv } from '../support/books.ts';
import { nameRowsAlike } from '../support/database.ts';

interface Row {
  readonly id: string;
  readonly account: string;
  readonly amount: string;
  readonly source: { readonly importId: string | null };
}
interface Edited {
  readonly editId: string | null;
  readonly rows: number;
}
interface Edit {
  readonly id: string;
  readonly action: string;
  readonly rows: number;
  readonly undoneAt: string | null;
}
interface Traced extends Row {
  readonly corrected: boolean;
  readonly history: { action: string; members: { member: string; before: string; now: string }[] }[];
}

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await nameRowsAlike(app.books);
});
afterAll(() => app.close());

const csv = csvOf(
  'buy 2024-01-02 10 X @1000 !A #b1',
  'buy 2024-02-02 10 X @1200 !A #b2',
  'sell 2024-06-03 12 X @1100 !A #s1',
  'sell 2025-06-03 2 X @300 !A #s2',
);

async function withBooks(): Promise<{ who: TestClient; rows: Row[]; importId: string; before: string }> {
  const who = await app.register('PRO');
  const { id } = await importCsv(who, csv);
  return { who, rows: await fetchRows(who), importId: id, before: await fetchState(who) };
}

const fetchRows = (who: TestClient): Promise<Row[]> => fetchAll<Row>(who, '/v1/transactions');
/** Returns the rows and everything calculated from them, with the revision. */
const fetchState = async (who: TestClient): Promise<string> =>
  `${JSON.stringify(await fetchRows(who))} ${await fetchBookContent(who)}`;
const bulk = (who: TestClient, body: object): Promise<Edited> =>
  who.json<Edited>('POST', '/v1/transactions/bulk', { body }, 200);
const undo = (who: TestClient, id: string | null): Promise<Edit> =>
  who.json<Edit>('POST', `/v1/transactions/edits/${id}/undo`, {}, 200);
const fetchDifferences = async (who: TestClient): Promise<unknown> =>
  (await who.json<{ differences: unknown }>('POST', '/v1/tax/calculate', { body: { dryRun: true } })).differences;

async function refusal(who: TestClient, method: string, path: string, body?: object): Promise<[number, string]> {
  const response = await who.request(method, path, body === undefined ? {} : { body });
  return [response.status, ((await response.json()) as { detail: string }).detail];
}

describe('an edit', () => {
  test('can be undone, which restores the books and the revision, and the file recognizes its row', async () => {
    const { who, rows, before } = await withBooks();
    const response = await who.request('PATCH', `/v1/transactions/${rows[0]?.id}`, { body: { amount: '500' } });
    const editId = response.headers.get('edit-id');
    expect(await fetchState(who)).not.toBe(before);
    expect(await undo(who, editId)).toMatchObject({ action: 'change', rows: 1 });
    expect(await fetchState(who)).toBe(before);
    expect(await fetchDifferences(who)).toEqual([]);
    expect(await importCsv(who, csv)).toMatchObject({ imported: 0, duplicates: 4 });
  });

  test('an undone deletion restores the row with its sources, and undoing its import then removes the row', async () => {
    const { who, rows, importId, before } = await withBooks();
    const response = await who.request('DELETE', `/v1/transactions/${rows[1]?.id}`);
    expect([response.status, (await fetchRows(who)).length]).toEqual([204, 3]);
    await undo(who, response.headers.get('edit-id'));
    expect(await fetchState(who)).toBe(before);
    expect(await who.json('GET', '/v1/account')).toMatchObject({ usage: { transactions: 4 } });
    await who.json('DELETE', `/v1/imports/${importId}`);
    expect(await fetchRows(who)).toEqual([]);
  });

  test('many rows selected by a filter are one edit: calculated once, listed, and undone once', async () => {
    const { who, before } = await withBooks();
    const edited = await bulk(who, { filter: { asset: 'X', year: 2024 }, set: { account: 'B', note: 'moved' } });
    expect(edited.rows).toBe(3);
    expect((await fetchRows(who)).map(({ account }) => account)).toEqual(['B', 'B', 'B', 'A']);
    expect(await fetchDifferences(who)).toEqual([]);
    await undo(who, edited.editId);
    expect(await fetchState(who)).toBe(before);
    const [latest] = await fetchAll<Edit>(who, '/v1/transactions/edits');
    expect(latest).toMatchObject({ id: edited.editId ?? '', action: 'change', rows: 3 });
    expect(latest?.undoneAt).not.toBeNull();
    expect(await refusal(who, 'POST', `/v1/transactions/edits/${edited.editId}/undo`)).toEqual([
      409,
      'This edit is already undone. Nothing was changed.',
    ]);
  });

  test('a deletion of many rows by ids is undone as a whole', async () => {
    const { who, rows, before } = await withBooks();
    const { editId } = await bulk(who, { ids: rows.map(({ id }) => id), delete: true });
    expect(await fetchRows(who)).toEqual([]);
    await undo(who, editId);
    expect(await fetchState(who)).toBe(before);
    expect(await fetchDifferences(who)).toEqual([]);
  });

  test('changes nothing if any of its rows cannot be changed', async () => {
    const { who, rows, before } = await withBooks();
    const ids = rows.map(({ id }) => id);
    const nobodys = '00000000-0000-4000-8000-000000000000';
    expect((await refusal(who, 'POST', '/v1/transactions/bulk', { ids: [...ids, nobodys], delete: true }))[0]).toBe(
      404,
    );
    const [status, detail] = await refusal(who, 'POST', '/v1/transactions/bulk', { ids, set: { quantity: '-' } });
    expect([status, detail]).toEqual([422, expect.stringContaining('Nothing was changed.') as unknown as string]);
    await who.json('POST', '/v1/tax/years/2024/lock', { body: {} });
    const locked = await refusal(who, 'POST', '/v1/transactions/bulk', {
      filter: { account: 'A' },
      set: { amount: '1' },
    });
    expect(locked).toEqual([409, expect.stringContaining('2024 is locked') as unknown as string]);
    expect((await refusal(who, 'POST', '/v1/transactions/bulk', { filter: { account: 'A' }, delete: true }))[0]).toBe(
      409,
    );
    expect(await fetchState(who)).toBe(before);
    expect(await fetchAll(who, '/v1/transactions/edits')).toEqual([]);
  });

  test('is refused without rows or without a change', async () => {
    const { who, rows } = await withBooks();
    const ids = [rows[0]?.id];
    for (const body of [
      {},
      { ids },
      { delete: true },
      { ids, filter: { asset: 'X' }, delete: true },
      { filter: {}, delete: true },
    ]) {
      expect([body, (await refusal(who, 'POST', '/v1/transactions/bulk', body))[0]]).toEqual([body, 422]);
    }
    expect(await bulk(who, { filter: { asset: 'NONE' }, delete: true })).toEqual({ editId: null, rows: 0 });
    expect(await bulk(who, { ids, set: {} })).toEqual({ editId: null, rows: 0 });
  });

  test('of more than 1,000 rows by a filter needs their number, changes all of them or none, and is undone once', async () => {
    const who = await app.register('PRO');
    const many = Array.from({ length: 1_101 }, (_, at) => `buy 2024-01-02 1 Y @${(at % 7) + 1} !C #y${at}`);
    await importCsv(who, csvOf(...many, 'sell 2024-03-02 1101 Y @9000 !C #z'));
    const before = await fetchState(who);
    const change = { filter: { account: 'C' }, set: { account: 'D', note: 'moved' } };
    const missing = await refusal(who, 'POST', '/v1/transactions/bulk', change);
    expect(missing).toEqual([422, expect.stringContaining('matches more than 1000 transactions') as unknown as string]);
    for (const count of [1_101, 1_103]) {
      expect(await refusal(who, 'POST', '/v1/transactions/bulk', { ...change, count })).toEqual([
        409,
        `The list has changed: 1,102 transactions match now instead of ${count.toLocaleString('en-US')}. Nothing was changed. Check the list, and try again.`,
      ]);
    }
    const other = await app.register('PRO');
    expect((await refusal(other, 'POST', '/v1/transactions/bulk', { ...change, count: 1_102 }))[0]).toBe(409);
    await who.json('POST', '/v1/tax/years/2024/lock', { body: {} });
    expect((await refusal(who, 'POST', '/v1/transactions/bulk', { ...change, count: 1_102 }))[0]).toBe(409);
    await who.json('POST', '/v1/tax/years/2024/unlock', { body: {} });
    expect(await fetchState(who)).toBe(before);
    const moved = await bulk(who, { ...change, count: 1_102 });
    expect(moved.rows).toBe(1_102);
    expect(new Set((await fetchRows(who)).map(({ account }) => account))).toEqual(new Set(['D']));
    expect(await fetchDifferences(who)).toEqual([]);
    const deleted = await bulk(who, { filter: {}, count: 1_102, delete: true });
    expect(await fetchRows(who)).toEqual([]);
    await undo(who, deleted.editId);
    await undo(who, moved.editId);
    expect(await fetchState(who)).toBe(before);
    expect(await fetchDifferences(who)).toEqual([]);
    const recorded = await fetchAll<{ action: string }>(who, '/v1/account/audit');
    expect(recorded.filter(({ action }) => action === 'transactions_edited')).toHaveLength(2);
  });

  test('can be undone only after later edits of its rows are undone', async () => {
    const { who, rows, before } = await withBooks();
    const [first] = rows;
    const one = await bulk(who, { ids: [first?.id], set: { amount: '500' } });
    const two = await bulk(who, { filter: { year: 2024 }, set: { note: 'seen' } });
    expect(await refusal(who, 'POST', `/v1/transactions/edits/${one.editId}/undo`)).toEqual([
      409,
      'A later edit changed its transaction. Undo that edit first. Nothing was changed.',
    ]);
    await undo(who, two.editId);
    await undo(who, one.editId);
    expect(await fetchState(who)).toBe(before);
  });

  test('cannot be undone if its rows were removed or imported again', async () => {
    const { who, rows, importId } = await withBooks();
    const deleted = await bulk(who, { ids: [rows[0]?.id], delete: true });
    await importCsv(who, csv);
    expect(await refusal(who, 'POST', `/v1/transactions/edits/${deleted.editId}/undo`)).toEqual([
      409,
      'A later import restored its transaction. Nothing was changed.',
    ]);
    const changed = await bulk(who, { ids: [rows[3]?.id], set: { amount: '1' } });
    for (const { id } of await fetchAll<{ id: string }>(who, '/v1/imports'))
      await who.json('DELETE', `/v1/imports/${id}`);
    expect(importId).not.toBe('');
    expect((await refusal(who, 'POST', `/v1/transactions/edits/${changed.editId}/undo`))[1]).toBe(
      'An import was undone or transactions were deleted since this edit: its transaction no longer exists. Nothing was changed.',
    );
  });

  test('is undone under the current settings', async () => {
    const who = await app.register('PRO');
    await importCsv(who, csv);
    const { editId } = await bulk(who, { filter: { asset: 'X' }, delete: true });
    await elect(who, { accounts: { A: { type: 'taxable', assetClass: 'crypto' } } });
    await undo(who, editId);
    expect(await fetchDifferences(who)).toEqual([]);
    const other = await app.register('PRO');
    await elect(other, { accounts: { A: { type: 'taxable', assetClass: 'crypto' } } });
    await importCsv(other, csv);
    expect((await fetchRows(who)).map(({ id }) => id)).toEqual((await fetchRows(other)).map(({ id }) => id));
    expect(await importCsv(who, csv)).toMatchObject({ imported: 0, duplicates: 4 });
  });

  test('is visible only in its own books', async () => {
    const { who, rows } = await withBooks();
    const other = await app.register('PRO');
    const { editId } = await bulk(who, { ids: [rows[0]?.id], set: { amount: '1' } });
    expect((await refusal(other, 'POST', `/v1/transactions/edits/${editId}/undo`))[0]).toBe(404);
    expect((await refusal(other, 'POST', '/v1/transactions/bulk', { ids: [rows[0]?.id], delete: true }))[0]).toBe(404);
  });
});

test('a list returns the number of rows on all pages if requested', async () => {
  const { who } = await withBooks();
  const counted = await who.json<{ count?: number }>('GET', '/v1/transactions?count=true&limit=1&year=2024');
  expect(counted.count).toBe(3);
  expect(await who.json<{ count?: number }>('GET', '/v1/transactions?limit=1')).not.toHaveProperty('count');
});

describe('a row', () => {
  test('can be reverted to its file, and its history shows the differences', async () => {
    const { who, rows, before } = await withBooks();
    const path = `/v1/transactions/${rows[0]?.id}`;
    expect((await refusal(who, 'POST', `${path}/revert`))[0]).toBe(409);
    await who.json('PATCH', path, { body: { amount: '500' } });
    await who.json('PATCH', path, { body: { amount: '600' } });
    const corrected = await who.json<Traced>('GET', path);
    expect(corrected.history.map(({ action, members }) => [action, members])).toEqual([
      ['change', [{ member: 'amount', before: '1000.00', now: '600.00' }]],
      ['change', [{ member: 'amount', before: '500.00', now: '600.00' }]],
    ]);
    const response = await who.request('POST', `${path}/revert`);
    expect(response.status).toBe(200);
    expect(await fetchState(who)).toBe(before);
    expect(await who.json<Traced>('GET', path)).toMatchObject({ corrected: false });
    await undo(who, response.headers.get('edit-id'));
    expect((await who.json<Traced>('GET', path)).amount).toBe('600.00');
    expect(await fetchDifferences(who)).toEqual([]);
  });

  test('cannot be reverted to a file if it was entered manually', async () => {
    const who = await app.register();
    const { id } = await who.json<{ id: string }>('POST', '/v1/transactions', {
      body: { date: '2024-06-01', type: 'buy', asset: 'Z', quantity: '1', amount: '1' },
    });
    expect((await refusal(who, 'POST', `/v1/transactions/${id}/revert`))[0]).toBe(409);
    await who.json('PATCH', `/v1/transactions/${id}`, { body: { amount: '2' } });
    expect((await refusal(who, 'POST', `/v1/transactions/${id}/revert`))[0]).toBe(409);
    const response = await who.request('DELETE', `/v1/transactions/${id}`);
    await undo(who, response.headers.get('edit-id'));
    expect((await fetchRows(who)).map(({ amount }) => amount)).toEqual(['2.00']);
  });
});
