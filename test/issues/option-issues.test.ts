import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchAll, importCsv } from '../support/books.ts';

/**
 * Tests of contracts opened before the first row in the file. The row that closes them raises an issue that asks how
 * they were opened.
 */
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface Issue {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly proposals: readonly { readonly action: string; readonly quantity?: string }[];
}
interface Line {
  readonly asset: string;
  readonly sold: string;
  readonly acquired: string;
  readonly proceeds: string;
  readonly basis: string;
}

const header =
  'DATE,TRANSACTION ID,DESCRIPTION,QUANTITY,SYMBOL,PRICE,COMMISSION,AMOUNT,NET CASH BALANCE,REG FEE,SHORT-TERM RDM FEE,FUND REDEMPTION FEE, DEFERRED SALES CHARGE';
const call = 'ACME Jan 21 2022 50.0 Call';
const removed = (why: string): string => `01/24/2022,1,REMOVAL OF OPTION DUE TO ${why} (${call}),2,${call},,,0.00,,,,,`;
const shares = (what: 'Sold' | 'Bought'): string =>
  `01/24/2022,2,${what} 200 ACME @ 50,200,ACME,50,0,${what === 'Sold' ? '' : '-'}10000.00,,0,,,`;
const bought = '01/04/2021,0,Bought 200 ACME @ 40,200,ACME,40,0,-8000.00,,0,,,';

async function found(...rows: readonly string[]): Promise<{ client: TestClient; issue: Issue | undefined }> {
  const client = await app.register('PRO');
  expect(await importCsv(client, [header, ...rows, ''].join('\n'))).toMatchObject({ rejected: 0 });
  const [issue, ...others] = await fetchAll<Issue>(client, '/v1/tax/issues?kind=option_not_open');
  expect(others).toEqual([]);
  return { client, issue };
}

const answer = (client: TestClient, issue: Issue | undefined, body: object, status = 200): Promise<Issue> =>
  client.json<Issue>('POST', `/v1/tax/issues/${issue?.id}/resolve`, { body }, status);
const fetchLines = (client: TestClient): Promise<Line[]> => fetchAll<Line>(client, '/v1/tax/disposals');
const actions = (issue: Issue | undefined): unknown =>
  issue?.proposals.map(({ action, quantity }) => [action, quantity]);

async function agrees(client: TestClient): Promise<void> {
  const body = { dryRun: true };
  expect((await client.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', { body })).differences).toEqual(
    [],
  );
}

describe('contracts opened before the file starts', () => {
  test('exercised contracts add their cost to the shares', async () => {
    const { client, issue } = await found(removed('EXERCISE'), shares('Bought'));
    expect(actions(issue)).toEqual([
      ['basis', '2'],
      ['accept', undefined],
    ]);
    await answer(client, issue, { action: 'basis', basis: '300', acquired: '2021-12-01' });
    const lots = await fetchAll<{ asset: string; basis: string }>(client, '/v1/tax/lots');
    expect(lots.map(({ asset, basis }) => [asset, basis])).toEqual([['ACME', '10300.00']]);
    await agrees(client);
  });

  test('assigned contracts add their premium to the proceeds of the shares, and undoing the resolution reopens the issue', async () => {
    const { client, issue } = await found(bought, removed('ASSIGNMENT'), shares('Sold'));
    expect(actions(issue)).toEqual([
      ['value', '2'],
      ['accept', undefined],
    ]);
    const before = await fetchLines(client);
    expect(before.map(({ proceeds }) => proceeds)).toEqual(['10000.00']);
    await answer(client, issue, { action: 'value', amount: '250' }, 422);
    await answer(client, issue, { action: 'value', amount: '250', acquired: '2022-02-01' }, 422);
    await answer(client, issue, { action: 'value', amount: '250', acquired: '2021-11-02' });
    expect((await fetchLines(client)).map(({ proceeds, basis }) => [proceeds, basis])).toEqual([
      ['10250.00', '8000.00'],
    ]);
    await agrees(client);
    expect((await client.request('DELETE', `/v1/tax/issues/${issue?.id}/resolution`)).status).toBe(204);
    expect(await fetchLines(client)).toEqual(before);
    expect((await fetchAll<Issue>(client, '/v1/tax/issues?status=open')).map(({ kind }) => kind)).toEqual([
      'option_not_open',
    ]);
  });

  test('if the shares delivered on assignment are missing too, the only issue is about the contracts', async () => {
    const { client, issue } = await found(removed('ASSIGNMENT'), shares('Sold'));
    expect(actions(issue)).toEqual([
      ['value', '2'],
      ['accept', undefined],
    ]);
    const written = { action: 'value', amount: '250', acquired: '2021-11-02' };
    await answer(client, issue, { ...written, quantity: '200' }, 422);
    await answer(client, issue, written);
    const rows = await fetchAll<{ type: string; quantity: string }>(client, '/v1/transactions');
    expect(rows.find(({ type }) => type === 'sell_to_open')).toMatchObject({ quantity: '2' });
    // The sale counts as a short sale until a row shows where the shares came from.
    expect(await fetchLines(client)).toEqual([]);
    expect(await fetchAll<Issue>(client, '/v1/tax/issues?status=open')).toMatchObject([
      { kind: 'unreconciled', dollars: '10250.00' },
    ]);
    await agrees(client);
  });

  test('expired contracts can be resolved as bought or as written', async () => {
    const [held, written] = [await found(removed('EXPIRATION')), await found(removed('EXPIRATION'))];
    expect(actions(held.issue)).toEqual([
      ['basis', '2'],
      ['value', '2'],
      ['accept', undefined],
    ]);
    await answer(held.client, held.issue, { action: 'basis', basis: '300', acquired: '2021-12-01' });
    await answer(written.client, written.issue, { action: 'value', amount: '250', acquired: '2021-12-01' });
    const figures = ({ proceeds, basis }: Line): string[] => [proceeds, basis];
    expect((await fetchLines(held.client)).map(figures)).toEqual([['0.00', '300.00']]);
    expect((await fetchLines(written.client)).map(figures)).toEqual([['250.00', '0.00']]);
    await agrees(held.client);
    await agrees(written.client);
  });
});
