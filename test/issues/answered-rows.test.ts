import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, fetchAll, importCsv } from '../support/books.ts';

/** Covers answers about rows that are corrected later, or whose issue changes because of other rows. */
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface Issue {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly dollars: string;
  readonly detail: string;
  readonly proposals: readonly { readonly action: string; readonly detail: string; readonly quantity?: string }[];
  readonly resolution: { readonly transactionId: string | null } | null;
}

const header = 'date,type,account,asset,quantity,amount,fee,currency,asset_class,acquired,basis,fmv,id\n';

async function result(rows: string) {
  const client = await app.register('PRO');
  await importCsv(client, rows);
  const found = await fetchAll<{ id: string; source: { externalId: string } }>(client, '/v1/transactions');
  const ids = new Map(found.map(({ id, source }) => [source.externalId, id]));
  const patch = (name: string, body: object) =>
    client.json('PATCH', `/v1/transactions/${ids.get(name) ?? name}`, { body });
  const remove = async (name: string) =>
    (await client.request('DELETE', `/v1/transactions/${ids.get(name) ?? name}`)).status;
  return { client, patch, remove };
}

const fetchIssues = (client: TestClient): Promise<Issue[]> => fetchAll<Issue>(client, '/v1/tax/issues');
const fetchOpen = async (client: TestClient): Promise<string[]> =>
  (await fetchAll<Issue>(client, '/v1/tax/issues?status=open'))
    .map(({ kind }) => kind)
    // The rows end before the wash sale windows of their losses.
    .filter((kind) => kind !== 'wash_window_open')
    .sort();
const answer = (client: TestClient, issue: Issue | undefined, body: object, status = 200): Promise<Issue> =>
  client.json<Issue>('POST', `/v1/tax/issues/${issue?.id}/resolve`, { body }, status);
const fetchBases = async (client: TestClient): Promise<string[]> =>
  (await fetchAll<{ basis: string }>(client, '/v1/tax/disposals')).map(({ basis }) => basis);

async function agrees(client: TestClient): Promise<void> {
  expect(await client.json('POST', '/v1/tax/calculate', { body: { dryRun: true } })).toMatchObject({ differences: [] });
}

describe('a row corrected after its issue was answered uses its corrected values', () => {
  const bought = `${header}2024-01-01,buy,A,SAP,10,1000,0,EUR,stock,,,,r\n2024-02-01,sell,A,SAP,10,2000,0,USD,stock,,,,s\n`;
  const came = `${header}2024-01-01,deposit,A,BTC,1,,,,crypto,,,,r\n2024-02-01,sell,A,BTC,1,2000,0,,crypto,,,,s\n`;
  const staked = `${header}2024-01-01,staking,A,STK,1,,,,crypto,,,,r\n2024-02-01,sell,A,STK,1,2000,0,,crypto,,,,s\n`;
  const value = { action: 'value', amount: '1100', fee: '0' };
  const basis = { action: 'basis', basis: '100', acquired: '2020-01-01' };
  const given = { type: 'gift_in', currency: 'USD', amount: null, acquired: '2020-01-01', basis: '7', fmv: '9' };
  for (const [what, rows, kind, body, patch, bases, open] of [
    ['in dollars', bought, 'value_missing', value, { currency: 'USD', amount: '5000' }, ['5000.00'], []],
    [
      'at another price',
      bought,
      'value_missing',
      value,
      { amount: '3000' },
      ['0.00'],
      ['basis_missing', 'value_missing'],
    ],
    ['a gift', bought, 'value_missing', value, given, ['7.00'], []],
    ['a purchase', came, 'transfer_unpaired', basis, { type: 'buy', amount: '1500' }, ['1500.00'], []],
    [
      'earlier',
      came,
      'transfer_unpaired',
      basis,
      { date: '2019-01-01' },
      ['0.00'],
      ['basis_missing', 'transfer_unpaired'],
    ],
    ['with its value', staked, 'value_missing', { action: 'value', amount: '100' }, { amount: '900' }, ['900.00'], []],
  ] as const) {
    test(what, async () => {
      const { client, patch: correct } = await result(rows);
      const issue = (await fetchIssues(client)).find((one) => one.kind === kind);
      await answer(client, issue, body);
      const answered = await fetchBases(client);
      await correct('r', { note: 'looked up', account: 'A' });
      expect(await fetchBases(client)).toEqual(answered);
      await correct('r', patch);
      expect(await fetchBases(client)).toEqual([...bases]);
      expect(await fetchOpen(client)).toEqual([...open]);
      await agrees(client);
      // The reopened issue is answered again.
      const again = (await fetchIssues(client)).find((one) => one.kind === kind && one.status === 'open');
      if (again !== undefined)
        await answer(client, again, { ...body, ...('acquired' in body ? { acquired: '2018-01-01' } : {}) });
      expect(await fetchOpen(client)).toEqual([]);
      await agrees(client);
    });
  }
});

describe('an accepted issue', () => {
  test('reopens if the amount at stake grows, and stays accepted otherwise', async () => {
    const { client, patch, remove } = await result(
      csvOf('buy 2024-05-01 10 OVER @1000 #b', 'buy 2024-05-02 1 OVER @100 #c', 'sell 2024-05-10 11.01 OVER @1101 #s'),
    );
    const [issue] = await fetchIssues(client);
    await answer(client, issue, { action: 'accept', note: 'one cent' });
    await patch('s', { quantity: '11.005', amount: '1100.50' });
    expect(await fetchOpen(client)).toEqual([]);
    await remove('b');
    const [open, ...others] = await fetchIssues(client);
    expect(others).toEqual([]);
    expect(open).toMatchObject({ id: issue?.id ?? '', status: 'open', resolution: null });
    expect(await client.json('GET', '/v1/tax/summary?year=2024')).toMatchObject({ issues: 1 });
    await agrees(client);
    expect(await answer(client, open, { action: 'accept', note: 'all' })).toMatchObject({ status: 'accepted' });
    expect(await client.json('GET', '/v1/tax/summary?year=2024')).toMatchObject({ issues: 0 });
    await agrees(client);
  });

  test('reopens if it involves more units and no dollar amount is known', async () => {
    const { client, remove } = await result(csvOf('buy 2024-05-01 10 OVER @1000 #b', 'gift_out 2024-05-10 11 OVER #s'));
    const [issue] = await fetchIssues(client);
    await answer(client, issue, { action: 'accept' });
    await remove('b');
    expect(await fetchOpen(client)).toEqual(['oversold']);
    await agrees(client);
  });
});

describe('a gift', () => {
  for (const [what, cells, action, body, basis] of [
    ['with an unknown history', ',,', 'basis', { basis: '70', acquired: '2015-05-05', amount: '90' }, '70.00'],
    ['with a known value', ',,90', 'basis', { basis: '70', acquired: '2015-05-05' }, '70.00'],
    ['with an unknown value', '2015-05-05,70,', 'value', { amount: '90' }, '70.00'],
    [
      'that had lost value before the gift',
      ',,',
      'basis',
      { basis: '70', acquired: '2015-05-05', amount: '40' },
      '40.00',
    ],
  ] as const) {
    test(`${what}: the proposed answer resolves it`, async () => {
      const { client } = await result(
        `${header}2024-01-01,gift_in,A,GFT,1,,,,stock,${cells},g\n2024-02-01,sell,A,GFT,1,30,0,,stock,,,,s\n`,
      );
      const issue = (await fetchIssues(client)).find(({ kind }) => kind === 'gift_incomplete');
      expect(issue?.proposals.map((one) => one.action)).toEqual([action, 'accept']);
      for (const left of Object.keys(body)) await answer(client, issue, { action, ...body, [left]: undefined }, 422);
      await answer(client, issue, { action, ...body });
      expect(await fetchBases(client)).toEqual([basis]);
      expect(await fetchOpen(client)).toEqual([]);
      await agrees(client);
    });
  }
});

test('a purchase keeps its own day, and its basis covers all of its units', async () => {
  const { client } = await result(
    `${header}2024-01-01,buy,A,SAP,10,1000,0,EUR,stock,,,,r\n2024-02-01,sell,A,SAP,10,2000,0,USD,stock,,,,s\n`,
  );
  const issue = (await fetchIssues(client)).find(({ kind }) => kind === 'basis_missing');
  expect(issue?.proposals[0]?.detail).toBe('Enter the cost of the 10 SAP of 2024-01-01.');
  await answer(client, issue, { action: 'basis', basis: '900', acquired: '2023-01-01' }, 422);
  await answer(client, issue, { action: 'basis', basis: '900', quantity: '5' }, 422);
  await answer(client, issue, { action: 'basis', basis: '900', acquired: '2024-01-01', quantity: '10.0' });
  expect(await fetchBases(client)).toEqual(['900.00']);
});

test('an answer for too few units is followed by another answer, and both can be undone', async () => {
  const { client, patch, remove } = await result(csvOf('sell 2024-05-10 10 OVER @1000 #s'));
  const before = await fetchIssues(client);
  const { resolution } = await answer(client, before[0], { action: 'basis', basis: '100', acquired: '2023-01-01' });
  await patch('s', { quantity: '15' });
  const [open, ...others] = await fetchIssues(client);
  expect(others).toEqual([]);
  expect(open?.status).toBe('open');
  expect(open?.proposals[0]).toMatchObject({ action: 'basis', quantity: '5' });
  await answer(client, open, { action: 'basis', basis: '50', acquired: '2023-02-01' });
  expect((await fetchIssues(client)).map(({ status }) => status)).toEqual(['resolved']);
  expect((await fetchBases(client)).sort()).toEqual(['100.00', '50.00']);
  expect(await remove(resolution?.transactionId ?? '')).toBe(204);
  await answer(client, open, { action: 'accept' });
  expect((await fetchIssues(client)).map(({ status }) => status)).toEqual(['accepted']);
  await agrees(client);
  await patch('s', { quantity: '10' });
  expect((await client.request('DELETE', `/v1/tax/issues/${open?.id}/resolution`)).status).toBe(204);
  expect((await fetchIssues(client)).map(({ kind, dollars, detail }) => [kind, dollars, detail])).toEqual(
    before.map(({ kind, dollars, detail }) => [kind, dollars, detail]),
  );
  expect((await client.request('DELETE', `/v1/tax/issues/${open?.id}/resolution`)).status).toBe(404);
  await agrees(client);
});
