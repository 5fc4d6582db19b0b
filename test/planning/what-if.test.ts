import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, elect, fetchBookContent, importCsv } from '../support/books.ts';

interface Line {
  readonly quantity: string;
  readonly acquired: string;
  readonly proceeds: string;
  readonly basis: string;
  readonly adjustment: string;
  readonly gain: string;
  readonly term: string;
  readonly saleId: string;
}
interface WhatIfResponse {
  readonly sales: { account: string; held: string; oversold: string; amount: string; valuedBy: object | null }[];
  readonly disposals: Line[];
  readonly summary: { year: number; total: { gain: string; count: number } };
  readonly years: { year: number; total: { gain: string }; carryover: { in: { short: string } } }[];
  readonly issues: { kind: string; detail: string }[];
  readonly comparison: { method: string; gain: string; shortTermGain: string; longTermGain: string }[];
}

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const ask = (who: TestClient, sales: object[], status = 200): Promise<WhatIfResponse> =>
  who.json<WhatIfResponse>('POST', '/v1/tax/what-if', { body: { sales } }, status);

const threeLots = csvOf(
  'buy 2024-01-10 10 ACME @1000 #b1',
  'buy 2025-02-10 10 ACME @3000 #b2',
  'buy 2025-03-10 10 ACME @2000 #b3',
  'sell 2025-04-10 5 ACME @1000 #s1',
);

describe('a planned sale', () => {
  test('produces the result of a stored sale for each method, and stores nothing', async () => {
    const who = await app.register();
    await importCsv(who, threeLots);
    const before = await fetchBookContent(who);
    const answer = await ask(who, [{ asset: 'ACME', quantity: '10', price: '250', date: '2025-06-02' }]);
    expect(answer.sales[0]).toMatchObject({ account: 'Broker', held: '25', oversold: '0', amount: '2500.00' });
    expect(answer.disposals.map((line) => [line.quantity, line.acquired, line.basis, line.gain, line.term])).toEqual([
      ['5', '2024-01-10', '500.00', '750.00', 'long'],
      ['5', '2025-02-10', '1500.00', '-250.00', 'short'],
    ]);
    expect(answer.summary).toMatchObject({ year: 2025, total: { gain: '1000.00', count: 3 } });
    expect(answer.comparison.map(({ method, gain }) => [method, gain])).toEqual([
      ['FIFO', '500.00'],
      ['LIFO', '500.00'],
      ['HIFO', '-500.00'],
      ['LOFO', '1000.00'],
    ]);
    expect(await fetchBookContent(who)).toBe(before);
  });

  test('equals the same sale imported, also in the past and before later sales', async () => {
    const [thinks, acts] = [await app.register(), await app.register()];
    for (const who of [thinks, acts]) await importCsv(who, threeLots);
    const sale = { asset: 'ACME', quantity: '8', amount: '700', date: '2025-03-20' };
    const thought = await ask(thinks, [sale]);
    await importCsv(acts, csvOf('sell 2025-03-20 8 ACME @700 #x'));
    const acted = await acts.json<WhatIfResponse['summary']>('GET', '/v1/tax/summary?year=2025');
    const { revision: _found, ...found } = thought.summary as WhatIfResponse['summary'] & { revision: string };
    const { revision: _done, ...done } = acted as WhatIfResponse['summary'] & { revision: string };
    expect(done).toEqual(expect.objectContaining(found));
  });

  test('comes before the loss on assets that became worthless that year, which is dated the last day of the year', async () => {
    const [thinks, acts] = [await app.register(), await app.register()];
    const rows = [
      'buy 2024-01-10 10 LOST @1000 #b1',
      'buy 2024-02-10 10 LOST @3000 #b2',
      'worthless 2024-03-10 20 LOST #w',
    ];
    for (const who of [thinks, acts]) await importCsv(who, csvOf(...rows));
    const thought = await ask(thinks, [{ asset: 'LOST', quantity: '10', amount: '50', date: '2024-06-02' }]);
    await importCsv(acts, csvOf('sell 2024-06-02 10 LOST @50 #x'));
    const acted = await acts.json<WhatIfResponse['summary']>('GET', '/v1/tax/summary?year=2024');
    expect(thought.disposals.map((line) => line.basis)).toEqual(['1000.00']);
    expect(thought.summary.total).toEqual(acted.total);
  });

  test('ignores an earlier purchase that a later row reverses', async () => {
    const who = await app.register();
    await importCsv(who, csvOf('buy 2024-01-10 10 BACK @1000 #b1', 'buy 2024-06-03 10 BACK @2000 #b2'));
    await importCsv(who, csvOf('buy 2025-03-03 10 BACK @-2000 #b3', 'buy 2025-04-01 1 BACK @150 #b4'));
    await elect(who, { method: 'HIFO' });
    const answer = await ask(who, [{ asset: 'BACK', quantity: '10', amount: '1500', date: '2025-01-15' }]);
    expect(answer.sales[0]).toMatchObject({ held: '10', oversold: '0' });
    expect(answer.disposals).toMatchObject([{ acquired: '2024-01-10', basis: '1000.00', gain: '500.00' }]);
    expect(answer.issues).toEqual([]);
  });

  test('is a wash sale after a purchase in the last 30 days', async () => {
    const who = await app.register();
    await importCsv(who, csvOf('buy 2024-01-10 10 WASH @1000 #b1', 'buy 2025-05-20 4 WASH @200 #b2'));
    const answer = await ask(who, [{ asset: 'WASH', quantity: '10', amount: '500', date: '2025-06-02' }]);
    expect(answer.disposals).toMatchObject([{ basis: '1000.00', adjustment: '200.00', gain: '-300.00' }]);
  });

  test('uses the lots of the given method, regardless of the settings', async () => {
    const who = await app.register();
    await importCsv(who, threeLots);
    const sales = [
      { asset: 'ACME', quantity: '5', amount: '1500', date: '2025-06-02', method: 'HIFO' },
      { asset: 'ACME', quantity: '5', amount: '1500', date: '2025-06-03' },
    ];
    const answer = await ask(who, sales);
    expect(answer.disposals.map((line) => [line.acquired, line.gain])).toEqual([
      ['2025-02-10', '0.00'],
      ['2024-01-10', '1000.00'],
    ]);
    await elect(who, { method: 'LIFO' });
    const [, second] = (await ask(who, sales)).disposals;
    expect(second).toMatchObject({ acquired: '2025-03-10', gain: '500.00' });
  });

  test('is marked if it has more units than are held, and the missing units have no basis', async () => {
    const who = await app.register();
    await importCsv(who, csvOf('buy 2025-01-10 3 FEW @300 #b1'));
    const answer = await ask(who, [{ asset: 'FEW', quantity: '5', amount: '1000', date: '2025-06-02' }]);
    expect(answer.sales[0]).toMatchObject({ held: '3', oversold: '2' });
    expect(answer.disposals.map((line) => [line.quantity, line.basis])).toEqual([
      ['3', '300.00'],
      ['2', '0.00'],
    ]);
    expect(answer.issues).toMatchObject([{ kind: 'oversold' }]);
    const nothing = await ask(await app.register(), [
      { asset: 'FEW', quantity: '5', amount: '10', date: '2025-06-02' },
    ]);
    expect(nothing.sales[0]).toMatchObject({ held: '0', oversold: '5' });
  });

  test('carries its loss into the following years', async () => {
    const who = await app.register();
    await importCsv(
      who,
      csvOf('buy 2024-01-10 1 BIG @10000 #b1', 'buy 2025-12-01 1 OTHER @10 #b2', 'sell 2025-12-02 1 OTHER @20 #s2'),
    );
    const answer = await ask(who, [{ asset: 'BIG', quantity: '1', amount: '2000', date: '2024-06-02' }]);
    expect(answer.years.map(({ year, carryover }) => [year, carryover.in.short])).toEqual([
      [2024, '0.00'],
      [2025, '5000.00'],
    ]);
  });

  test("uses the price of the taxpayer's last trade if it has no amount, and names the row of that trade", async () => {
    const who = await app.register();
    await importCsv(who, threeLots);
    const answer = await ask(who, [{ asset: 'ACME', quantity: '3', date: '2025-06-02' }]);
    expect(answer.sales[0]).toMatchObject({
      amount: '600.00',
      valuedBy: { source: 'transaction', date: '2025-04-10' },
    });
  });
});

describe('a planned sale that cannot be calculated', () => {
  const refused = async (who: TestClient, sale: object): Promise<string[]> => {
    const response = await who.request('POST', '/v1/tax/what-if', { body: { sales: [sale] } });
    expect(response.status).toBe(422);
    const problem = (await response.json()) as { errors: { pointer: string }[] };
    return problem.errors.map(({ pointer }) => pointer);
  };

  test('is refused with a pointer to the field', async () => {
    const who = await app.register();
    await importCsv(who, threeLots);
    const sale = { asset: 'ACME', quantity: '1', amount: '5', date: '2025-06-02' };
    expect(await refused(who, { ...sale, quantity: '-1' })).toEqual(['/sales/0/quantity']);
    expect(await refused(who, { ...sale, date: '2025-02-30' })).toEqual(['/sales/0/date']);
    expect(await refused(who, { ...sale, price: '5' })).toEqual(['/sales/0/price']);
    expect(await refused(who, { ...sale, amount: '-5' })).toEqual(['/sales/0/amount']);
    expect(await refused(who, { ...sale, surprise: 1 })).toEqual(['/sales/0/surprise']);
    expect(await refused(who, { asset: 'NOVEL', quantity: '1', date: '2025-06-02' })).toEqual(['/sales/0/amount']);
    expect(await refused(who, { ...sale, asset: 'EUR' })).toEqual(['/sales/0/asset']);
  });

  test('asks which one is meant if several accounts hold the asset, or if a coin and a stock share its name', async () => {
    const who = await app.register();
    await importCsv(who, csvOf('buy 2025-01-10 3 TWO @300 !A', 'buy 2025-01-10 3 TWO @300 !B'));
    const sale = { asset: 'TWO', quantity: '1', amount: '5', date: '2025-06-02' };
    expect(await refused(who, sale)).toEqual(['/sales/0/account']);
    expect((await ask(who, [{ ...sale, account: 'B' }])).sales[0]).toMatchObject({ account: 'B', held: '3' });
    await importCsv(who, 'date,type,account,asset,quantity,amount,asset_class\n2025-01-11,buy,C,TWO,1,7,crypto\n');
    expect(await refused(who, { ...sale, account: 'B' })).toEqual(['/sales/0/assetClass']);
    const coin = await ask(who, [{ ...sale, assetClass: 'crypto' }]);
    expect(coin.sales[0]).toMatchObject({ account: 'C', held: '1' });
  });
});
