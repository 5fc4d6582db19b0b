import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { elect, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const header = 'date,type,account,asset,quantity,amount,asset_class';
const purchases = ['2022-01-10,buy,Schwab,AAPL,100,5000,stock', '2024-01-02,buy,Schwab,PEP,10,1000,stock'];
const sales = [
  '2024-06-03,sell,Schwab,AAPL,40,52000,stock',
  '2024-07-01,sell,Schwab,PEP,10,1500,stock',
  '2024-09-02,sell,Coinbase,DOGE,1000,180,crypto',
  '2024-10-01,sell,Coinbase,ADA,10,20,crypto',
];
const csv = (...rows: readonly string[]): string => [header, ...rows, ''].join('\n');

interface YearSummary {
  readonly total: { readonly gain: string; readonly count: number };
  readonly assets: readonly { readonly asset: string; readonly assetName?: string }[];
  readonly atStake: object;
  readonly taxEstimate: object | null;
  readonly taxEstimateNeeds: readonly string[];
  readonly revision: string;
}

const readSummary = (client: TestClient, year = 2024) =>
  client.json<YearSummary>('GET', `/v1/tax/summary?year=${year}`);

test('the summary names its assets, states what is at stake, and is the same after one import or several', async () => {
  const whole = await app.register('PRO');
  await importCsv(whole, csv(...purchases, ...sales));
  const steps = await app.register('PRO');
  for (const rows of [sales.slice(2), purchases.slice(1), sales.slice(0, 2), purchases.slice(0, 1)]) {
    await importCsv(steps, csv(...rows));
  }
  const { revision: _revision, ...summary } = await readSummary(whole);
  const { revision: _other, ...stepped } = await readSummary(steps);
  expect(stepped).toEqual(summary);
  expect(summary.assets.map(({ asset, assetName }) => `${asset}=${assetName}`)).toEqual([
    'AAPL=Apple',
    'ADA=Cardano',
    'DOGE=Dogecoin',
    'PEP=PepsiCo',
  ]);
  // The two sales of coins without a purchase. Each raises more than one issue, but its proceeds count once.
  expect(summary.atStake).toEqual({ dollars: '200.00', unknown: 0 });
  const gains = await whole.json<{
    data: { key: string; total: { gain: string; count: number } }[];
    sum: { total: object };
  }>('GET', '/v1/tax/gains?by=account&year=2024');
  expect(gains.sum.total).toEqual(summary.total);
  expect(gains.data.map(({ key, total }) => [key, total.gain, total.count])).toEqual([
    ['Coinbase', '200.00', 2],
    ['Schwab', '50500.00', 2],
  ]);
  expect(summary.total).toMatchObject({ gain: '50700.00', count: 4 });
});

test('the tax estimate assumes nothing, and then equals the worksheet', async () => {
  const client = await app.register('PRO');
  await importCsv(client, csv(...purchases, ...sales.slice(0, 2)));
  expect(await readSummary(client)).toMatchObject({
    taxEstimate: null,
    taxEstimateNeeds: ['filing_status', 'taxable_income'],
  });
  expect(await readSummary(client, 2017)).toMatchObject({
    taxEstimateNeeds: ['filing_status', 'taxable_income', 'rates'],
  });
  await elect(client, { taxableIncome: { 2024: '80000.00' } });
  expect(await readSummary(client)).toMatchObject({ taxEstimate: null, taxEstimateNeeds: ['filing_status'] });
  await elect(client, { filingStatusByYear: { 2024: 'single' } });
  // Taxable income of $80,000 includes a long-term gain of $50,000 and a short-term gain of $500. The 0% rate ends at
  // $47,025, and other income is $30,000 with the short-term gain. So $17,025 is taxed at 0% and $32,975 at 15%.
  expect(await readSummary(client)).toMatchObject({
    taxEstimate: {
      filingStatus: 'single',
      ratesYear: 2024,
      note: null,
      atZero: '17025.00',
      atFifteen: '32975.00',
      atTwenty: '0.00',
      tax: '4946.25',
      investmentTax: '0.00',
      total: '4946.25',
      ordinaryIncome: '500.00',
    },
    taxEstimateNeeds: [],
  });
});
