import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { formatById } from '../../src/formats/index.ts';
import { writeLotbook } from '../../src/formats/sources/lotbook.ts';
import { histories } from '../oracle/histories/generate.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { electRules, importCsv } from '../support/books.ts';
import { draws } from '../support/depth.ts';
import { expectRoundTrip } from '../support/round-trip.ts';
import { seedFor } from '../support/seed.ts';

const numRuns = draws(4, 20);

/** The tests that compute the golden cases and the worked cases also export and import them. */
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const header = 'date,type,account,asset,quantity,amount\n';

describe('an archive includes the asset classes inferred from other assets in the account', () => {
  test.each([
    [
      'an unlisted coin among coins',
      '2024-01-02,buy,Desk,BTC,1,40000\n2024-01-03,buy,Desk,QZXCOIN,100,50\n2024-06-03,sell,Desk,QZXCOIN,100,80\n',
    ],
    [
      'a ticker that is also a coin, among stocks',
      '2024-01-02,buy,Desk,AAPL,1,150\n2024-01-03,buy,Desk,COMP,2,90\n2024-06-03,sell,Desk,COMP,2,80\n',
    ],
    [
      'a ticker that is also a coin, among coins',
      '2024-01-02,buy,Desk,BTC,1,150\n2024-01-03,buy,Desk,COMP,2,90\n2024-06-03,sell,Desk,COMP,2,80\n',
    ],
    [
      'two unlisted names among coins',
      '2024-01-02,buy,Desk,BTC,1,150\n2024-01-03,buy,Desk,QZX,2,90\n2024-06-03,buy,Desk,QZY,2,80\n',
    ],
    [
      'an unlisted name in an account named like a wallet',
      '2024-01-02,buy,Ledger wallet,QZX,1,150\n2024-06-03,sell,Ledger wallet,QZX,1,80\n',
    ],
    [
      'an unlisted asset that became worthless',
      '2024-01-02,buy,Desk,BTC,1,150\n2024-01-03,buy,Desk,QZX,2,90\n2024-06-03,worthless,Desk,QZX,2,\n',
    ],
  ])('%s', async (_name, rows) => {
    const client = await app.register('PRO');
    await importCsv(client, header + rows);
    const copy = await expectRoundTrip(app, client);
    const { differences } = await copy.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', { body: {} });
    expect(differences).toEqual([]);
  });
});

test('random histories are identical in an account that imports their archive', async () => {
  const property = fc.asyncProperty(histories(12), async ({ history, rules }) => {
    const client = await app.register('PRO');
    await electRules(client, rules);
    await importCsv(client, [...writeLotbook(history)].join(''));
    await expectRoundTrip(app, client);
  });
  await fc.assert(property, { seed: seedFor('round trips'), numRuns });
});

const folder = join(import.meta.dir, '../fixtures/formats');
const fixtures = readdirSync(folder).filter((name) => name.endsWith('.csv'));
const perAccount = 12;

describe('books built from the exports of many sources are identical after a round trip', () => {
  for (let at = 0; at < fixtures.length; at += perAccount) {
    const names = fixtures.slice(at, at + perAccount);
    test(`${names[0]} to ${names.at(-1)}`, async () => {
      const client = await app.register('CPA');
      let lines = 0;
      for (const name of names) {
        const format = formatById(name.replace(/\.csv$/, ''));
        const query = new URLSearchParams({
          format: format?.id ?? '',
          ...(format?.asksDateOrder === true ? { dateOrder: 'dmy' } : {}),
        });
        const body = readFileSync(join(folder, name), 'utf8');
        // Some sources have only a layout that leaves the side of each row open.
        const plain = await client.request('POST', `/v1/transactions/import?${query}`, {
          body,
          headers: { 'content-type': 'text/csv' },
        });
        const isOpen = plain.status === 422 && format?.asksSide !== undefined;
        const { imported } = isOpen
          ? await importCsv(client, body, `?${query}&side=buy`)
          : ((await plain.json()) as { imported: number });
        expect([name, imported]).toEqual([name, expect.any(Number)]);
        lines += imported;
      }
      expect(lines).toBeGreaterThan(3 * names.length);
      await expectRoundTrip(app, client);
    });
  }
});
