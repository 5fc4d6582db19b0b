import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ratesOf } from '../../src/features/prices/ecb.ts';
import { keepFresh, providerOf, refreshRates } from '../../src/features/prices/refresh.ts';
import { recompute } from '../../src/features/recompute/recompute.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { allOf, importCsv } from '../support/books.ts';

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

test('rates of the European Central Bank are dollars per unit, exact to 18 decimals', () => {
  expect(ratesOf(xml)).toEqual([
    { asset: 'EUR', day: '2025-03-07', usd: '1.08' },
    { asset: 'GBP', day: '2025-03-07', usd: '1.285714285714285714' },
    { asset: 'JPY', day: '2025-03-07', usd: '0.00675' },
    { asset: 'EUR', day: '2025-03-03', usd: '1.05' },
  ]);
  expect(() => ratesOf('<html>gone</html>')).toThrow();
});

test('nobody is asked by default', async () => {
  const unchanged = await testApp();
  expect(providerOf(unchanged.deps)).toBeNull();
  keepFresh(unchanged.deps, recompute)();
  expect(asked).toBe(0);
  await unchanged.close();
});

describe('a provider that is configured', () => {
  const refresh = (): Promise<number> => {
    const provider = providerOf(app.deps);
    if (provider === null) throw new Error('None is configured.');
    return refreshRates(app.deps, recompute, provider, AbortSignal.timeout(5000));
  };

  test('is asked once for all, and the books of those who wait follow', async () => {
    const who = await app.register();
    const rows = '2025-03-03,buy,D,SAP,10,1000,EUR\n2025-03-10,sell,D,SAP,10,1200,EUR\n';
    await importCsv(who, `date,type,account,asset,quantity,amount,currency\n${rows}`);
    expect(await refresh()).toBe(4);
    expect(await allOf<object>(who, '/v1/tax/disposals')).toMatchObject([{ proceeds: '1296.00', basis: '1050.00' }]);
    expect(await refresh()).toBe(0);
    const listed = await allOf<{ asset: string; source: string }>(who, '/v1/prices?source=shared');
    expect(listed.map(({ asset, source }) => `${asset} ${source}`)).toEqual([
      'EUR ecb',
      'EUR ecb',
      'GBP ecb',
      'JPY ecb',
    ]);
    const own = { body: 'date,asset,usd\n2025-03-07,EUR,1.5\n', headers: { 'content-type': 'text/csv' } };
    await who.json('POST', '/v1/prices', own);
    expect(await allOf<object>(who, '/v1/tax/disposals')).toMatchObject([{ proceeds: '1800.00' }]);
  });

  test('that fails changes nothing', async () => {
    answer = () => new Response('down', { status: 503 });
    await expect(refresh()).rejects.toThrow('503');
    answer = () => new Response('<html/>');
    await expect(refresh()).rejects.toThrow();
  });
});
