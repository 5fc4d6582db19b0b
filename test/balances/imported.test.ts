import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchAll, fetchBookContent, importCsv } from '../support/books.ts';

interface Balance {
  readonly id: string;
  readonly account: string;
  readonly asset: string;
  readonly on: string;
  readonly quantity: string;
  readonly source: string;
  readonly difference: string;
}
interface Issue {
  readonly kind: string;
  readonly date: string;
  readonly asset: string;
  readonly transactions: string[];
}

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const header = 'txid,refid,time,type,subtype,aclass,asset,amount,fee,balance';
/** A deposit, trades with a fee on either side, staking that takes a day to arrive, rewards and a withdrawal. */
const ledger = [
  'L1,D1,2024-01-02 10:00:00,deposit,,currency,XXBT,1.0000000000,0.0010000000,0.9990000000',
  'L2,T1,2024-01-03 10:00:00,trade,,currency,XXBT,-0.2000000000,0.0010000000,0.7980000000',
  'L3,T1,2024-01-03 10:00:00,trade,,currency,DOT,1000.0000000000,0.0000000000,1000.0000000000',
  'L4,S1,2024-01-04 10:00:00,transfer,spottostaking,currency,DOT,-600.0000000000,0.0000000000,400.0000000000',
  'L5,T2,2024-01-04 12:00:00,trade,,currency,DOT,-10.0000000000,0.5000000000,389.5000000000',
  'L6,T2,2024-01-04 12:00:00,trade,,currency,ZUSD,70.0000,0.1000,69.9000',
  'L7,S2,2024-01-05 09:00:00,transfer,stakingfromspot,currency,DOT.S,600.0000000000,0.0000000000,600.0000000000',
  'L8,R1,2024-02-01 09:00:00,staking,,currency,DOT.S,1.2500000000,0.0500000000,601.2000000000',
  'L9,R2,2024-02-02 09:00:00,staking,,currency,DOT.S,1.2500000000,0.0500000000,602.4000000000',
  'L10,W1,2024-02-03 09:00:00,withdrawal,,currency,XXBT,-0.1000000000,0.0005000000,0.6975000000',
];
const csvOf = (rows: readonly string[]) => `${[header, ...rows].join('\n')}\n`;
const without = (...ids: readonly string[]) => ledger.filter((row) => !ids.includes(row.split(',')[0] ?? ''));
const balances = (who: TestClient) => fetchAll<Balance>(who, '/v1/balances');
const differences = async (who: TestClient) =>
  (await fetchAll<Issue>(who, '/v1/tax/issues?status=open'))
    .filter(({ kind }) => kind === 'balance_differs')
    .map(({ date, asset }) => `${date} ${asset}`);
const undo = async (who: TestClient, id: string) =>
  expect((await who.request('DELETE', `/v1/imports/${id}`)).status).toBe(204);

describe('the balances in a Kraken ledger', () => {
  test('raise no question if they are complete, in either order and over all parts of an asset', async () => {
    for (const rows of [ledger, ledger.toReversed()]) {
      const who = await app.register();
      await importCsv(who, csvOf(rows));
      expect(await differences(who)).toEqual([]);
      const stated = await balances(who);
      expect(stated.map(({ on, asset, quantity }) => `${on} ${asset} ${quantity}`)).toEqual([
        '2024-02-03 BTC 0.6975',
        '2024-02-02 DOT 991.9',
        '2024-02-01 DOT 990.7',
        '2024-01-05 DOT 989.5',
        '2024-01-04 DOT 989.5',
        '2024-01-03 BTC 0.798',
        '2024-01-03 DOT 1000',
        '2024-01-02 BTC 0.999',
      ]);
      expect(new Set(stated.map(({ source, account, difference }) => `${source} ${account} ${difference}`))).toEqual(
        new Set(['import Kraken 0']),
      );
    }
  });

  test('are a minimum if the file begins with units, because it may cover only part of the account', async () => {
    for (const [held, expected] of [
      ['5', []],
      ['1', ['2024-01-02 BTC']],
    ] as const) {
      const who = await app.register();
      await importCsv(who, `date,type,account,asset,quantity,amount\n2023-06-01,buy,Kraken,BTC,${held},90000\n`);
      await importCsv(who, csvOf(['L1,D1,2024-01-02 10:00:00,deposit,,currency,XXBT,1.0000000000,0,3.0000000000']));
      expect(await differences(who)).toEqual([...expected]);
    }
  });

  test('raise one question for a missing row, with the first day and the rows around it', async () => {
    for (const [missing, expected] of [
      ['L8', '2024-02-02 DOT'],
      ['L1', '2024-01-03 BTC'],
    ] as const) {
      const who = await app.register();
      await importCsv(who, csvOf(without(missing)));
      expect(await differences(who)).toEqual([expected]);
    }
  });

  test('are stored once, do not replace one entered manually, and are removed with their import', async () => {
    const who = await app.register();
    const empty = await fetchBookContent(who);
    const first = await importCsv(who, csvOf(without('L8')));
    const before = await fetchBookContent(who);
    const stated = await balances(who);
    expect(await differences(who)).toEqual(['2024-02-02 DOT']);
    const again = await importCsv(who, csvOf(without('L8')));
    expect(await fetchBookContent(who)).toBe(before);
    expect(await balances(who)).toEqual(stated);
    await undo(who, first.id);
    expect(await balances(who)).toEqual(stated);
    expect(await fetchBookContent(who)).toBe(before);
    const body = { account: 'Kraken', asset: 'DOT', on: '2024-02-02', quantity: '990.7' };
    const hand = await who.json<Balance>('POST', '/v1/balances', { body }, 201);
    expect(hand).toMatchObject({ source: 'hand', difference: '0' });
    expect(await differences(who)).toEqual([]);
    const third = await importCsv(who, csvOf(without('L8')));
    expect(await differences(who)).toEqual([]);
    expect((await who.request('DELETE', `/v1/balances/${hand.id}`)).status).toBe(204);
    expect(await differences(who)).toEqual(['2024-02-02 DOT']);
    const [own] = (await balances(who)).filter(({ on }) => on === '2024-02-02');
    expect((await who.request('DELETE', `/v1/balances/${own?.id}`)).status).toBe(204);
    expect(await differences(who)).toEqual([]);
    await undo(who, again.id);
    await undo(who, third.id);
    expect(await balances(who)).toEqual([]);
    expect(await fetchBookContent(who)).toBe(empty);
  });

  test('are shown but not stored by a dry run, and the stored question equals the calculated one', async () => {
    const who = await app.register();
    const shown = await who.json<{ preview: { issues: { kind: string; on: string }[] } }>(
      'POST',
      '/v1/transactions/import?dryRun=true',
      { body: csvOf(without('L8')), headers: { 'content-type': 'text/csv' } },
      200,
    );
    const differing = shown.preview.issues.filter(({ kind }) => kind === 'balance_differs');
    expect(differing.map(({ on }) => on)).toEqual(['2024-02-02']);
    expect(await balances(who)).toEqual([]);
    await importCsv(who, csvOf(without('L8')));
    const { differences: found } = await who.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', {
      body: {},
    });
    expect(found).toEqual([]);
  });

  test('match in every time zone, and after the zone changes', async () => {
    const who = await app.register();
    await importCsv(
      who,
      csvOf(ledger.map((row) => row.replace(' 09:00:00', ' 23:30:00').replace(' 10:00:00', ' 00:30:00'))),
    );
    expect(await differences(who)).toEqual([]);
    for (const timeZone of ['America/Los_Angeles', 'Pacific/Auckland']) {
      await who.json('PATCH', '/v1/account', { body: { timeZone } }, 200);
      expect(await differences(who)).toEqual([]);
    }
  });
});
