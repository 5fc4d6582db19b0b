import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { elect, fetchAll, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface Issue {
  readonly id: string;
  readonly kind: string;
  readonly year: number;
  readonly asset: string;
  readonly proposals: readonly { readonly action: string; readonly asset?: string; readonly formNameOf?: string }[];
}

const header = 'date,type,account,asset,quantity,amount,acquired,basis,box,asset_class';

async function fetchIssues(client: TestClient): Promise<Issue[]> {
  expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
  return (await fetchAll<Issue>(client, '/v1/tax/issues')).filter(({ kind }) => kind === 'unreconciled');
}

/** Returns a year of two sales with a form that shows one of them. */
function yearWithMissingSale(year: number): string {
  return [
    `${year}-01-10,buy,A,S${year},20,200,,,,stock`,
    `${year}-03-04,sell,A,S${year},5,60,,,,stock`,
    `${year}-05-06,sell,A,S${year},10,90,,,,stock`,
    `${year}-03-04,reported_sale,A,S${year},5,60,${year}-01-10,50,A,stock`,
    '',
  ].join('\n');
}

test('a change in one year keeps the questions about forms for other years, and updates its own', async () => {
  const client = await app.register('PRO');
  const years = async (): Promise<number[]> => (await fetchIssues(client)).map(({ year }) => year).sort();
  await importCsv(client, `${header}\n${yearWithMissingSale(2023)}`);
  expect(await years()).toEqual([2023]);
  const { id } = await importCsv(client, `${header}\n${yearWithMissingSale(2024)}`);
  expect(await years()).toEqual([2023, 2024]);
  await importCsv(client, `${header}\n2024-05-06,reported_sale,A,S2024,10,90,2024-01-10,100,A,stock\n`);
  expect(await years()).toEqual([2023]);
  await client.json('DELETE', `/v1/imports/${id}`);
  expect(await years()).toEqual([2023]);
});

test('the question about a name on a form offers both answers, and each answer ends it until it is undone', async () => {
  const client = await app.register('PRO');
  await importCsv(
    client,
    `${header}\n2022-02-01,buy,A,KLM,40,3200,,,,stock\n2024-08-09,sell,A,KLM,40,2800,,,,stock\n` +
      '2024-08-09,reported_sale,A,KELMAR CO,40,2800,2022-02-01,3200,D,stock\n',
  );
  const [issue, ...others] = await fetchIssues(client);
  expect(others).toEqual([]);
  expect(issue?.proposals.map(({ action, asset, formNameOf }) => [action, asset, formNameOf])).toEqual([
    ['form_name', 'KELMAR CO', 'KLM'],
    ['form_name', 'KELMAR CO', 'KELMAR CO'],
    ['accept', undefined, undefined],
  ]);
  await elect(client, { assets: { 'KELMAR CO': { formNameOf: 'KLM' } } });
  expect(await fetchIssues(client)).toEqual([]);
  await elect(client, { assets: { 'KELMAR CO': { formNameOf: 'KELMAR CO' } } });
  const two = await fetchIssues(client);
  expect(two.map(({ asset, proposals }) => [asset, proposals.length]).sort()).toEqual([
    ['KELMAR CO', 1],
    ['KLM', 1],
  ]);
  await elect(client, { assets: { 'KELMAR CO': { formNameOf: null } } });
  expect((await fetchIssues(client)).map(({ id }) => id)).toEqual([issue?.id ?? '']);
});
