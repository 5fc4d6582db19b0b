import { type Day, formatDay } from '../../../../base/day.ts';
import { divideRounded, formatQuantity, type Quantity } from '../../../../base/decimal.ts';
import type { PriceQuote } from '../prices.queries.ts';
import { exactJson, parseJsonPrice } from './exact-json.ts';
import { type DaySpan, type PriceProvider, ProviderFault } from './provider.ts';
import { requestText } from './request.ts';

const coinName = /^[A-Za-z0-9.]{1,20}$/;
const secondsPerDay = 86_400;
const sends = 'names of coins, and the first and last day of a span';

/** Reads public daily candles from Kraken, `https://api.kraken.com`. They cover only the last 720 days. */
export function krakenPrices(base: string): PriceProvider {
  return {
    ...{ source: 'kraken', kind: 'coin', host: new URL(base).host, sends },
    daysMax: 720,
    pauseMilliseconds: 1_000,
    read: async (asset, days, signal) => {
      if (!coinName.test(asset)) return [];
      const url = buildProviderUrl(base, '/0/public/OHLC', {
        pair: `${krakenNames.get(asset) ?? asset}USD`,
        interval: '1440',
        // One second earlier, because Kraken returns candles later than `since`.
        since: String(days.first * secondsPerDay - 1),
      });
      const text = await requestText(url, {}, signal);
      const { error, result } = toObject(text === null ? {} : exactJson(text));
      if (Array.isArray(error) && error.length > 0) {
        if (error.some((one) => String(one).startsWith('EQuery:'))) return [];
        throw new ProviderFault('Kraken refused the request.', true);
      }
      const [candles] = Object.entries(toObject(result)).flatMap(([name, value]) => (name === 'last' ? [] : [value]));
      return parseCandles(asset, days, candles, { high: 2, low: 3 });
    },
  };
}

const krakenNames: ReadonlyMap<string, string> = new Map([
  ['BTC', 'XBT'],
  ['DOGE', 'XDG'],
]);

/** Reads public daily candles from Coinbase, `https://api.exchange.coinbase.com`. */
export function coinbasePrices(base: string): PriceProvider {
  return {
    ...{ source: 'coinbase', kind: 'coin', host: new URL(base).host, sends },
    daysMax: 300,
    pauseMilliseconds: 250,
    read: async (asset, days, signal) => {
      if (!coinName.test(asset)) return [];
      const url = buildProviderUrl(base, `/products/${encodeURIComponent(asset)}-USD/candles`, {
        granularity: String(secondsPerDay),
        start: `${formatDay(days.first)}T00:00:00Z`,
        end: `${formatDay(days.last)}T00:00:00Z`,
      });
      const text = await requestText(url, {}, signal);
      return text === null ? [] : parseCandles(asset, days, exactJson(text), { low: 1, high: 2 });
    },
  };
}

/** Parses candles `[seconds, …]` and returns one price for each requested day. */
function parseCandles(
  asset: string,
  { first, last }: DaySpan,
  candles: unknown,
  bounds: { readonly high: number; readonly low: number },
): PriceQuote[] {
  if (!Array.isArray(candles)) throw new ProviderFault('The response contains no candles.', true);
  return candles.flatMap((candle: unknown) => {
    const cells = Array.isArray(candle) ? candle : [];
    const day = Math.floor(Number(cells[0]) / secondsPerDay) as Day;
    const usd = computeMeanPrice(parseJsonPrice(cells[bounds.high]), parseJsonPrice(cells[bounds.low]));
    if (usd === undefined || !(day >= first && day <= last)) return [];
    return [{ asset, day: formatDay(day), usd }];
  });
}

/** Returns the mean of the highest and lowest price of the day (26 CFR 25.2512-2(b)(1)). */
export function computeMeanPrice(high: Quantity | undefined, low: Quantity | undefined): string | undefined {
  if (high === undefined || low === undefined || low > high) return undefined;
  const mean = divideRounded(high + low, 2n) as Quantity;
  return mean > 0n ? formatQuantity(mean) : undefined;
}

/** Appends the path to the path of the base URL. */
export function buildProviderUrl(base: string, path: string, query: Readonly<Record<string, string>>): URL {
  const url = new URL(base.replace(/\/+$/, '') + path);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

export function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
