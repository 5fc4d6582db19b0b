import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchAll, importCsv } from '../support/books.ts';

/** Two files with the same columns. The later one may correct the earlier one, or contain other trades. */
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const header = 'date,type,account,asset,quantity,amount';
const file = (...rows: readonly string[]): string => [header, ...rows, ''].join('\n');
const named = (...rows: readonly string[]): string =>
  [`${header},id`, ...rows.map((row, at) => `${row},r${at}`), ''].join('\n');

const three = ['2024-01-05,buy,S,KO,10,600', '2024-02-05,buy,S,PEP,5,850', '2024-03-05,sell,S,KO,10,640'];
const others = ['2024-01-05,buy,S,KO,7,415', '2024-02-05,buy,S,PEP,3,520', '2024-03-05,sell,S,KO,7,450'];
const many = ['01', '02', '03', '04', '05', '06'].map((month) => `2024-${month}-05,buy,S,KO,10,6${month}`);

interface Outcome {
  readonly imported: number;
  readonly held: number;
  readonly possible: number;
}

async function fetchOutcome(client: TestClient, query: string, ...files: readonly string[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [at, text] of files.entries()) {
    const view = await importCsv(client, text, at === 0 ? '' : query);
    const { imported, proposedRows, possibleDuplicates } = view as unknown as Record<string, number>;
    outcomes.push({ imported: imported ?? 0, held: proposedRows ?? 0, possible: possibleDuplicates ?? 0 });
  }
  const { differences } = await client.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', { body: {} });
  expect(differences).toEqual([]);
  return outcomes;
}

const first = many.slice(0, 3);
const january = ['2024-01-05,buy,S,KO,10,600', '2024-01-20,buy,S,PEP,5,850', '2024-01-31,buy,S,KO,2,120'];
const february = ['2024-01-31,buy,S,KO,4,250', '2024-02-05,buy,S,PEP,3,520', '2024-02-28,sell,S,KO,7,450'];
const changed = (rows: readonly string[], ...at: readonly number[]): string[] =>
  rows.map((row, index) => (at.includes(index) ? `${row}.75` : row));

describe('the rows of a later file', () => {
  test.each<[string, string, string, Outcome]>([
    ['are new if all of their numbers differ', file(...three), file(...others), { imported: 3, held: 0, possible: 1 }],
    [
      'are held if most of the file is the same',
      file(...many),
      file(...changed(many, 2)),
      { imported: 0, held: 1, possible: 0 },
    ],
    [
      'are held if half of the rows are the same',
      file(...many),
      file(...changed(many, 1, 3, 5)),
      { imported: 0, held: 3, possible: 0 },
    ],
    [
      'are new if more rows differ than are the same',
      file(...many),
      file(...changed(many, 0, 1, 3, 5)),
      { imported: 4, held: 0, possible: 1 },
    ],
    ['are held if their ids are the same', named(...three), named(...others), { imported: 0, held: 3, possible: 0 }],
    [
      'are new if the file has the same rows and more',
      file(...first),
      file(...many),
      { imported: 3, held: 0, possible: 0 },
    ],
    ['are new if two months share a day', file(...january), file(...february), { imported: 3, held: 0, possible: 0 }],
    [
      'are new if two months share a day and its row',
      file(...january),
      file(january[2] as string, '2024-02-05,buy,S,PEP,3,520', '2024-02-28,sell,S,KO,7,450'),
      { imported: 2, held: 0, possible: 0 },
    ],
  ])('%s', async (_name, earlier, later, expected) => {
    const client = await app.register('PRO');
    expect((await fetchOutcome(client, '', earlier, later))[1]).toEqual(expected);
  });

  test('are added to the rows of the earlier file, with one question about the file', async () => {
    const client = await app.register('PRO');
    await fetchOutcome(client, '', file(...three), file(...others));
    expect(await fetchAll(client, '/v1/transactions')).toHaveLength(6);
    expect(await fetchAll(client, '/v1/tax/issues?kind=row_differs')).toEqual([]);
    const [pair, ...more] = await fetchAll<{ id: string; detail: string }>(client, '/v1/imports/possible-duplicates');
    expect(more).toEqual([]);
    expect(pair?.detail).toContain('3 rows have the same date, account, type and asset as in an earlier file');
    await client.json('DELETE', `/v1/imports/possible-duplicates/${pair?.id}`, {}, 204);
    expect(await fetchOutcome(client, '', file(...three), file(...others))).toEqual([
      { imported: 0, held: 0, possible: 0 },
      { imported: 0, held: 0, possible: 0 },
    ]);
  });

  test('are held if the sender marks the file as a correction, and one answer replaces all of them', async () => {
    const client = await app.register('PRO');
    const [, later] = await fetchOutcome(client, '?correction=true', file(...three), file(...others));
    expect(later).toEqual({ imported: 0, held: 3, possible: 0 });
    const answer = { filter: { kind: 'row_differs' }, action: 'replace' };
    expect(await client.json('POST', '/v1/tax/issues/resolve', { body: answer })).toMatchObject({ resolved: 3 });
    const rows = await fetchAll<{ quantity: string }>(client, '/v1/transactions?sort=date');
    expect(rows.map(({ quantity }) => quantity)).toEqual(['7', '3', '7']);
  });

  test('are new, and raise no question, if the sender marks the file as no correction', async () => {
    const client = await app.register('PRO');
    const [, later] = await fetchOutcome(client, '?correction=false', named(...three), named(...others));
    expect(later).toEqual({ imported: 3, held: 0, possible: 0 });
  });

  test('can be imported again as a correction after an undo', async () => {
    const client = await app.register('PRO');
    await importCsv(client, file(...three));
    const { id } = await importCsv(client, file(...others));
    await client.json('DELETE', `/v1/imports/${id}`, {}, 204);
    expect(await importCsv(client, file(...others), '?correction=true')).toMatchObject({
      imported: 0,
      proposedRows: 3,
    });
    expect(await fetchAll(client, '/v1/imports/possible-duplicates')).toEqual([]);
  });
});
