import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, testApp } from '../support/app.ts';
import { csvOf, elect, importCsv, type ListResponse } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface BooksAccount {
  readonly account: string;
  readonly transactions: number;
  readonly settings: object | null;
}

const coinbase = `Timestamp,Transaction Type,Asset,Quantity Transacted,Spot Price Currency,Spot Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes
2024-01-05T10:00:00Z,Buy,BTC,0.1,USD,44000,4400,4420,20,
2025-03-01T10:00:00Z,Sell,BTC,0.05,USD,86000,4300,4280,20,
`;

describe('the accounts of the books', () => {
  test('come from rows, transfers and settings, each with its sources and days', async () => {
    const who = await app.register();
    const rows = `date,type,account,asset,quantity,amount,to_account
2023-02-01,buy,Schwab Roth IRA,KO,10,600,
2023-03-01,buy,Vault,BTC,1,20000,
2023-04-01,transfer,Vault,BTC,0.5,,Cold wallet
2023-05-01,dividend,Vault,,,5,
`;
    await importCsv(who, rows);
    await importCsv(who, coinbase);
    await elect(who, {
      accounts: { Later: { type: 'hsa' }, Vault: { type: 'taxable', form: 'none' } },
      methodByAccount: { Vault: 'HIFO' },
    });
    const { data } = await who.json<ListResponse<BooksAccount>>('GET', '/v1/tax/accounts');
    expect(data).toEqual([
      {
        account: 'Coinbase',
        transactions: 2,
        firstDate: '2024-01-05',
        lastDate: '2025-03-01',
        missingPurchases: 0,
        gaps: [],
        sources: [{ format: 'coinbase', name: 'Coinbase transaction history', transactions: 2 }],
        assetClasses: ['crypto'],
        settings: null,
        method: null,
        suggested: { type: null, form: '1099-DA', because: 'source' },
      },
      {
        account: 'Cold wallet',
        transactions: 1,
        firstDate: '2023-04-01',
        lastDate: '2023-04-01',
        missingPurchases: 0,
        gaps: [],
        sources: [{ format: 'lotbook', name: 'Lotbook CSV', transactions: 1 }],
        assetClasses: ['crypto'],
        settings: null,
        method: null,
        suggested: { type: null, form: null, because: null },
      },
      {
        account: 'Later',
        transactions: 0,
        firstDate: null,
        lastDate: null,
        missingPurchases: 0,
        gaps: [],
        sources: [],
        assetClasses: [],
        settings: { type: 'hsa' },
        method: null,
        suggested: { type: null, form: null, because: null },
      },
      {
        account: 'Schwab Roth IRA',
        transactions: 1,
        firstDate: '2023-02-01',
        lastDate: '2023-02-01',
        missingPurchases: 0,
        gaps: [],
        sources: [{ format: 'lotbook', name: 'Lotbook CSV', transactions: 1 }],
        assetClasses: ['stock'],
        settings: null,
        method: null,
        suggested: { type: 'roth_ira', form: null, because: null },
      },
      {
        account: 'Vault',
        transactions: 3,
        firstDate: '2023-03-01',
        lastDate: '2023-05-01',
        missingPurchases: 0,
        gaps: [],
        sources: [{ format: 'lotbook', name: 'Lotbook CSV', transactions: 3 }],
        assetClasses: ['crypto'],
        settings: { type: 'taxable', form: 'none' },
        method: 'HIFO',
        suggested: { type: null, form: null, because: null },
      },
    ] as unknown as BooksAccount[]);
  });

  test('state the sales without a purchase and the periods that no file covers', async () => {
    const who = await app.register('PRO');
    await importCsv(who, csvOf('buy 2023-01-05 1 KO @60', 'sell 2023-03-01 2 KO @130', 'sell 2023-03-02 1 PEP @170'));
    await importCsv(who, csvOf('buy 2023-09-01 1 KO @61', 'buy 2023-12-01 1 KO @62'));
    await importCsv(who, csvOf('buy 2023-11-01 1 KO @61.50', 'buy 2024-01-15 1 KO @63'));
    const { data } = await who.json<ListResponse<BooksAccount>>('GET', '/v1/tax/accounts');
    expect(data).toMatchObject([
      { account: 'Broker', missingPurchases: 2, gaps: [{ firstDate: '2023-03-03', lastDate: '2023-08-31' }] },
    ]);
  });

  test('are paged and belong to one taxpayer', async () => {
    const [cpa, other] = [await app.register('CPA'), await app.register()];
    const { id } = await cpa.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Ann' } });
    await importCsv(cpa, 'date,type,account,asset,quantity,amount\n2024-01-02,buy,A,KO,1,60\n', `?client=${id}`);
    await elect(cpa, { accounts: { B: { type: 'ira' } } });
    for (const name of ['X', 'Y', 'Z']) await elect(other, { accounts: { [name]: { type: 'ira' } } });
    const names = async (who: typeof cpa, query = '') =>
      (await who.json<ListResponse<BooksAccount>>('GET', `/v1/tax/accounts${query}`)).data.map(
        ({ account }) => account,
      );
    expect(await names(cpa, `?client=${id}`)).toEqual(['A']);
    expect(await names(cpa)).toEqual(['B']);
    const first = await other.json<ListResponse<BooksAccount>>('GET', '/v1/tax/accounts?limit=2');
    expect([first.data.map(({ account }) => account), first.hasMore]).toEqual([['X', 'Y'], true]);
    expect(await names(other, `?limit=2&cursor=${first.nextCursor}`)).toEqual(['Z']);
  });
});
