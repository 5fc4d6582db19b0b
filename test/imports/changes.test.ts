import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, fetchBookContent, importCsv } from '../support/books.ts';
import { nameRowsAlike } from '../support/database.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await nameRowsAlike(app.books);
});
afterAll(() => app.close());

interface ChangedRow {
  readonly line: number;
  readonly externalId: string | null;
}

interface Changes {
  readonly against: string | null;
  readonly added: ChangedRow[];
  readonly changed: { readonly before: ChangedRow; readonly after: ChangedRow; readonly members: string[] }[];
  readonly gone: ChangedRow[];
}

const fetchChanges = (client: TestClient, id: string): Promise<Changes> =>
  client.json('GET', `/v1/imports/${id}/changes`);

describe('a file that is imported again', () => {
  test('shows added, changed and removed rows', async () => {
    const client = await app.register('PRO');
    const first = await importCsv(
      client,
      csvOf('buy 2024-01-02 10 X @1000 #b1', 'buy 2024-01-03 5 Y @50 #b2', 'sell 2024-06-03 4 X @500 #s1'),
    );
    const second = await importCsv(
      client,
      csvOf('buy 2024-01-02 10 X @1001 ~1 #b1', 'sell 2024-06-03 4 X @500 #s1', 'buy 2024-01-02 1 Z @10 #b3'),
    );
    const changes = await fetchChanges(client, second.id);
    expect(changes.against).toBe(first.id);
    expect(changes.added.map(({ externalId, line }) => [externalId, line])).toEqual([['b3', 4]]);
    expect(changes.gone.map(({ externalId, line }) => [externalId, line])).toEqual([['b2', 3]]);
    expect(changes.changed).toMatchObject([
      { before: { line: 2, externalId: 'b1' }, after: { line: 2, externalId: 'b1' }, members: ['amount', 'fee'] },
    ]);
  });

  test('matches a row without an id by day, type and asset', async () => {
    const client = await app.register('PRO');
    await importCsv(client, csvOf('buy 2024-01-02 10 X @1000'));
    const { id } = await importCsv(client, csvOf('buy 2024-01-02 11 X @1000'));
    expect(await fetchChanges(client, id)).toMatchObject({ added: [], gone: [], changed: [{ members: ['quantity'] }] });
  });

  test('does not report older rows as removed if it starts later', async () => {
    const client = await app.register('PRO');
    await importCsv(client, csvOf('buy 2024-01-02 10 X @1000 #b1', 'buy 2024-02-02 1 X @100 #b2'));
    const { id } = await importCsv(client, csvOf('buy 2024-02-02 1 X @100 #b2', 'buy 2024-03-02 1 X @100 #b3'));
    expect(await fetchChanges(client, id)).toMatchObject({ added: [{ externalId: 'b3' }], changed: [], gone: [] });
  });

  test('is compared with nothing if it is the first file, or is for other days or accounts', async () => {
    const client = await app.register('PRO');
    const first = await importCsv(client, csvOf('buy 2024-01-02 10 X @1000'));
    expect(await fetchChanges(client, first.id)).toMatchObject({ against: null, added: [], changed: [], gone: [] });
    const later = await importCsv(client, csvOf('buy 2024-05-02 10 X @1000'));
    expect(await fetchChanges(client, later.id)).toMatchObject({ against: null });
    const elsewhere = await importCsv(client, csvOf('buy 2024-01-02 10 X @1000 !Other'));
    expect(await fetchChanges(client, elsewhere.id)).toMatchObject({ against: null });
  });
});

test('undoing an import frees its rows, and the corrected file imports as if it were the first', async () => {
  const [client, other] = [await app.register('PRO'), await app.register('PRO')];
  const wrong = csvOf('buy 2024-01-02 10 X @1000 #b1', 'sell 2024-06-03 4 X @500 #s1');
  const right = csvOf('buy 2024-01-02 10 X @900 #b1', 'sell 2024-06-03 4 X @500 #s1');
  const { id } = await importCsv(client, wrong);
  expect((await client.request('DELETE', `/v1/imports/${id}`)).status).toBe(204);
  expect(await importCsv(client, right)).toMatchObject({ imported: 2, duplicates: 0 });
  await importCsv(other, right);
  expect(await fetchBookContent(client)).toBe(await fetchBookContent(other));
});
