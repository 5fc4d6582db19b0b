import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchAll, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const header = 'date,type,account,asset,quantity,amount,fmv,offered,discount,to_account\n';
const rows = [
  '2025-01-15,espp_purchase,Plan,ACME,25,3400,4000,2024-07-16,600,',
  '2025-03-20,transfer,Plan,ACME,15,,,,,Broker',
  '2025-06-20,sell,Broker,ACME,5,700,,,,',
  '2025-07-01,withdrawal,Plan,ACME,4,,,,,',
  '2025-07-03,deposit,Other,ACME,4,,,,,',
  '2025-08-01,sell,Other,ACME,4,700,,,,',
  '2025-08-20,gift_out,Broker,ACME,2,,320,,,',
];

async function fetchResults(client: TestClient) {
  const lines = await fetchAll<Record<string, string>>(client, '/v1/tax/disposals');
  const issues = await fetchAll<{ readonly issue: string; readonly dollars: string | null }>(client, '/v1/tax/issues');
  return {
    lines: lines.map(({ sold, proceeds, basis, code, adjustment, gain }) =>
      [sold, proceeds, basis, code, adjustment, gain].join(' '),
    ),
    issues: issues.map(({ issue, dollars }) => `${issue} ${dollars}`).sort(),
  };
}

test('shares of a purchase plan keep their terms in other accounts, between imports and in an export', async () => {
  const [whole, apart, exported] = [await app.register('PRO'), await app.register('PRO'), await app.register('PRO')];
  await importCsv(whole, `${header}${rows.join('\n')}\n`);
  const results = await fetchResults(whole);
  // The value on the purchase date was 160 a share, and the price 136.
  expect(results.lines).toEqual(['2025-06-20 700.00 800.00  0.00 -100.00', '2025-08-01 700.00 640.00  0.00 60.00']);
  for (const row of rows) await importCsv(apart, `${header}${row}\n`);
  expect(await fetchResults(apart)).toEqual(results);
  await importCsv(exported, await (await whole.request('GET', '/v1/transactions/export')).text());
  expect(await fetchResults(exported)).toEqual(results);
});
