import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readPdf } from '../forms/pdf.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchAll, importCsv } from '../support/books.ts';

/** Checks that an open lot without a purchase row has no acquisition date and no term anywhere. */

let app: TestApp;
let client: TestClient;
beforeAll(async () => {
  app = await testApp({ clock: { now: () => new Date('2026-03-10T15:00:00Z') } });
  client = await app.register('PRO');
  const csv = `date,type,account,asset,quantity,amount,asset_class
2024-03-04,buy,Kraken,SOL,2,300,crypto
2024-05-06T10:00:00Z,deposit,Ledger,SOL,7,,crypto
`;
  await importCsv(client, csv);
});
afterAll(() => app.close());

interface LotDates {
  readonly account: string;
  readonly acquired: string | null;
  readonly heldSince: string | null;
  readonly longTermOn: string | null;
}

const datesOf = ({ account, acquired, heldSince, longTermOn }: LotDates) => [account, acquired, heldSince, longTermOn];

const expected = [
  ['Kraken', '2024-03-04', '2024-03-04', '2025-03-05'],
  ['Ledger', null, null, null],
];

test.each(['/v1/tax/lots', '/v1/tax/lots?asOf=2024-12-31'])('%s lists the lot without dates', async (path) => {
  expect((await fetchAll<LotDates>(client, path)).map(datesOf)).toEqual(expected);
});

test('the deposit row and the holdings have no date for the lot', async () => {
  const rows = await fetchAll<{ id: string; type: string }>(client, '/v1/transactions?type=deposit');
  const story = await client.json<{ openLots: LotDates[] }>('GET', `/v1/transactions/${rows[0]?.id}`);
  expect(story.openLots.map(datesOf)).toEqual([['Ledger', null, null, null]]);
  const holdings = async (query: string) =>
    (await client.json<{ data: object[] }>('GET', `/v1/tax/holdings?by=account${query}`)).data;
  for (const query of ['', '&asOf=2026-03-10'])
    expect(await holdings(query)).toMatchObject([
      { account: 'Kraken', longTermOn: null, daysToLongTerm: null },
      { account: 'Ledger', longTermOn: null, daysToLongTerm: null },
    ]);
});

test('the full report and the JSON have no date for the lot', async () => {
  const { id } = await client.json<{ id: string }>('POST', '/v1/tax/reports', { body: { year: 2025 } }, 201);
  const file = (format: string) => client.request('GET', `/v1/tax/reports/${id}/download?format=${format}`);
  const { openLots } = (await (await file('json')).json()) as { openLots: LotDates[] };
  expect(openLots.map(({ account, acquired, heldSince }) => [account, acquired, heldSince])).toEqual([
    ['Kraken', '2024-03-04', '2024-03-04'],
    ['Ledger', null, null],
  ]);
  const { pages } = await readPdf(new Uint8Array(await (await file('pdf')).arrayBuffer()));
  const words = pages.flat().map(({ text }) => text);
  expect(words.filter((text) => text === 'UNKNOWN')).toHaveLength(2);
  expect(words.filter((text) => text === '05/06/2024')).toEqual([]);
});

test("the assistant reports that the lot's date and term are unknown", async () => {
  const { content } = await client.json<{ content: string }>('POST', '/v1/ai/messages', {
    body: { content: 'Which lots of SOL do I hold?' },
  });
  expect(content).toContain('7 SOL in Ledger, acquired on an unknown date, basis $0.00, term unknown');
});
