import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { elect, fetchAll, importCsv } from '../support/books.ts';
import { expectRoundTrip } from '../support/round-trip.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const isin = 'US0378331005';
const header = 'date,type,account,asset,quantity,amount,asset_class\n';
/** A broker whose file contains only the ISIN. */
const depot = `${header}2024-01-02,buy,Depot,${isin},10,2000,stock\n2024-06-03,sell,Depot,${isin},10,1500,stock\n`;
/** A broker whose file contains a ticker and an ISIN. */
const swiss = [
  'Date;Order #;Transaction;Symbol;Name;ISIN;Quantity;Unit price;Costs;Accrued Interest;Net Amount;Balance;Currency',
  `10-06-2024 15:30:02;115;Buy;AAPL;APPLE INC;${isin};10.0;160.00;0.00;0.00;-1600.00;0.00;USD`,
  '',
].join('\n');

interface OpenIssue {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly dollars: string;
  readonly proposals: readonly { readonly action: string; readonly asset?: string; readonly sameAs?: string }[];
}

const fetchQuestions = async (client: TestClient): Promise<OpenIssue[]> => {
  expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
  return fetchAll<OpenIssue>(client, '/v1/tax/issues?kind=same_security&status=open');
};

test('a ticker and an ISIN in one row raise a question until one of two answers resolves it', async () => {
  const client = await app.register('PRO');
  await importCsv(client, depot);
  expect(await fetchQuestions(client)).toEqual([]);
  const { id, format } = await importCsv(client, swiss);
  expect(format).toBe('swissquote');
  const [asked, ...others] = await fetchQuestions(client);
  expect(others).toEqual([]);
  expect(asked).toMatchObject({ dollars: '500.00' });
  expect(asked?.proposals.map(({ action, asset, sameAs }) => [action, asset, sameAs])).toEqual([
    ['same_asset', isin, 'AAPL'],
    ['accept', undefined, undefined],
  ]);
  await elect(client, { assets: { [isin]: { sameAs: 'AAPL' } } });
  expect(await fetchQuestions(client)).toEqual([]);
  await elect(client, { assets: { [isin]: { sameAs: null } } });
  expect((await fetchQuestions(client)).length).toBe(1);
  await client.json('POST', `/v1/tax/issues/${asked?.id}/resolve`, {
    body: { action: 'accept', note: 'Two securities.' },
  });
  expect(await fetchQuestions(client)).toEqual([]);
  await expectRoundTrip(app, client);
  // Without the file, no row links the ticker to the number.
  await client.json('DELETE', `/v1/tax/issues/${asked?.id}/resolution`);
  expect((await fetchQuestions(client)).length).toBe(1);
  await client.json('DELETE', `/v1/imports/${id}`);
  expect(await fetchQuestions(client)).toEqual([]);
});

test('a question ends when a file links the two names, although both names remain', async () => {
  const client = await app.register('PRO');
  await importCsv(client, depot);
  await importCsv(client, `${header}2024-06-11,buy,Schwab,AAPL,1,160,stock\n`);
  const { id } = await importCsv(client, swiss);
  expect((await fetchQuestions(client)).length).toBe(1);
  await client.json('DELETE', `/v1/imports/${id}`);
  expect(await fetchQuestions(client)).toEqual([]);
});

test('a file that is read again keeps the links between its security numbers', async () => {
  const client = await app.register('PRO');
  await importCsv(client, depot);
  const { id } = await importCsv(client, swiss);
  await client.json('POST', `/v1/imports/${id}/reread`, { body: { apply: true, timeZone: 'America/New_York' } });
  expect((await fetchQuestions(client)).length).toBe(1);
});
