import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { csvOf, fetchBookContent, importCsv, type ListResponse } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: testClock('2025-06-15T12:00:00Z') });
});
afterAll(() => app.close());

interface Preview {
  readonly transactions: { readonly type: string; readonly source: { readonly line: number } }[];
  readonly rejects: { readonly line: number; readonly column: string | null }[];
  readonly issues: { readonly kind: string; readonly line: number }[];
  readonly years: { readonly year: number; readonly before: object | null; readonly after: object | null }[];
  readonly warnings: string[];
}

async function fetchPreview(client: TestClient, csv: string, query = '?dryRun=true'): Promise<Preview> {
  const imported = (await importCsv(client, csv, query)) as unknown as { preview: Preview };
  return imported.preview;
}

describe('a dry run', () => {
  test('shows the first rows, the counts and the changes for each year, and stores nothing', async () => {
    const client = await app.register('PRO');
    await importCsv(client, csvOf('buy 2024-01-02 10 X @1000 #b1', 'sell 2024-06-03 4 X @500 #s1'));
    const before = await fetchBookContent(client);
    const csv = csvOf('sell 2024-06-03 4 X @500 #s1', 'sell 2024-07-03 6 X @900 #s2', 'dividend 2025-01-03 - X @7');
    const imported = await importCsv(client, csv, '?dryRun=true');
    expect(imported).toMatchObject({ imported: 2, duplicates: 1, rejected: 0 });
    const { transactions, years, issues, warnings } = (imported as unknown as { preview: Preview }).preview;
    expect(transactions.map(({ type, source }) => [type, source.line])).toEqual([
      ['sell', 2],
      ['sell', 3],
      ['dividend', 4],
    ]);
    expect(years).toMatchObject([
      { year: 2024, before: { total: { gain: '100.00', count: 1 } }, after: { total: { gain: '400.00', count: 2 } } },
      { year: 2025, before: null, after: { total: { count: 0 }, income: '7.00' } },
    ]);
    expect([issues, warnings]).toEqual([[], []]);
    expect(await fetchBookContent(client)).toBe(before);
    expect((await client.json<ListResponse<unknown>>('GET', '/v1/imports')).data).toHaveLength(1);
  });

  test('shows the issues that its rows would raise, with their lines', async () => {
    const client = await app.register('PRO');
    const { issues } = await fetchPreview(client, csvOf('buy 2024-01-02 1 X @10', 'sell 2024-06-03 4 X @500'));
    expect(issues).toMatchObject([{ kind: 'oversold', line: 3 }]);
  });

  test('shows the unreadable lines', async () => {
    const client = await app.register('PRO');
    const preview = await fetchPreview(client, `${csvOf('buy 2024-01-02 1 X @10')}oops,buy,Broker,X,1,1,,\n`);
    expect(preview.rejects).toMatchObject([{ line: 3, column: 'date' }]);
    expect(preview.warnings).toEqual(["We couldn't read 1 of 2 rows. They will not be imported."]);
  });

  test('warns about future dates, and about days that the zone moves into another tax year', async () => {
    const client = await app.register('PRO');
    const csv = csvOf('buy 2024-12-31T23:00:00Z 1 X @10', 'buy 2026-01-02 1 X @10');
    expect((await fetchPreview(client, csv)).warnings).toEqual([
      '1 row is dated in the future.',
      "1 row is within hours of New Year's, so the time zone determines the tax year. We used UTC. Choose your time zone.",
    ]);
    const stated = await fetchPreview(client, csv, '?dryRun=true&timeZone=America/New_York');
    expect(stated.warnings).toEqual(['1 row is dated in the future.']);
  });

  test('shows no change for a year whose rows are all stored', async () => {
    const client = await app.register('PRO');
    const csv = csvOf('buy 2024-01-02 10 X @1000 #b1', 'sell 2024-06-03 4 X @500 #s1');
    await importCsv(client, csv);
    expect((await fetchPreview(client, csv)).years).toEqual([]);
  });

  test('has a preview, and a real import has none', async () => {
    const client = await app.register('PRO');
    const imported = await importCsv(client, csvOf('buy 2024-01-02 10 X @1000'));
    expect(imported).not.toHaveProperty('preview');
  });
});
