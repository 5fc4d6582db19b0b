import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { writeLotbook } from '../../src/formats/sources/lotbook.ts';
import { histories } from '../oracle/histories/generate.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { electRules, fetchBookContent, importCsv } from '../support/books.ts';
import { nameRowsAlike } from '../support/database.ts';
import { draws } from '../support/depth.ts';
import { seedFor } from '../support/seed.ts';

const seed = seedFor('requests.test');
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await nameRowsAlike(app.books);
});
afterAll(() => app.close());

/** Imports some of the random histories from histories.test.ts as files through the HTTP API. */
test('random histories as files produce the same books when they are undone and imported again, without differences', async () => {
  const property = fc.asyncProperty(histories(20), fc.nat(100), async ({ history, rules }, cut) => {
    const client = await app.register('PRO');
    await electRules(client, rules);
    const at = history.length === 0 ? 0 : cut % history.length;
    const files = [history.slice(at), history.slice(0, at)].filter((rows) => rows.length > 0);
    const csv = files.map((rows) => [...writeLotbook(rows)].join(''));
    const ids: string[] = [];
    for (const text of csv) {
      // A row that the format refuses, such as a purchase without an amount, is rejected in the same way each time.
      ids.push((await importCsv(client, text)).id);
    }
    const all = await fetchBookContent(client);
    const calculated = await client.json<{ differences: object[] }>('POST', '/v1/tax/calculate', { body: {} });
    expect(calculated.differences).toEqual([]);
    for (const [file, id] of ids.entries()) {
      await client.json('DELETE', `/v1/imports/${id}`);
      expect(await client.json('POST', '/v1/tax/calculate', { body: { dryRun: true } })).toMatchObject({
        differences: [],
      });
      await importCsv(client, csv[file] ?? '');
      expect(await fetchBookContent(client)).toBe(all);
    }
  });
  await fc.assert(property, { seed, numRuns: draws(10, 40) });
});
