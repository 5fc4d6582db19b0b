import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { writeLotbook } from '../../src/formats/sources/lotbook.ts';
import { histories } from '../oracle/histories/generate.ts';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { csvOf, elect, electRules, fetchAll, importCsv } from '../support/books.ts';
import { draws } from '../support/depth.ts';
import { seedFor } from '../support/seed.ts';

type Parts = Readonly<Record<'total' | 'short' | 'long' | 'contracts1256' | 'ordinary' | 'taxFree', string>>;
interface Holding {
  readonly asset: string;
  readonly assetClass: string;
  readonly account: string | null;
  readonly quantity: string;
  readonly lots: number;
  readonly basis: string;
  readonly valuedBy: { source: string; date: string; provider: string | null; unit: string } | null;
  readonly value: string | null;
  readonly unrealized: Parts | null;
  readonly longTermOn: string | null;
  readonly daysToLongTerm: number | null;
}
interface HoldingsResponse {
  readonly asOf: string;
  readonly sum: {
    readonly basis: string;
    readonly value: string;
    readonly unrealized: Parts;
    readonly valuedBasis: string;
    readonly unvalued: { readonly holdings: number; readonly basis: string };
  };
  readonly data: Holding[];
}

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: testClock('2025-06-15T12:00:00Z') });
});
afterAll(() => app.close());

const holdings = (who: TestClient, query = ''): Promise<HoldingsResponse> =>
  who.json<HoldingsResponse>('GET', `/v1/tax/holdings?limit=1000${query}`);

/** Returns a decimal number times 10¹⁸. */
function scaled(text: string): bigint {
  const [whole = '', decimals = ''] = text.replace('-', '').split('.');
  const digits = BigInt(whole + decimals.padEnd(18, '0'));
  return text.startsWith('-') ? -digits : digits;
}

const add = (texts: readonly string[]): bigint => texts.reduce((sum, text) => sum + scaled(text), 0n);

const figures = (data: readonly Holding[]) => ({
  basis: add(data.map(({ basis }) => basis)),
  value: add(data.map(({ value }) => value ?? '0')),
  valuedBasis: add(data.map(({ value, basis }) => (value === null ? '0' : basis))),
  ...Object.fromEntries(
    (['total', 'short', 'long', 'contracts1256', 'ordinary', 'taxFree'] as const).map((part) => [
      part,
      add(data.map(({ unrealized }) => unrealized?.[part] ?? '0')),
    ]),
  ),
});

test('random histories: holdings equal the open lots, and both lists have the same sums', async () => {
  const property = fc.asyncProperty(histories(20), async ({ history, rules }) => {
    const client = await app.register('PRO');
    await electRules(client, rules);
    if (history.length > 0) await importCsv(client, [...writeLotbook(history)].join(''));
    const lots = await fetchAll<{ asset: string; account: string; quantity: string; basis: string }>(
      client,
      '/v1/tax/lots',
    );
    const byAsset = await holdings(client);
    const byAccount = await holdings(client, '&by=account');
    const ofLots = (name: string): [bigint, bigint, number] => {
      const own = lots.filter(({ asset, account }) => `${asset} in ${account}` === name);
      return [add(own.map(({ quantity }) => quantity)), add(own.map(({ basis }) => basis)), own.length];
    };
    const named = Map.groupBy(byAccount.data, ({ asset, account }) => `${asset} in ${account}`);
    expect([...named.keys()].sort()).toEqual([...new Set(lots.map((lot) => `${lot.asset} in ${lot.account}`))].sort());
    for (const [name, own] of named) {
      const count = own.reduce((sum, one) => sum + one.lots, 0);
      expect([name, add(own.map((one) => one.quantity)), add(own.map((one) => one.basis)), count]).toEqual([
        name,
        ...ofLots(name),
      ]);
    }
    const { unrealized, unvalued, ...sum } = byAsset.sum;
    expect(figures(byAsset.data)).toEqual(figures(byAccount.data));
    expect(byAccount.sum).toEqual({ ...byAsset.sum, unvalued: byAccount.sum.unvalued });
    expect(byAccount.sum.unvalued.basis).toBe(unvalued.basis);
    const summed = Object.entries({ ...sum, ...unrealized }).map(([part, text]) => [part, scaled(text)]);
    expect(Object.fromEntries(summed)).toEqual(figures(byAsset.data));
  });
  await fc.assert(property, { seed: seedFor('holdings.test'), numRuns: draws(5, 25) });
});

const rows = csvOf(
  'buy 2024-01-02 3 X @300 !Broker #b1',
  'buy 2025-03-03 1 X @90 !Other #b2',
  'buy 2025-05-05 1 X @101 !Mine #b3',
  'buy 2025-05-06 2 Y @50 !Broker #b4',
);

describe('holdings', () => {
  test('list the gain on currency separately, since it is ordinary', async () => {
    const who = await app.register();
    const header = 'date,type,account,asset,quantity,amount\n';
    await importCsv(who, `${header}2024-01-02,buy,Bank,EUR,1000,1100\n2025-03-03,sell,Bank,EUR,100,121\n`);
    const { sum } = await holdings(who);
    expect(sum.unrealized).toMatchObject({ total: '99.00', short: '0.00', long: '0.00', ordinary: '99.00' });
  });

  test('have the basis, the value with its source, the gain by term, and the day on which the next lot turns long-term', async () => {
    const who = await app.register();
    await importCsv(who, rows);
    await elect(who, { accounts: { Mine: { type: 'ira' } } });
    const prices = 'date,asset,usd\n2025-06-13,X,110.015\n';
    await who.json('POST', '/v1/prices', { body: prices, headers: { 'content-type': 'text/csv' } });
    const { asOf, data, sum } = await holdings(who);
    expect(asOf).toBe('2025-06-15');
    expect(data).toEqual([
      {
        asset: 'X',
        assetClass: 'stock',
        account: null,
        quantity: '5',
        lots: 3,
        basis: '491.00',
        valuedBy: {
          source: 'price',
          date: '2025-06-13',
          transactionId: null,
          provider: 'own',
          unit: '110.015',
        } as never,
        value: '550.08',
        // The amounts 330.045, 440.06 and 550.075 round to 330.05, 440.06 and 550.08, one account after another. The
        // part in the IRA has no term.
        unrealized: {
          total: '59.08',
          short: '20.02',
          long: '30.05',
          contracts1256: '0.00',
          ordinary: '0.00',
          taxFree: '9.01',
        },
        longTermOn: '2026-03-04',
        daysToLongTerm: 262,
      },
      expect.objectContaining({
        asset: 'Y',
        valuedBy: expect.objectContaining({ source: 'transaction', date: '2025-05-06', provider: null, unit: '25.00' }),
        value: '50.00',
      }) as unknown as Holding,
    ]);
    expect(sum).toMatchObject({ basis: '541.00', value: '600.08', unvalued: { holdings: 0, basis: '0.00' } });
    const ofY = await holdings(who, '&asset=Y');
    expect([ofY.data.map(({ asset }) => asset), ofY.sum.basis]).toEqual([['Y'], '50.00']);
    expect((await holdings(who, '&asset=Z')).data).toEqual([]);
    const accounts = (await holdings(who, '&by=account')).data;
    expect(accounts.map(({ asset, account, quantity }) => [asset, account, quantity])).toEqual([
      ['X', 'Broker', '3'],
      ['X', 'Mine', '1'],
      ['X', 'Other', '1'],
      ['Y', 'Broker', '2'],
    ]);
    expect(await fetchAll<Holding>(who, '/v1/tax/holdings?by=account', 1)).toEqual(accounts);
  });

  test('use the units and the price of an earlier day, and have no value without a price', async () => {
    const who = await app.register();
    await importCsv(
      who,
      csvOf('buy 2024-01-02 3 X @300 #b1', 'sell 2025-03-03 2 X @220 #s1', 'airdrop 2025-04-01 5 Z @0 #a1'),
    );
    const then = (await holdings(who, '&asOf=2025-03-02')).data;
    expect(then.map(({ quantity, value, unrealized }) => [quantity, value, unrealized?.long])).toEqual([
      ['3', '300.00', '0.00'],
    ]);
    const { data, sum } = await holdings(who);
    expect(data.map(({ asset, quantity, value }) => [asset, quantity, value])).toEqual([
      ['X', '1', '110.00'],
      ['Z', '5', null],
    ]);
    expect(data[1]).toMatchObject({ valuedBy: null, unrealized: null });
    expect(sum.unvalued).toEqual({ holdings: 1, basis: '0.00' });
    const last = await holdings(who, '&asOf=2025-06-15');
    expect(last).toEqual(await holdings(who));
  });

  test('are refused for an unknown grouping and an invalid day', async () => {
    const who = await app.register();
    for (const query of ['?by=lot', '?asOf=2025-02-30']) {
      const response = await who.request('GET', `/v1/tax/holdings${query}`);
      expect([query, response.status]).toEqual([query, 422]);
    }
  });
});

interface HistoryResponse {
  readonly data: {
    readonly date: string;
    readonly basis: string;
    readonly value: string | null;
    readonly valuedBasis: string;
    readonly unrealized: string | null;
    readonly unvalued: { readonly holdings: number; readonly basis: string; readonly assets: readonly string[] };
  }[];
}

describe('the history of holdings', () => {
  const history = (who: TestClient, query = ''): Promise<HistoryResponse> =>
    who.json<HistoryResponse>('GET', `/v1/tax/holdings/history${query}`);
  const price = (who: TestClient, lines: string) =>
    who.json('POST', '/v1/prices', { body: `date,asset,usd\n${lines}`, headers: { 'content-type': 'text/csv' } });

  test('values each end of a month at prices of its last week, and never uses an older price', async () => {
    const who = await app.register();
    await importCsv(
      who,
      `date,type,account,asset,quantity,amount,ratio
2025-01-10,buy,A,X,3,300,
2025-01-10,buy,A,Y,2,50,
2025-03-10,sell,A,X,1,120,
2025-04-15,split,A,X,,,2:1
`,
    );
    await price(who, '2025-02-28,X,110.015\n2025-02-25,Y,20\n2025-03-28,X,130\n2025-05-30,X,70\n');
    const none = { holdings: 0, basis: '0.00', assets: [] };
    expect((await history(who)).data).toEqual([
      {
        date: '2025-01-31',
        basis: '350.00',
        value: null,
        valuedBasis: '0.00',
        unrealized: null,
        unvalued: { holdings: 2, basis: '350.00', assets: ['X', 'Y'] },
      },
      {
        date: '2025-02-28',
        basis: '350.00',
        value: '370.05',
        valuedBasis: '350.00',
        unrealized: '20.05',
        unvalued: none,
      },
      {
        date: '2025-03-31',
        basis: '250.00',
        value: '260.00',
        valuedBasis: '200.00',
        unrealized: '60.00',
        unvalued: { holdings: 1, basis: '50.00', assets: ['Y'] },
      },
      // The price of March was for units before the split.
      {
        date: '2025-04-30',
        basis: '250.00',
        value: null,
        valuedBasis: '0.00',
        unrealized: null,
        unvalued: { holdings: 2, basis: '250.00', assets: ['X', 'Y'] },
      },
      {
        date: '2025-05-31',
        basis: '250.00',
        value: '280.00',
        valuedBasis: '200.00',
        unrealized: '80.00',
        unvalued: { holdings: 1, basis: '50.00', assets: ['Y'] },
      },
    ]);
    expect((await history(who, '?asset=Y&months=1')).data).toEqual([
      {
        date: '2025-05-31',
        basis: '50.00',
        value: null,
        valuedBasis: '0.00',
        unrealized: null,
        unvalued: { holdings: 1, basis: '50.00', assets: ['Y'] },
      },
    ]);
    expect((await who.request('GET', '/v1/tax/holdings/history?months=61')).status).toBe(422);
  });

  test('contains only one’s own holdings and prices', async () => {
    const [one, other, third] = [await app.register(), await app.register(), await app.register()];
    await importCsv(one, csvOf('buy 2025-04-10 1 X @100'));
    await price(one, '2025-05-30,X,150\n');
    await importCsv(other, csvOf('buy 2025-04-10 2 X @100'));
    expect((await history(one)).data.at(-1)).toMatchObject({ value: '150.00', basis: '100.00' });
    expect((await history(other)).data.at(-1)).toMatchObject({ value: null, basis: '100.00' });
    expect((await history(third)).data).toEqual([]);
  });

  test('random histories: each month equals the holdings on its last day', async () => {
    const property = fc.asyncProperty(histories(20), async ({ history: generated, rules }) => {
      const client = await app.register('PRO');
      await electRules(client, rules);
      if (generated.length > 0) await importCsv(client, [...writeLotbook(generated)].join(''));
      const { data } = await history(client, '?months=60');
      for (const at of [0, 7, 25, data.length - 1]) {
        const month = data[at];
        if (month === undefined) continue;
        const held = await holdings(client, `&asOf=${month.date}`);
        const oldest = new Date(Date.parse(month.date) - 7 * 86_400_000).toISOString().slice(0, 10);
        const priced = held.data.filter(({ valuedBy }) => valuedBy !== null && valuedBy.date >= oldest);
        expect([month.date, month.basis, month.unvalued.holdings]).toEqual([
          month.date,
          held.sum.basis,
          held.data.length - priced.length,
        ]);
        expect(scaled(month.value ?? '0')).toBe(add(priced.map(({ value }) => value ?? '0')));
        expect(scaled(month.valuedBasis)).toBe(add(priced.map(({ basis }) => basis)));
      }
    });
    await fc.assert(property, { seed: seedFor('holdings.test history'), numRuns: draws(3, 12) });
  });
});
