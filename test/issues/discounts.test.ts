import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, testApp } from '../support/app.ts';
import { fetchAll, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface Issue {
  readonly id: string;
  readonly kind: string;
  readonly dollars: string;
  readonly proposals: readonly { readonly action: string; readonly detail: string }[];
}

const rows =
  'date,type,account,asset,quantity,amount,asset_class,maturity\n' +
  '2021-04-01,buy,A,345370CR9,10000,9400,bond,2027-04-01\n' +
  '2021-05-03,buy,A,345370CR9,10000,9500,bond,2027-04-01\n' +
  '2024-04-01,sell,A,345370CR9,20000,19600,bond,\n';

const lineNumbers = 'basis adjustment gain'.split(' ');

async function booksWithBond() {
  const client = await app.register('PRO');
  await importCsv(client, rows);
  const issues = () => fetchAll<Issue>(client, '/v1/tax/issues?status=open');
  const lines = async () =>
    (await fetchAll<Record<string, string>>(client, '/v1/tax/disposals')).map((line) =>
      lineNumbers.map((name) => line[name]).join(' '),
    );
  return { client, issues, lines };
}

describe('a bond discount that no row contains', () => {
  test('requires one answer for all lots in the sale, and the question returns when the answer is undone', async () => {
    const { client, issues, lines } = await booksWithBond();
    const open = await issues();
    expect(open.map(({ kind, dollars }) => `${kind} ${dollars}`)).toEqual([
      'discount_unknown 400.00',
      'discount_unknown 300.00',
    ]);
    expect(open[0]?.proposals.map(({ action }) => action)).toEqual(['value', 'add', 'accept']);
    const before = await lines();
    const path = `/v1/tax/issues/${open[0]?.id}/resolve`;
    await client.json('POST', path, { body: { action: 'value', amount: '150' } });
    expect(await issues()).toEqual([]);
    expect(await lines()).toEqual(['9400.00 -75.00 325.00', '9500.00 -75.00 225.00']);
    expect((await client.request('DELETE', `/v1/tax/issues/${open[0]?.id}/resolution`)).status).toBe(204);
    expect(await lines()).toEqual(before);
    expect((await issues()).length).toBe(2);
  });

  test('is zero if the answer is zero', async () => {
    const { client, issues, lines } = await booksWithBond();
    const [open] = await issues();
    await client.json('POST', `/v1/tax/issues/${open?.id}/resolve`, { body: { action: 'value', amount: '0' } });
    expect(await lines()).toEqual(['9400.00 0.00 400.00', '9500.00 0.00 300.00']);
    expect(await client.json('POST', '/v1/tax/calculate', { body: { dryRun: true } })).toMatchObject({
      differences: [],
    });
  });

  test('does not accept a fee', async () => {
    const { client, issues } = await booksWithBond();
    const [open] = await issues();
    const body = { action: 'value', amount: '5', fee: '1' };
    await client.json('POST', `/v1/tax/issues/${open?.id}/resolve`, { body }, 422);
  });

  test('is original issue discount in the years of the answer, and each year becomes a row', async () => {
    const { client, issues, lines } = await booksWithBond();
    const [open] = await issues();
    const before = await lines();
    const path = `/v1/tax/issues/${open?.id}/resolve`;
    const resolve = (discounts: unknown, status = 200) =>
      client.json('POST', path, { body: { action: 'add', discounts } }, status);
    await resolve([{ year: 2025, amount: '40' }], 422);
    await resolve([{ year: 2023, amount: '0' }], 422);
    await resolve(
      [
        { year: 2023, amount: '40' },
        { year: 2023, amount: '50' },
      ],
      422,
    );
    await client.json('POST', path, { body: { action: 'add' } }, 422);
    await resolve([
      { year: 2022, amount: '200' },
      { year: 2023, amount: '100' },
      { year: 2024, amount: '50' },
    ]);
    expect(await issues()).toEqual([]);
    // Each bond in the account has half of each amount.
    expect(await lines()).toEqual(['9575.00 0.00 225.00', '9675.00 0.00 125.00']);
    const income = async (year: number) => {
      const { income } = await client.json<{ income: { type: string; amount: string }[] }>(
        'GET',
        `/v1/tax/summary?year=${year}`,
      );
      return income.map(({ type, amount }) => `${type} ${amount}`);
    };
    expect(await income(2022)).toEqual(['original_issue_discount 200.00']);
    expect(await income(2024)).toEqual(['original_issue_discount 50.00']);
    expect(await client.json('POST', '/v1/tax/calculate', { body: { dryRun: true } })).toMatchObject({
      differences: [],
    });
    expect((await client.request('DELETE', `/v1/tax/issues/${open?.id}/resolution`)).status).toBe(204);
    expect(await lines()).toEqual(before);
    expect(await income(2022)).toEqual([]);
    expect((await issues()).length).toBe(2);
  });
});
