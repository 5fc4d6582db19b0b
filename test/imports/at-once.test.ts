import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, fetchAll, fetchBookContent, importCsv } from '../support/books.ts';
import { nameRowsAlike } from '../support/database.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await nameRowsAlike(app.books);
});
afterAll(() => app.close());

const fills = csvOf('buy 2024-01-02 10 X @1000 #b1', 'buy 2024-07-01 1 X @90', 'buy 2024-07-01 1 X @90');

describe('files', () => {
  test('are stored once if they are uploaded twice at the same time', async () => {
    const client = await app.register('PRO');
    const answers = await Promise.all([importCsv(client, fills), importCsv(client, fills), importCsv(client, fills)]);
    expect(answers.map(({ imported }) => imported).sort()).toEqual([0, 0, 3]);
    expect(await fetchAll(client, '/v1/transactions')).toHaveLength(3);
  });

  test('never deadlock if they overlap in the same books, and the result does not depend on their order', async () => {
    const files = Array.from({ length: 8 }, (_, file) =>
      csvOf(
        ...Array.from(
          { length: 10 },
          (_, row) => `buy 2024-0${1 + ((file + row) % 9)}-1${row} ${row + 1} X${file % 3} @${100 + row}`,
        ),
        'buy 2024-01-01 5 SHARED @50 #shared',
      ),
    );
    const [together, oneByOne] = [await app.register('PRO'), await app.register('PRO')];
    await Promise.all(files.map((file) => importCsv(together, file)));
    for (const file of files.toReversed()) await importCsv(oneByOne, file);
    expect(await fetchBookContent(together)).toBe(await fetchBookContent(oneByOne));
  });

  test('produce their union once if they are eight concurrent windows of one history', async () => {
    const client = await app.register('PRO');
    const rows = Array.from({ length: 110 }, (_, at) => {
      const day = `2024-0${1 + Math.floor(at / 14)}-${String(10 + (at % 14)).padStart(2, '0')}`;
      return at % 3 === 2
        ? `sell ${day} 1 X${at % 2} @${90 + at} #s${at}`
        : `buy ${day} 2 X${at % 2} @${80 + at} #b${at}`;
    });
    const windows = Array.from({ length: 8 }, (_, at) => csvOf(...rows.slice(at * 12, at * 12 + 26)));
    const answers = await Promise.all(windows.map((file) => importCsv(client, file)));
    expect(answers.reduce((sum, { imported }) => sum + imported, 0)).toBe(110);
    expect(answers.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(8 * 26 - 110);
    expect(await fetchAll(client, '/v1/transactions')).toHaveLength(110);
    const whole = await app.register('PRO');
    await importCsv(whole, csvOf(...rows));
    const gains = async (of: TestClient): Promise<unknown> =>
      (await of.json<{ total: unknown }>('GET', '/v1/tax/summary?year=2024')).total;
    expect(await gains(client)).toEqual(await gains(whole));
  });
});
