import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, testApp } from '../support/app.ts';
import { csvOf, fetchAll, importCsv } from '../support/books.ts';

interface Line {
  readonly quantity: string;
  readonly sold: string;
  readonly code: string;
  readonly gain: string;
}

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('the first short sale of a book, imported later, finds stock sold up to thirty days before it is closed', async () => {
  const who = await app.register();
  await importCsv(who, csvOf('buy 2023-01-03 100 X @900 #b1', 'sell 2024-12-30 100 X @1000 #s1'));
  await importCsv(who, csvOf('buy 2025-01-02 1 X @10 #b2'));
  await importCsv(who, csvOf('short_sell 2025-01-06 100 X @1000 #ss1', 'cover 2025-01-20 100 X @1200 #c1'));
  const lines = await fetchAll<Line>(who, '/v1/tax/disposals?year=2024');
  expect(lines.map(({ quantity, gain }) => [quantity, gain])).toEqual([
    ['100', '100.00'],
    ['0', '-200.00'],
  ]);
  const calculated = await who.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', {
    body: { dryRun: true },
  });
  expect(calculated.differences).toEqual([]);
});
