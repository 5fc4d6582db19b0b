import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchAll, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface Issue {
  readonly id: string;
  readonly kind: string;
  readonly proposals: readonly { readonly action: string }[];
}

const header = 'date,type,account,asset,quantity,amount,fmv,asset_class';

async function fetchIssues(client: TestClient): Promise<Issue[]> {
  expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
  return fetchAll<Issue>(client, '/v1/tax/issues');
}

test('a contract without a mark raises a question once any book passes the year end, until the mark is imported', async () => {
  const client = await app.register('PRO');
  await importCsv(client, `${header}\n2024-11-01,buy,A,ES,1,10000,,section_1256\n`);
  expect(await fetchIssues(client)).toEqual([]);
  const { id } = await importCsv(client, `${header}\n2025-02-03,buy,A,XYZ,1,100,,stock\n`);
  const [issue, ...others] = await fetchIssues(client);
  expect([issue?.kind, issue?.proposals.map(({ action }) => action), others]).toEqual([
    'value_missing',
    ['accept'],
    [],
  ]);
  await client.json('DELETE', `/v1/imports/${id}`);
  expect(await fetchIssues(client)).toEqual([]);
  await importCsv(client, `${header}\n2025-02-03,buy,A,XYZ,1,100,,stock\n`);
  expect((await fetchIssues(client)).length).toBe(1);
  await importCsv(client, `${header}\n2024-12-31,mark,A,ES,1,,10500,section_1256\n`);
  expect(await fetchIssues(client)).toEqual([]);
});
