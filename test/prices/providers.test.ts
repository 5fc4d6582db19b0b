import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Day, parseDay } from '../../src/base/day.ts';
import { formatQuantity } from '../../src/base/decimal.ts';
import type { Deps, LogFields } from '../../src/deps.ts';
import { keepRequesting, listPriceProviders, PriceRequester } from '../../src/features/ledger/prices/price-requests.ts';
import { coinbasePrices, krakenPrices } from '../../src/features/ledger/prices/providers/candles.ts';
import { exactJson, parseJsonPrice } from '../../src/features/ledger/prices/providers/exact-json.ts';
import { coingeckoPrices, tiingoPrices } from '../../src/features/ledger/prices/providers/keyed.ts';
import { requestText } from '../../src/features/ledger/prices/providers/request.ts';
import { recompute } from '../../src/features/ledger/recompute/recompute.ts';
import { type TestApp, testApp, testClock } from '../support/app.ts';
import { fetchAll, importCsv } from '../support/books.ts';

/** A stand-in on this machine for every service. */
let service: ReturnType<typeof Bun.serve>;
let asked: { path: string; headers: Headers }[] = [];
let answer: (url: URL) => Response | Promise<Response> = () => new Response('', { status: 500 });
let base = '';
beforeAll(() => {
  service = Bun.serve({
    port: 0,
    fetch: (request) => {
      const url = new URL(request.url);
      asked.push({ path: url.pathname + url.search, headers: request.headers });
      return answer(url);
    },
  });
  base = `http://localhost:${service.port}`;
});
afterAll(() => service.stop(true));
beforeEach(() => {
  asked = [];
});

const on = (text: string): Day => parseDay(text) as Day;
const days = { first: on('2025-01-05'), last: on('2025-01-07') };
const at = (text: string): number => Date.parse(`${text}T00:00:00Z`) / 1000;
const signal = (): AbortSignal => AbortSignal.timeout(20_000);
const quick = { attempts: 3, waitMilliseconds: 1, timeoutMilliseconds: 300, bytesMax: 1_000 };

describe('daily prices', () => {
  test("Kraken's prices are the mean of high and low on each requested day", async () => {
    const rows = [
      [at('2025-01-04'), '1', '9', '7', '1', '1', '1', 1],
      [at('2025-01-05'), '97000.0', '98800.1', '97200.2', '98300.0', '98000.0', '100.5', 320],
      [at('2025-01-07'), '1', '0.00000003', '0.00000002', '1', '1', '1', 1],
      [at('2025-01-08'), '1', '9', '7', '1', '1', '1', 1],
    ];
    answer = () => Response.json({ error: [], result: { XXBTZUSD: rows, last: at('2025-01-08') } });
    expect(await krakenPrices(base).read('BTC', days, signal())).toEqual([
      { asset: 'BTC', day: '2025-01-05', usd: '98000.15' },
      { asset: 'BTC', day: '2025-01-07', usd: '0.000000025' },
    ]);
    expect(asked[0]?.path).toBe(`/0/public/OHLC?pair=XBTUSD&interval=1440&since=${at('2025-01-05') - 1}`);
    answer = () => Response.json({ error: ['EQuery:Unknown asset pair'] });
    expect(await krakenPrices(base).read('NOPE', days, signal())).toEqual([]);
    answer = () => Response.json({ error: ['EAPI:Rate limit exceeded'] });
    await expect(krakenPrices(base).read('BTC', days, signal())).rejects.toThrow('refused');
  });

  test("Coinbase's prices are calculated exactly, to the last digit", async () => {
    answer = () =>
      new Response(`[[${at('2025-01-06')},0.1,0.30000000000000004,0.2,0.2,5.5e3],[${at('2025-01-05')},2,4,3,3,1]]`);
    expect(await coinbasePrices(base).read('ETH', days, signal())).toEqual([
      { asset: 'ETH', day: '2025-01-06', usd: '0.20000000000000002' },
      { asset: 'ETH', day: '2025-01-05', usd: '3' },
    ]);
    expect(asked[0]?.path).toBe(
      '/products/ETH-USD/candles?granularity=86400&start=2025-01-05T00%3A00%3A00Z&end=2025-01-07T00%3A00%3A00Z',
    );
    answer = () => Response.json({ message: 'NotFound' }, { status: 404 });
    expect(await coinbasePrices(base).read('NOPE', days, signal())).toEqual([]);
    answer = () => Response.json({ candles: [] });
    await expect(coinbasePrices(base).read('ETH', days, signal())).rejects.toThrow('no candles');
    expect(await coinbasePrices(base).read('../../admin', days, signal())).toEqual([]);
  });

  test("CoinGecko's prices are requested with the key, except for a symbol that several coins share", async () => {
    const coins = [
      { id: 'one', symbol: 'uno' },
      { id: 'a', symbol: 'dup' },
      { id: 'b', symbol: 'dup' },
    ];
    answer = ({ pathname }) =>
      pathname.endsWith('/list')
        ? Response.json(coins)
        : new Response('{"market_data":{"current_price":{"usd":1.5e-7}}}');
    const provider = coingeckoPrices({ baseUrl: `${base}/api/v3`, apiKey: 'secret' });
    expect(await provider.read('UNO', days, signal())).toEqual([
      { asset: 'UNO', day: '2025-01-05', usd: '0.00000015' },
    ]);
    expect(await provider.read('DUP', days, signal())).toEqual([]);
    expect(await provider.read('BTC', days, signal())).toHaveLength(1);
    expect(asked.map(({ path }) => path)).toEqual([
      '/api/v3/coins/list',
      '/api/v3/coins/one/history?date=05-01-2025&localization=false',
      '/api/v3/coins/bitcoin/history?date=05-01-2025&localization=false',
    ]);
    expect(asked.every(({ headers }) => headers.get('x-cg-demo-api-key') === 'secret')).toBe(true);
  });

  test("Tiingo's prices are unadjusted, and are requested with the key", async () => {
    const row = { date: '2025-01-06T00:00:00.000Z', high: 62.5, low: 61.5, adjHigh: 6, adjLow: 5 };
    answer = () => Response.json([row, { ...row, date: '2025-02-01T00:00:00.000Z' }]);
    const provider = tiingoPrices({ baseUrl: base, apiKey: 'secret' });
    expect(await provider.read('BRK.B', days, signal())).toEqual([{ asset: 'BRK.B', day: '2025-01-06', usd: '62' }]);
    expect(asked[0]?.path).toBe('/tiingo/daily/brk-b/prices?startDate=2025-01-05&endDate=2025-01-07');
    expect(asked[0]?.headers.get('authorization')).toBe('Token secret');
  });

  test('keep the digits of numbers, strings and exponents', () => {
    expect(exactJson('{"a":[1.10,-2e3,"3 \\" 4"]}')).toEqual({ a: ['1.10', '-2e3', '3 " 4'] });
    const texts = ['1e3', '1.5E-7', '0012.50', '123456789.123456789123456789', '12.5e1', '0', '-1', 'NaN', '1e999'];
    expect(
      texts.map((text) => parseJsonPrice(text)).map((price) => (price === undefined ? null : formatQuantity(price))),
    ).toEqual(['1000', '0.00000015', '12.5', '123456789.123456789123456789', '125', null, null, null, null]);
  });
});

describe('a request', () => {
  const ask = (limits = quick) => requestText(new URL(base), {}, signal(), limits);

  test('is retried at most three times if it fails temporarily', async () => {
    let left = 2;
    answer = () => (left-- > 0 ? new Response('', { status: 503 }) : new Response('ok'));
    expect(await ask()).toBe('ok');
    expect(asked).toHaveLength(3);
    left = 9;
    await expect(ask()).rejects.toThrow('503');
    expect(asked).toHaveLength(6);
  });

  test('is not retried if it is redirected, refused or rate limited', async () => {
    for (const status of [301, 302, 307, 401, 403, 429]) {
      asked = [];
      answer = () => new Response('', { status, headers: { location: `${base}/elsewhere` } });
      await expect(ask()).rejects.toThrow(String(status));
      expect(asked).toHaveLength(1);
    }
  });

  test('is aborted if it takes too long or the response is too large', async () => {
    answer = async () => {
      await Bun.sleep(2_000);
      return new Response('late');
    };
    await expect(ask({ ...quick, attempts: 1, timeoutMilliseconds: 50 })).rejects.toThrow();
    answer = () => new Response('x'.repeat(1_001));
    await expect(ask()).rejects.toThrow('too large');
    const nobody = new URL('http://localhost:1');
    await expect(requestText(nobody, {}, signal(), quick)).rejects.toThrow();
  });
});

describe('books that lack prices', () => {
  let app: TestApp;
  const clock = testClock('2025-06-01T12:00:00Z');
  const logged: { event: string; fields: LogFields }[] = [];
  const note = (event: string, fields: LogFields = {}): void => {
    logged.push({ event, fields });
  };
  beforeAll(async () => {
    const log = { info: note, warn: note, error: () => {} };
    app = await testApp({
      env: { KRAKEN_PRICES_URL: base, TIINGO_PRICES_URL: base, TIINGO_API_KEY: 'secret' },
      clock,
      log,
    });
  });
  afterAll(() => app.close());
  beforeEach(() => {
    logged.length = 0;
  });

  const header = 'date,type,account,asset,quantity,amount,asset_class\n';
  const candle = (day: string, price: string) => [at(day), price, price, price, price, price, '1', 1];
  const askerOf = (deps: Deps): PriceRequester => new PriceRequester(deps, recompute, listPriceProviders(deps));
  const respond = ({ pathname }: URL): Response =>
    pathname.startsWith('/tiingo')
      ? Response.json([{ date: '2025-03-03T00:00:00.000Z', high: 11, low: 9 }])
      : Response.json({
          error: [],
          result: { PAIR: [candle('2025-03-03', '2000'), candle('2025-03-04', '2100')], last: 1 },
        });

  test('are valued with the results, and the log shows each query once before it is sent', async () => {
    answer = respond;
    const who = await app.register();
    const rows = [
      '2025-03-03,staking,W,COMP,2,,crypto',
      '2025-03-04,staking,W,COMP,1,,crypto',
      '2025-03-03,reward,B,COMP,1,,stock',
    ];
    await importCsv(
      who,
      `${header}${rows.join('\n')}\n2025-06-01,staking,W,COMP,1,,crypto\n2025-03-03,reward,W,BAD,1,,nft\n`,
    );
    const asker = askerOf(app.deps);
    await asker.look(signal());
    expect(asked.map(({ path }) => path)).toEqual([
      `/0/public/OHLC?pair=COMPUSD&interval=1440&since=${at('2025-03-03') - 1}`,
      '/tiingo/daily/comp/prices?startDate=2025-03-03&endDate=2025-03-03',
    ]);
    const summary = await who.json<{ income: { type: string; amount: string }[] }>('GET', '/v1/tax/summary?year=2025');
    expect(summary.income).toMatchObject([
      { type: 'reward', amount: '10.00' },
      { type: 'staking', amount: '6100.00' },
    ]);
    expect(logged.filter(({ event }) => event === 'prices are asked').map(({ fields }) => fields.source)).toEqual([
      'kraken',
      'tiingo',
    ]);
    expect(logged[0]?.fields).toMatchObject({
      host: new URL(base).host,
      sends: expect.stringContaining('names of coins'),
    });
    await asker.look(signal());
    expect(asked).toHaveLength(2);
    const needed = await (await who.request('GET', '/v1/prices/needed')).text();
    expect(needed).toContain('2025-03-03,BAD');
    expect(needed).toContain('2025-06-01,COMP');
  });

  test('show in the explanation of a line where a price came from and its time', async () => {
    answer = respond;
    const who = await app.register();
    await importCsv(who, `${header}2025-03-03,staking,W,ZEN,1,,crypto\n2025-03-05,sell,W,ZEN,1,2500,crypto\n`);
    await askerOf(app.deps).look(signal());
    const [line] = await fetchAll<{ id: string; basis: string }>(who, '/v1/tax/disposals');
    expect(line?.basis).toBe('2000.00');
    const explained = await who.json<{ sources: { role: string; prices: object[] }[] }>(
      'GET',
      `/v1/tax/disposals/${line?.id}/explain`,
    );
    expect(explained.sources.find(({ role }) => role === 'lot')?.prices).toEqual([
      {
        ...{ figure: 'amount', asset: 'ZEN', date: '2025-03-03', usd: '2000', source: 'kraken' },
        time: 'mean of the high and the low of the day in UTC',
      },
    ]);
  });

  test('wait a quarter of an hour after an error, and a day if there is no price', async () => {
    answer = () => new Response('', { status: 429 });
    const who = await app.register();
    await importCsv(who, `${header}2025-03-03,staking,W,KAVA,1,,crypto\n2025-03-03,staking,W,RUNE,1,,crypto\n`);
    const asker = askerOf(app.deps);
    await asker.look(signal());
    await asker.look(signal());
    expect(asked).toHaveLength(1);
    expect(logged.at(-1)).toMatchObject({ event: 'no prices', fields: { source: 'kraken' } });
    clock.move(15 * 60_000);
    answer = () => Response.json({ error: ['EQuery:Unknown asset pair'] });
    asked = [];
    await asker.look(signal());
    const first = asked.length;
    expect(first).toBeGreaterThanOrEqual(2);
    await asker.look(signal());
    expect(asked).toHaveLength(first);
    clock.move(86_400_000);
    answer = respond;
    await asker.look(signal());
    expect(asked.length).toBeGreaterThan(first);
    expect(await fetchAll(who, '/v1/tax/issues')).toEqual([]);
  });

  test('query no provider by default', async () => {
    const unchanged = await testApp();
    expect(listPriceProviders(unchanged.deps)).toEqual([]);
    keepRequesting(unchanged.deps, recompute)();
    expect(asked).toEqual([]);
    await unchanged.close();
  });
});

test('OPERATIONS.md lists what each price provider receives', () => {
  const page = readFileSync(join(import.meta.dir, '..', '..', '.github', 'OPERATIONS.md'), 'utf8').replaceAll(
    /\s+/g,
    ' ',
  );
  const key = { baseUrl: base, apiKey: 'secret' };
  for (const { sends } of [krakenPrices(base), coinbasePrices(base), coingeckoPrices(key), tiingoPrices(key)]) {
    expect(page).toContain(sends);
  }
});
