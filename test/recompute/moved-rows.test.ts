import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { type Cells, elect, fetchAll, fetchBookContent, importCsv } from '../support/books.ts';

/**
 * A row that moves to another asset also moves to another book, which is updated before or after the book that it
 * leaves.
 */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

/** `row` is the row that moves. The book it leaves and the book it joins have rows on its days, too. */
function fileOf(asset: string): string {
  const others = ['AAA', 'MMM', 'ZZZ'].flatMap((own) => [
    `2023-01-02,buy,Broker,${own},100,10000,0,,stock,${own}1`,
    `2024-05-10,sell,Broker,${own},2,150,0,,stock,${own}2`,
    `2024-05-20,buy,Broker,${own},30,2400,0,,stock,${own}3`,
  ]);
  return [
    'date,type,account,asset,quantity,amount,fee,fmv,asset_class,id',
    ...others,
    `2024-02-01,buy,Broker,${asset},10,900,1,,stock,buy`,
    `2024-05-10,sell,Broker,${asset},20,1500,1,,stock,sale`,
    `2024-05-10,dividend,Broker,${asset},,5,,,stock,dividend`,
    `2024-05-10,sell,Elsewhere,${asset},5,500,1,,stock,oversold`,
    `2024-05-10,return_of_capital,Broker,${asset},,15000,,,stock,capital`,
    `2024-01-02,buy,Broker,${asset}F,1,700,1,,section_1256,opened`,
    `2024-05-10,sell,Broker,${asset}F,1,900,1,,section_1256,contract`,
    '',
  ].join('\n');
}

async function fetchRows(client: TestClient): Promise<ReadonlyMap<string, string>> {
  const rows = await fetchAll<{ id: string; source: { externalId: string } }>(client, '/v1/transactions');
  return new Map(rows.map((row) => [row.source.externalId, row.id]));
}

/** Checks that the stored figures equal those of a full calculation. */
async function booksAsCalculated(client: TestClient): Promise<string[][]> {
  expect(await client.json('POST', '/v1/tax/calculate', { body: { dryRun: true } })).toMatchObject({ differences: [] });
  const lists = ['years', 'disposals', 'lots', 'issues'].map((list) => fetchAll<Cells>(client, `/v1/tax/${list}`));
  return (await Promise.all(lists)).map((list) => list.map(withoutNames).sort());
}

/** Ids, and fields that refer to rows. */
const names = new Set(['id', 'saleId', 'lotId', 'transactionId', 'transactions', 'proposals']);

function withoutNames(item: Cells): string {
  return JSON.stringify(item, (member, value) => (names.has(member) ? undefined : value));
}

describe('a row whose asset is corrected', () => {
  const moving = ['sale', 'dividend', 'oversold', 'capital', 'buy'];
  for (const to of ['AAA', 'ZZZ']) {
    test(`moves everything that it caused from MMM to ${to}, and back`, async () => {
      const client = await app.register('PRO');
      await importCsv(client, fileOf('MMM'));
      const before = await booksAsCalculated(client);
      const rows = await fetchRows(client);
      const correct = async (row: string, asset: string): Promise<void> => {
        await client.json('PATCH', `/v1/transactions/${rows.get(row)}`, { body: { asset } });
        await booksAsCalculated(client);
      };
      for (const row of moving) await correct(row, to);
      for (const row of ['opened', 'contract']) await correct(row, `${to}F`);

      const asFile = await app.register('PRO');
      await importCsv(asFile, fileOf(to));
      expect(await booksAsCalculated(client)).toEqual(await booksAsCalculated(asFile));

      for (const row of ['contract', 'opened']) await correct(row, 'MMMF');
      for (const row of moving.toReversed()) await correct(row, 'MMM');
      expect(await booksAsCalculated(client)).toEqual(before);
    });
  }

  test('also moves when its class is changed in the row or in the settings of its account', async () => {
    for (const [asset, assetClass] of [
      ['KO', 'crypto'],
      ['BTC', 'stock'],
    ] as const) {
      const client = await app.register('FREE');
      await importCsv(client, `date,type,account,asset,quantity,amount,fee,id\n2024-02-01,sell,A,${asset},5,500,0,s\n`);
      const before = await fetchBookContent(client);
      await elect(client, { accounts: { A: { type: 'taxable', assetClass } } });
      await booksAsCalculated(client);
      await elect(client, { accounts: null });
      expect(await fetchBookContent(client)).toBe(before);
      const [id] = [...(await fetchRows(client)).values()];
      await client.json('PATCH', `/v1/transactions/${id}`, { body: { assetClass } });
      expect(await client.json('GET', '/v1/tax/summary?year=2024')).toMatchObject({ assets: [{ asset, assetClass }] });
      await booksAsCalculated(client);
    }
  });

  test('leaves nothing behind when the file is undone or imported again', async () => {
    const client = await app.register('PRO');
    const { id } = await importCsv(client, fileOf('MMM'));
    const before = await booksAsCalculated(client);
    const rows = await fetchRows(client);
    for (const row of moving) {
      await client.json('PATCH', `/v1/transactions/${rows.get(row)}`, { body: { asset: 'AAA' } });
    }
    await client.json('DELETE', `/v1/imports/${id}`);
    await booksAsCalculated(client);
    await importCsv(client, fileOf('MMM'));
    expect(await booksAsCalculated(client)).toEqual(before);
  });
});
