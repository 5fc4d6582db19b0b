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
  readonly status: string;
  readonly transactions: readonly string[];
  readonly proposals: readonly {
    readonly action: string;
    readonly detail: string;
    readonly assetClass?: string;
    readonly collectible?: boolean;
  }[];
  readonly resolution: object | null;
}

const header = 'date,type,account,asset,quantity,amount,asset_class\n';
const comp = `${header}2025-01-03,buy,A,COMP,100,900,\n2025-02-03,sell,A,COMP,100,700,\n2025-02-20,buy,A,COMP,100,650,\n2025-09-01,interest,A,,,1,\n`;

const fetchAsked = async (client: TestClient): Promise<Issue> => {
  const [issue] = (await fetchAll<Issue>(client, '/v1/tax/issues')).filter(({ kind }) => kind === 'class_unknown');
  if (issue === undefined) throw new Error('Nothing is asked.');
  return issue;
};
const fetchLines = async (client: TestClient): Promise<string[]> => {
  expect(await client.json('POST', '/v1/tax/calculate', { body: { dryRun: true } })).toMatchObject({ differences: [] });
  const lines = await fetchAll<{ box: string; code: string; gain: string }>(client, '/v1/tax/disposals');
  return lines.map(({ box, code, gain }) => `${box}${code} ${gain}`);
};

test('a proposal shows how each class affects the lines, and the answer applies the class', async () => {
  const client = await app.register('PRO');
  const { id: imported } = await importCsv(client, comp);
  const issue = await fetchAsked(client);
  expect(issue.proposals.map(({ action, assetClass, detail }) => [action, assetClass, detail])).toEqual([
    [
      'class',
      'stock',
      'COMP is a security: box C and a gain of $0.00 in 2025, with $200.00 of losses disallowed as wash sales.',
    ],
    ['class', 'crypto', 'COMP is a coin: box I and a gain of $-200.00 in 2025.'],
    ['accept', undefined, 'Keep it and note why.'],
  ]);
  const path = `/v1/tax/issues/${issue.id}`;
  await client.json('POST', `${path}/resolve`, { body: { action: 'class' } }, 422);
  await client.json('POST', `${path}/resolve`, { body: { action: 'class', collectible: true } }, 422);
  await client.json('POST', `${path}/resolve`, { body: { action: 'basis', basis: '1', assetClass: 'stock' } }, 422);
  const body = { action: 'class', assetClass: 'stock', note: 'Compass, Inc.' };
  const resolved = await client.json<Issue>('POST', `${path}/resolve`, { body });
  expect(resolved).toMatchObject({ status: 'resolved', proposals: [], resolution: body });
  // The row now has another id, which the issue lists.
  await client.json('GET', `/v1/transactions/${resolved.transactions[0]}`);
  expect(await fetchLines(client)).toEqual(['CW 0.00']);
  expect(await client.json('GET', '/v1/tax/settings')).toMatchObject({
    assets: { COMP: { accounts: { A: 'stock' } } },
  });
  // Importing the file again adds nothing, and an import that is undone and repeated keeps the answer.
  expect(await importCsv(client, comp)).toMatchObject({ imported: 0 });
  await client.json('DELETE', `/v1/imports/${imported}`);
  await importCsv(client, comp);
  expect(await fetchLines(client)).toEqual(['CW 0.00']);
});

test('undoing the answer reopens the issue', async () => {
  const client = await app.register('PRO');
  await importCsv(client, comp);
  await client.json('PATCH', '/v1/tax/assets', { body: { COMP: { accounts: { B: 'crypto' } } } });
  const { id } = await fetchAsked(client);
  await client.json('POST', `/v1/tax/issues/${id}/resolve`, { body: { action: 'class', assetClass: 'crypto' } });
  expect(await fetchLines(client)).toEqual(['I -200.00']);
  expect((await client.request('DELETE', `/v1/tax/issues/${id}/resolution`)).status).toBe(204);
  expect(await fetchAsked(client)).toMatchObject({ id, status: 'open' });
  expect(await client.json('GET', '/v1/tax/settings')).toMatchObject({
    assets: { COMP: { accounts: { B: 'crypto' } } },
  });
});

test('one answer applies to every account without a known class', async () => {
  const client = await app.register('PRO');
  await importCsv(client, `${comp}2025-03-03,buy,B,COMP,10,90,\n2025-04-03,sell,B,COMP,10,95,\n`);
  const { id } = await fetchAsked(client);
  await client.json('POST', `/v1/tax/issues/${id}/resolve`, { body: { action: 'class', assetClass: 'stock' } });
  expect(await fetchAll<Issue>(client, '/v1/tax/issues?status=open&kind=class_unknown')).toEqual([]);
  const { assets } = await client.json<{ assets: object }>('GET', '/v1/tax/settings');
  expect(assets).toEqual({ COMP: { accounts: { A: 'stock', B: 'stock' } } });
});

test('a metal trust can be answered as a collectible or not', async () => {
  const client = await app.register('PRO');
  await importCsv(client, `${header}2023-03-01,buy,A,PHYS,100,1500,fund\n2025-06-02,sell,A,PHYS,100,2400,fund\n`);
  const { id, proposals } = await fetchAsked(client);
  expect(proposals.map(({ collectible }) => collectible)).toEqual([true, false, undefined]);
  const path = `/v1/tax/issues/${id}/resolve`;
  await client.json('POST', path, { body: { action: 'class', assetClass: 'fund' } }, 422);
  await client.json('POST', path, { body: { action: 'class', collectible: true } });
  expect(await fetchLines(client)).toEqual(['FC 900.00']);
  await client.request('DELETE', `/v1/tax/issues/${id}/resolution`);
  await client.json('POST', path, { body: { action: 'class', collectible: false } });
  expect(await fetchLines(client)).toEqual(['F 900.00']);
});

test('another kind of issue does not accept a class', async () => {
  const client = await app.register('PRO');
  await importCsv(client, `${header}2025-02-03,sell,A,XYZ,100,700,stock\n`);
  const [issue] = await fetchAll<Issue>(client, '/v1/tax/issues');
  await client.json(
    'POST',
    `/v1/tax/issues/${issue?.id}/resolve`,
    { body: { action: 'class', assetClass: 'stock' } },
    422,
  );
});
