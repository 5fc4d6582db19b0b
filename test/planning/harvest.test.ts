import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { csvOf, elect, importCsv } from '../support/books.ts';

interface Lot {
  readonly asset: string;
  readonly account: string;
  readonly gain: string | null;
  readonly daysToLongTerm: number;
  readonly term: string;
  readonly valuedBy: { source: string; date: string; unit: string } | null;
  readonly wash: {
    readonly applies: boolean;
    readonly washed: string;
    readonly denied: string;
    readonly purchases: { date: string; account: string }[];
    readonly safeToSellOn: string | null;
    readonly safeToRebuyOn: string | null;
  };
}
interface HarvestResponse {
  readonly asOf: string;
  readonly realized: { gain: string };
  readonly losses: { short: string; long: string; lots: number; unvalued: number };
  readonly data: Lot[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: testClock('2025-06-15T12:00:00Z') });
});
afterAll(() => app.close());

const harvest = (who: TestClient, query = '?year=2025'): Promise<HarvestResponse> =>
  who.json<HarvestResponse>('GET', `/v1/tax/harvest${query}`);

describe('losses that could be harvested', () => {
  test("are lots below their basis at the price of the taxpayer's last trade, largest first", async () => {
    const who = await app.register();
    const rows = ['buy 2024-07-01 10 DOWN @1000 #b1', 'buy 2025-01-02 1 UP @10 #b2', 'buy 2025-01-03 5 DOWN @450 #b3'];
    await importCsv(who, csvOf(...rows, 'sell 2025-03-03 1 DOWN @60 #s1', 'sell 2025-03-04 1 UP @20 #s2'));
    const answer = await harvest(who);
    expect(answer.asOf).toBe('2025-06-15');
    expect(answer.data.map((lot) => [lot.asset, lot.gain, lot.term, lot.daysToLongTerm])).toEqual([
      ['DOWN', '-360.00', 'short', 17],
      ['DOWN', '-150.00', 'short', 203],
    ]);
    expect(answer.data[0]?.valuedBy).toMatchObject({ source: 'transaction', date: '2025-03-03', unit: '60.00' });
    expect(answer.losses).toEqual({ short: '-510.00', long: '0.00', lots: 2, unvalued: 0 });
    expect(answer.realized.gain).toBe('-30.00');
  });

  test('list purchases within 30 days, including in an IRA, and the day on which selling and rebuying is safe', async () => {
    const who = await app.register();
    const old = 'buy 2024-01-02 10 WASH @1000 !Broker #b1';
    await importCsv(who, csvOf(old, 'buy 2025-06-01 4 WASH @200 !Broker #b2', 'buy 2025-05-20 1 WASH @50 !Mine #b3'));
    await elect(who, { accounts: { Mine: { type: 'ira' } } });
    const { data } = await harvest(who);
    expect(data.map((lot) => [lot.asset, lot.account, lot.gain])).toEqual([['WASH', 'Broker', '-500.00']]);
    expect(data[0]?.wash).toMatchObject({
      applies: true,
      washed: '5',
      denied: '250.00',
      safeToSellOn: '2025-07-02',
      safeToRebuyOn: '2025-07-16',
    });
    expect(data[0]?.wash.purchases.map(({ date, account }) => `${date} ${account}`).sort()).toEqual([
      '2025-05-20 Mine',
      '2025-06-01 Broker',
    ]);
  });

  test('ignore purchases that the settings exclude, and purchases that another loss has used up', async () => {
    const who = await app.register();
    const rows = ['buy 2024-01-02 10 LEFT @1000 !Broker #b1', 'sell 2025-05-30 4 LEFT @200 !Broker #s1'];
    await importCsv(
      who,
      csvOf(...rows, 'buy 2025-06-01 5 LEFT @250 !Broker #b2', 'buy 2025-06-02 3 LEFT @150 !Mine #b3'),
    );
    await elect(who, { accounts: { Mine: { type: 'ira' } } });
    const washed = async (): Promise<unknown> => {
      const { data } = await harvest(who);
      const { wash } = data.find((lot) => lot.gain === '-300.00') ?? { wash: null };
      return [wash?.washed, wash?.purchases.map(({ date, account }) => `${date} ${account}`).sort()];
    };
    expect(await washed()).toEqual(['4', ['2025-06-01 Broker', '2025-06-02 Mine']]);
    await elect(who, { accounts: { Mine: { type: 'ira' } }, washAccounts: ['spouse'] });
    expect(await washed()).toEqual(['1', ['2025-06-01 Broker']]);
  });

  test('count units that were bought and already sold if the settings treat them as replacements', async () => {
    const who = await app.register();
    const rows = ['buy 2024-01-02 10 GONE @1000 #b1', 'buy 2025-06-01 4 GONE @200 #b2'];
    await importCsv(who, csvOf(...rows, 'sell 2025-06-10 4 GONE @240 #s1'));
    await elect(who, { method: 'LIFO' });
    const wash = async (): Promise<unknown> => (await harvest(who)).data[0]?.wash;
    expect(await wash()).toMatchObject({ washed: '0', purchases: [], safeToSellOn: '2025-06-15' });
    await elect(who, { method: 'LIFO', washSoldBefore: 'include' });
    expect(await wash()).toMatchObject({ washed: '4', denied: '160.00', safeToSellOn: '2025-07-02' });
  });

  test('are not washed by the purchase of the same units, and crypto losses are never washed', async () => {
    const who = await app.register();
    const coin = 'date,type,account,asset,quantity,amount,asset_class\n';
    await importCsv(who, csvOf('buy 2025-06-01 4 SAME @400 #b1', 'sell 2025-06-02 1 SAME @50 #s1'));
    await importCsv(who, `${coin}2025-06-01,buy,X,BTC,2,200,crypto\n2025-06-03,sell,X,BTC,1,50,crypto\n`);
    const { data } = await harvest(who);
    const same = data.find((lot) => lot.asset === 'SAME');
    expect(same?.wash).toMatchObject({ applies: true, washed: '0', safeToSellOn: '2025-06-15' });
    expect(data.find((lot) => lot.asset === 'BTC')?.wash).toMatchObject({ applies: false, safeToRebuyOn: null });
  });

  test('are unknown for a lot without a price, which is listed last as unvalued', async () => {
    const who = await app.register();
    const header = 'date,type,account,asset,quantity,acquired,basis\n';
    await importCsv(who, `${header}2025-01-02,opening_lot,A,ODD,3,2020-02-02,900\n`);
    await importCsv(who, csvOf('buy 2024-07-01 2 DOWN @1000 #b1', 'sell 2025-03-03 1 DOWN @60 #s1'));
    const { data, losses } = await harvest(who);
    expect(data.map((lot) => [lot.asset, lot.gain, lot.valuedBy?.source ?? null])).toEqual([
      ['DOWN', '-440.00', 'transaction'],
      ['ODD', null, null],
    ]);
    expect(losses).toMatchObject({ lots: 1, unvalued: 1 });
    const first = await harvest(who, '?year=2025&limit=1');
    const second = await harvest(who, `?year=2025&limit=1&cursor=${first.nextCursor}`);
    expect([first.hasMore, second.hasMore, second.data[0]?.asset]).toEqual([true, false, 'ODD']);
  });

  test('exclude currency, whose loss is ordinary', async () => {
    const who = await app.register();
    const header = 'date,type,account,asset,quantity,amount\n';
    await importCsv(who, `${header}2025-01-02,buy,Bank,EUR,1000,1100\n2025-03-03,sell,Bank,EUR,100,90\n`);
    await importCsv(who, csvOf('buy 2024-07-01 2 DOWN @1000 #b1', 'sell 2025-03-03 1 DOWN @60 #s1'));
    const { data, losses } = await harvest(who);
    expect(data.map(({ asset }) => asset)).toEqual(['DOWN']);
    expect(losses).toMatchObject({ lots: 1, unvalued: 0 });
  });

  test("use an imported price if it is at least as recent as the taxpayer's trades", async () => {
    const who = await app.register();
    await importCsv(who, csvOf('buy 2024-07-01 10 PRICED @1000 #b1'));
    const given = {
      body: 'date,asset,usd\n2025-06-13,PRICED,33.333333333333333333\n',
      headers: { 'content-type': 'text/csv' },
    };
    await who.json('POST', '/v1/prices', given);
    const { data } = await harvest(who);
    expect(data[0]).toMatchObject({
      gain: '-666.67',
      valuedBy: { source: 'price', date: '2025-06-13', unit: '33.33333333' },
    });
    await importCsv(who, csvOf('sell 2025-06-14 1 PRICED @50 #s1'));
    expect((await harvest(who)).data[0]).toMatchObject({ gain: '-450.00', valuedBy: { source: 'transaction' } });
  });

  test('do not use a price from before a split', async () => {
    const who = await app.register();
    const header = 'date,type,account,asset,quantity,amount,ratio\n';
    await importCsv(who, `${header}2024-07-01,buy,A,CUT,10,1000,\n2025-02-03,split,,CUT,,,10:1\n`);
    expect((await harvest(who)).data.map((lot) => [lot.asset, lot.gain])).toEqual([['CUT', null]]);
  });
});
