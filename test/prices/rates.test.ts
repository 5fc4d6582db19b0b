import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { insertSharedPrices } from '../../src/features/ledger/prices/prices.queries.ts';
import { parseEcbRates } from '../../src/features/ledger/prices/providers/ecb.ts';
import { getRateProvider, keepFresh, refreshRates } from '../../src/features/ledger/prices/refresh.ts';
import { recompute } from '../../src/features/ledger/recompute/recompute.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchAll, importCsv } from '../support/books.ts';

const xml = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject>
  <Cube>
    <Cube time="2025-03-07"><Cube currency="USD" rate="1.08"/><Cube currency="GBP" rate="0.84"/><Cube currency="JPY" rate="160"/></Cube>
    <Cube time='2025-03-03'>
      <Cube currency='USD' rate='1.05'/>
    </Cube>
  </Cube>
</gesmes:Envelope>`;

let app: TestApp;
let bank: ReturnType<typeof Bun.serve>;
let asked = 0;
let answer: () => Response = () => new Response(xml);
beforeAll(async () => {
  bank = Bun.serve({
    port: 0,
    fetch: () => {
      asked += 1;
      return answer();
    },
  });
  app = await testApp({ env: { ECB_RATES_URL: `http://localhost:${bank.port}/eurofxref.xml` } });
});
afterAll(async () => {
  await bank.stop(true);
  await app.close();
});

test('European Central Bank rates are dollars per unit, exact to 18 decimals', () => {
  expect(parseEcbRates(xml)).toEqual([
    { asset: 'EUR', day: '2025-03-07', usd: '1.08' },
    { asset: 'GBP', day: '2025-03-07', usd: '1.285714285714285714' },
    { asset: 'JPY', day: '2025-03-07', usd: '0.00675' },
    { asset: 'EUR', day: '2025-03-03', usd: '1.05' },
  ]);
  expect(() => parseEcbRates('<html>gone</html>')).toThrow();
});

test('no provider is queried by default', async () => {
  const unchanged = await testApp();
  expect(getRateProvider(unchanged.deps)).toBeNull();
  keepFresh(unchanged.deps, recompute)();
  expect(asked).toBe(0);
  await unchanged.close();
});

describe('a configured provider', () => {
  const refresh = (): Promise<number> => {
    const provider = getRateProvider(app.deps);
    if (provider === null) throw new Error('None is configured.');
    return refreshRates(app.deps, recompute, provider, AbortSignal.timeout(5000));
  };

  test('is queried once for all taxpayers, and the books that wait for rates are updated', async () => {
    const who = await app.register();
    const rows = '2025-03-03,buy,D,SAP,10,1000,EUR\n2025-03-10,sell,D,SAP,10,1200,EUR\n';
    await importCsv(who, `date,type,account,asset,quantity,amount,currency\n${rows}`);
    expect(await refresh()).toBe(4);
    expect(await fetchAll<object>(who, '/v1/tax/disposals')).toMatchObject([{ proceeds: '1296.00', basis: '1050.00' }]);
    expect(await refresh()).toBe(0);
    const listed = await fetchAll<{ asset: string; source: string }>(who, '/v1/prices?source=shared');
    expect(listed.map(({ asset, source }) => `${asset} ${source}`)).toEqual([
      'EUR ecb',
      'EUR ecb',
      'GBP ecb',
      'JPY ecb',
    ]);
    const own = { body: 'date,asset,usd\n2025-03-07,EUR,1.5\n', headers: { 'content-type': 'text/csv' } };
    await who.json('POST', '/v1/prices', own);
    expect(await fetchAll<object>(who, '/v1/tax/disposals')).toMatchObject([{ proceeds: '1800.00' }]);
  });

  test('leaves no question about euros in a Kraken ledger, in any order', async () => {
    const before = await app.register();
    const after = await app.register();
    const ledger = `"txid","refid","time","type","subtype","aclass","asset","wallet","amount","fee","balance"
"L1","RD","2025-03-03 09:00:00","deposit","","currency","ZEUR","spot / main",5000,0,5000
"L2","RB","2025-03-03 10:00:00","trade","tradespot","currency","ZEUR","spot / main",-2000,5.2,2994.8
"L3","RB","2025-03-03 10:00:00","trade","tradespot","currency","XXBT","spot / main",0.05,0,0.05
"L4","RP","2025-03-08 11:00:00","spend","","currency","EUR","spot / main",-500,2.5,2492.3
"L5","RP","2025-03-08 11:00:00","receive","","currency","XETH","spot / main",0.2,0.001,0.199
"L6","RS","2025-03-09 12:00:00","trade","tradespot","currency","XETH","spot / main",-0.1,0,0.099
"L7","RS","2025-03-09 12:00:00","trade","tradespot","currency","ZEUR","spot / main",280,0.73,2771.57
"L8","RE","2025-03-09 13:00:00","earn","reward","currency","EUR.M","earn / flexible",1.5,0.1,1.4
"L9","RW","2025-03-10 08:00:00","withdrawal","","currency","ZEUR","spot / main",-1000,1,1770.57
`;
    await app.books.asOwner((sql) => sql`delete from shared_prices`);
    await importCsv(before, ledger);
    expect(await fetchAll(before, '/v1/tax/issues')).not.toEqual([]);
    await refresh();
    await importCsv(after, ledger);
    const [first, second] = await Promise.all([before, after].map((who) => fetchAll<object>(who, '/v1/tax/disposals')));
    expect(first).toMatchObject([{ asset: 'ETH', proceeds: '301.61', basis: '272.71' }]);
    expect(second).toMatchObject([{ asset: 'ETH', proceeds: '301.61', basis: '272.71' }]);
    for (const who of [before, after]) expect(await fetchAll(who, '/v1/tax/issues')).toEqual([]);
  });

  test('values a fee in euros at the last rate before a weekend, as imported rates do', async () => {
    const who = await app.register();
    const header = 'date,type,account,asset,quantity,amount,fee_asset,fee_quantity\n';
    await importCsv(who, `${header}2025-03-03,buy,W,X,2,100,,\n2025-03-08,sell,W,X,1,200,EUR,10\n`);
    const fetchSale = async (client: TestClient) =>
      (await fetchAll<{ asset: string }>(client, '/v1/tax/disposals')).find((line) => line.asset === 'X');
    expect(await fetchSale(who)).toMatchObject({ proceeds: '189.20' });
    await app.books.asOwner((sql) => sql`delete from shared_prices`);
    const late = await app.register();
    await importCsv(late, `${header}2025-03-03,buy,W,X,2,100,,\n2025-03-08,sell,W,X,1,200,EUR,10\n`);
    expect(await fetchAll(late, '/v1/tax/issues')).not.toEqual([]);
    await refresh();
    expect(await fetchSale(late)).toMatchObject({ proceeds: '189.20' });
  });

  test('values waiting rows at its next response, even if no rate is new', async () => {
    const who = await app.register();
    await app.books.asOwner((sql) => sql`delete from shared_prices`);
    await importCsv(who, 'date,type,account,asset,quantity,amount,currency\n2025-03-03,buy,D,SAP,10,1000,EUR\n');
    // This is the state after a stop between storing the rates and computing the books.
    await app.books.asOwner((sql) => insertSharedPrices(sql, 'ecb', parseEcbRates(xml), new Date(0)));
    expect(await fetchAll(who, '/v1/tax/issues')).toHaveLength(1);
    expect(await refresh()).toBe(0);
    expect(await fetchAll(who, '/v1/tax/issues')).toEqual([]);
  });

  test('changes nothing if it fails', async () => {
    answer = () => new Response('down', { status: 503 });
    await expect(refresh()).rejects.toThrow('503');
    answer = () => new Response('<html/>');
    await expect(refresh()).rejects.toThrow();
  });
});
