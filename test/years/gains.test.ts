import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { writeLotbook } from '../../src/formats/sources/lotbook.ts';
import { histories } from '../oracle/histories/generate.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, electRules, fetchAll, importCsv } from '../support/books.ts';
import { draws } from '../support/depth.ts';
import { seedFor } from '../support/seed.ts';

interface Totals {
  readonly proceeds: string;
  readonly basis: string;
  readonly adjustment: string;
  readonly gain: string;
  readonly count: number;
}
interface Sums {
  readonly shortTerm: Totals;
  readonly longTerm: Totals;
  readonly total: Totals;
  readonly washSaleDisallowed: string;
  readonly contracts1256: { readonly gain: string; readonly count: number };
  readonly income: { readonly amount: string; readonly count: number };
}
interface Group extends Sums {
  readonly key: string;
  readonly assetClass: string | null;
}
interface GainsResponse {
  readonly sum: Sums;
  readonly data: Group[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}
interface Summary extends Omit<Sums, 'income'> {
  readonly assets: (Totals & { asset: string; assetClass: string; assetName?: string })[];
  readonly income: { amount: string; count: number }[];
}

const groupings = ['day', 'month', 'year', 'asset', 'account', 'type'];
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const gains = (who: TestClient, query: string): Promise<GainsResponse> =>
  who.json<GainsResponse>('GET', `/v1/tax/gains?${query}`);

/** Converts dollars to cents. */
const cents = (text: string): bigint => BigInt(text.replace('.', ''));

const add = (amounts: readonly string[]): bigint => amounts.reduce((sum, text) => sum + cents(text), 0n);

/** Returns every figure in a group or a summary that can be added. */
function figures(groups: readonly Sums[]): Record<string, bigint | number> {
  const found: Record<string, bigint | number> = {
    wash: add(groups.map((group) => group.washSaleDisallowed)),
    contracts: add(groups.map((group) => group.contracts1256.gain)),
    contractCount: groups.reduce((sum, group) => sum + group.contracts1256.count, 0),
    income: add(groups.map((group) => group.income.amount)),
    incomeCount: groups.reduce((sum, group) => sum + group.income.count, 0),
  };
  for (const term of ['shortTerm', 'longTerm', 'total'] as const) {
    for (const name of ['proceeds', 'basis', 'adjustment', 'gain'] as const) {
      found[`${term}.${name}`] = add(groups.map((group) => group[term][name]));
    }
    found[`${term}.count`] = groups.reduce((sum, group) => sum + group[term].count, 0);
  }
  return found;
}

function figuresOfSummary(summary: Summary): Record<string, bigint | number> {
  const income = {
    amount: (Number(add(summary.income.map(({ amount }) => amount))) / 100).toFixed(2),
    count: summary.income.reduce((sum, { count }) => sum + count, 0),
  };
  return figures([{ ...summary, income }]);
}

test('random histories: the groups of a year add up to its summary, for every grouping', async () => {
  const property = fc.asyncProperty(histories(20), async ({ history, rules }) => {
    const client = await app.register('PRO');
    await electRules(client, rules);
    if (history.length > 0) await importCsv(client, [...writeLotbook(history)].join(''));
    for (const { year } of await fetchAll<{ year: number }>(client, '/v1/tax/years')) {
      const summary = await client.json<Summary>('GET', `/v1/tax/summary?year=${year}`);
      for (const by of groupings) {
        const { sum, data, hasMore } = await gains(client, `by=${by}&year=${year}&limit=1000`);
        expect([by, hasMore, figures(data)]).toEqual([by, false, figuresOfSummary(summary)]);
        expect([by, figures([sum])]).toEqual([by, figuresOfSummary(summary)]);
        if (by !== 'asset') continue;
        const sold = data.filter(({ total }) => total.count > 0);
        expect(sold.map(({ key, assetClass, total }) => ({ asset: key, assetClass, ...total }))).toEqual(
          summary.assets
            .toSorted((a, b) => (`${a.asset}\u0000${a.assetClass}` < `${b.asset}\u0000${b.assetClass}` ? -1 : 1))
            .map(({ assetName: _, ...asset }) => asset),
        );
      }
    }
  });
  await fc.assert(property, { seed: seedFor('gains.test'), numRuns: draws(8, 25) });
});

const rows = csvOf(
  'buy 2024-01-02 100 X @1000 #b1',
  'sell 2024-12-20 100 X @700 ~10 #s1',
  'buy 2025-01-10 40 X @300 #b2',
  'sell 2025-06-02 40 X @500 !Broker #s2',
  'buy 2025-02-03 1 Y @10 !Other #b3',
  'sell 2025-06-20 1 Y @30 !Other #s3',
  'dividend 2025-06-20 - Y @0.004 !Other #d1',
  'dividend 2025-07-20 - Y @0.004 !Other #d2',
);

describe('gains', () => {
  test('put a wash sale in the month of its loss', async () => {
    const who = await app.register();
    await importCsv(who, rows);
    const { data } = await gains(who, 'by=month');
    expect(
      data.map(({ key, shortTerm, longTerm, washSaleDisallowed }) => [
        key,
        shortTerm.gain,
        longTerm.gain,
        washSaleDisallowed,
      ]),
    ).toEqual([
      ['2024-12', '-186.00', '0.00', '124.00'],
      ['2025-06', '20.00', '76.00', '0.00'],
      ['2025-07', '0.00', '0.00', '0.00'],
    ]);
    // Each 0.004 is rounded together with the preceding ones, as the year's 0.008 is.
    expect(data.map(({ income }) => income)).toEqual([
      { amount: '0.00', count: 0 },
      { amount: '0.00', count: 1 },
      { amount: '0.01', count: 1 },
    ]);
  });

  test('cover the requested days by account, by asset and by type, and are paged', async () => {
    const who = await app.register();
    await importCsv(who, rows);
    const gainsBy = async (query: string) =>
      (await gains(who, query)).data.map(({ key, assetClass, total }) => [key, assetClass, total.gain]);
    expect(await gainsBy('by=account&year=2025')).toEqual([
      ['Broker', null, '76.00'],
      ['Other', null, '20.00'],
    ]);
    expect(await gainsBy('by=asset&from=2025-06-03')).toEqual([['Y', 'stock', '20.00']]);
    expect(await gainsBy('by=asset&year=2025&to=2025-06-03')).toEqual([['X', 'stock', '76.00']]);
    expect(await gainsBy('by=type&year=2025')).toEqual([
      ['dividend', null, '0.00'],
      ['sell', null, '96.00'],
    ]);
    expect((await fetchAll<Group>(who, '/v1/tax/gains?by=day', 1)).map(({ key }) => key)).toEqual([
      '2024-12-20',
      '2025-06-02',
      '2025-06-20',
      '2025-07-20',
    ]);
  });

  test('follow each change: after an undo and a new import the groups are the same, with another tag in between', async () => {
    const who = await app.register();
    const { id } = await importCsv(who, rows);
    const before = await who.request('GET', '/v1/tax/gains?by=month');
    const tag = before.headers.get('etag') ?? '';
    const text = await before.text();
    const again = { headers: { 'if-none-match': tag } };
    expect((await who.request('GET', '/v1/tax/gains?by=month', again)).status).toBe(304);
    await who.json('DELETE', `/v1/imports/${id}`);
    const empty = await who.request('GET', '/v1/tax/gains?by=month', again);
    expect([empty.status, ((await empty.json()) as GainsResponse).data]).toEqual([200, []]);
    await importCsv(who, rows);
    expect(await (await who.request('GET', '/v1/tax/gains?by=month')).text()).toBe(text);
  });

  test('are refused without a grouping, for an unknown grouping, and for an invalid day', async () => {
    const who = await app.register();
    for (const query of ['', '?by=week', '?by=day&from=2025-02-30', '?by=day&to=soon']) {
      const response = await who.request('GET', `/v1/tax/gains${query}`);
      expect([query, response.status]).toEqual([query, 422]);
    }
  });
});
