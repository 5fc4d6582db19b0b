import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { elect, fetchAll, fetchBookContent, importCsv } from '../support/books.ts';

interface GainIssue {
  readonly id: string;
  readonly kind: string;
  readonly date: string;
  readonly dollars: string;
  readonly transactions: string[];
  readonly detail: string;
}

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const header = 'date,type,account,asset,quantity,amount,fee,asset_class,id,stated_gain';
const csv = (...rows: readonly string[]): string => `${[header, ...rows].join('\n')}\n`;
const bought = '2025-01-06,buy,Northfork,KO,30,900,0,stock,b1,';
const later = '2025-02-03,buy,Northfork,KO,30,1500,0,stock,b2,';
const sold = '2025-05-05,sell,Northfork,KO,30,1740.50,0,stock,s1,840.50';

async function gainIssues(client: TestClient): Promise<GainIssue[]> {
  const open = await fetchAll<GainIssue>(client, '/v1/tax/issues?status=open');
  return open.filter(({ kind }) => kind === 'gain_differs');
}

async function expectSameInFull(client: TestClient): Promise<void> {
  expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
}

test('a reported gain that differs raises an issue until the missing purchase is imported, and again once that import is undone', async () => {
  const client = await app.register('PRO');
  const first = await importCsv(client, csv(later, sold));
  expect(first).toMatchObject({
    imported: 2,
    issues: 1,
    warnings: { results: [{ result: 'sale', compared: 1, differing: null }] },
  });
  const [issue, ...others] = await gainIssues(client);
  expect(others).toEqual([]);
  expect(issue).toMatchObject({ date: '2025-05-05', dollars: '600.00' });
  expect(issue?.transactions).toHaveLength(2);
  expect(issue?.detail).toStartWith(
    'Your file states a gain of $840.50 for 30 KO on 2025-05-05 in Northfork, but your transactions give a gain of $240.50, a difference of $600.00.',
  );
  await expectSameInFull(client);
  const before = await fetchBookContent(client);
  const second = await importCsv(client, csv(bought));
  expect(await gainIssues(client)).toEqual([]);
  await expectSameInFull(client);
  expect((await client.request('DELETE', `/v1/imports/${second.id}`)).status).toBe(204);
  expect(await fetchBookContent(client)).toEqual(before);
  await expectSameInFull(client);
});

test('the lot method that the issue proposes resolves it', async () => {
  const client = await app.register('PRO');
  await importCsv(client, csv(bought, later, '2025-05-05,sell,Northfork,KO,30,1740.50,0,stock,s1,240.50'));
  const [issue] = await gainIssues(client);
  expect(issue?.detail).toContain('The lot method LIFO gives the stated gain.');
  await expectSameInFull(client);
  await elect(client, { methodByAccount: { Northfork: 'LIFO' } });
  expect(await gainIssues(client)).toEqual([]);
  await expectSameInFull(client);
});

test('a computed gain that was accepted stays accepted, and another sale raises a new issue', async () => {
  const client = await app.register('PRO');
  await importCsv(client, csv(later, sold));
  const [issue] = await gainIssues(client);
  const body = { action: 'accept', note: 'The broker had the wrong cost.' };
  await client.json('POST', `/v1/tax/issues/${encodeURIComponent(issue?.id ?? '')}/resolve`, { body });
  expect(await gainIssues(client)).toEqual([]);
  await importCsv(
    client,
    csv('2025-06-02,buy,Northfork,KO,5,300,0,stock,b3,', '2025-06-09,sell,Northfork,KO,5,350,0,stock,s2,90'),
  );
  expect(await gainIssues(client)).toMatchObject([{ date: '2025-06-09', dollars: '40.00' }]);
  await expectSameInFull(client);
});

test('the reported gain is exported and imported again, and does not identify its row', async () => {
  const client = await app.register('PRO');
  await importCsv(client, csv(later, sold));
  const exported = await (await client.request('GET', '/v1/transactions/export')).text();
  expect(exported).toContain('stated_gain');
  const other = await app.register('PRO');
  await importCsv(other, exported);
  expect(await gainIssues(other)).toMatchObject([{ date: '2025-05-05', dollars: '600.00' }]);
  // A later file reports the gain after an adjustment, but it is the same sale.
  const again = await importCsv(other, csv(later, sold.replace('840.50', '800.50')));
  expect(again).toMatchObject({ imported: 0, duplicates: 2 });
});

test('the gain in a mapped file is compared with the books', async () => {
  const client = await app.register('PRO');
  const columns = { When: 'date', Side: 'type', Name: 'asset', Units: 'quantity', Worth: 'amount', Result: 'gain' };
  const mapping = encodeURIComponent(
    JSON.stringify({ columns, constants: { account: 'Eastbay', assetClass: 'stock' } }),
  );
  const file = 'When,Side,Name,Units,Worth,Result\n2025-01-06,buy,KO,10,500.10,\n2025-04-07,sell,KO,10,560.20,75.35\n';
  await importCsv(client, file, `?mapping=${mapping}`);
  expect(await gainIssues(client)).toMatchObject([{ date: '2025-04-07', dollars: '15.25' }]);
  await expectSameInFull(client);
});

test('a reported gain that is corrected or removed manually ends the issue', async () => {
  const client = await app.register('PRO');
  await importCsv(client, csv(later, sold));
  const [issue] = await gainIssues(client);
  const path = `/v1/transactions/${issue?.transactions[0]}`;
  await client.json('PATCH', path, { body: { statedGain: '-12.25' } });
  expect(await gainIssues(client)).toMatchObject([{ dollars: '252.75' }]);
  const revision = (await client.json<{ revision: string }>('GET', '/v1/tax/summary?year=2025')).revision;
  await client.json('PATCH', path, { body: { statedGain: null } });
  expect(await gainIssues(client)).toEqual([]);
  expect((await client.json<{ revision: string }>('GET', '/v1/tax/summary?year=2025')).revision).not.toBe(revision);
  await expectSameInFull(client);
});
