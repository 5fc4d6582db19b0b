import { parseDay } from '../../../../base/day.ts';
import { divideRounded, formatQuantity, parseQuantity, type Quantity } from '../../../../base/decimal.ts';
import type { PriceQuote } from '../prices.queries.ts';
import { requestLimits, requestText } from './request.ts';

/** A publisher of exchange rates. */
export interface RateProvider {
  /** The name of the source in the books. */
  readonly source: string;
  read(signal: AbortSignal): Promise<PriceQuote[]>;
}

const bytesMax = 32 * 1024 ** 2;
const timeoutMilliseconds = 30_000;

/**
 * Reads the euro foreign exchange reference rates of the European Central Bank from `eurofxref-daily.xml`, `-hist-90d`
 * or `-hist`.
 */
export function ecbRates(url: string): RateProvider {
  return {
    source: 'ecb',
    read: async (signal) => {
      const limits = { ...requestLimits, timeoutMilliseconds, bytesMax };
      const xml = await requestText(new URL(url), { accept: 'application/xml' }, signal, limits);
      if (xml === null) throw new Error('There are no rates at that address.');
      return parseEcbRates(xml);
    },
  };
}

/**
 * Parses ECB rates. Returns the value of one unit of each currency in dollars: dollars per euro divided by units per
 * euro, to 18 decimals.
 */
export function parseEcbRates(xml: string): PriceQuote[] {
  const rates: PriceQuote[] = [];
  for (const [, time = '', cubes = ''] of xml.matchAll(/<Cube\s+time=["']([\d-]+)["']\s*>([\s\S]*?)<\/Cube>/g)) {
    if (parseDay(time) === undefined) throw new Error('The file of rates contains an invalid date.');
    const perEuro = new Map<string, bigint>();
    for (const [cube] of cubes.matchAll(/<Cube\s[^>]*>/g)) {
      const currency = /\scurrency=["']([A-Z]{3})["']/.exec(cube)?.[1];
      const rate = parseQuantity(/\srate=["']([\d.]+)["']/.exec(cube)?.[1] ?? '');
      if (currency !== undefined && rate !== undefined && rate > 0n) perEuro.set(currency, rate);
    }
    const dollar = perEuro.get('USD');
    if (dollar === undefined) continue;
    rates.push({ asset: 'EUR', day: time, usd: formatQuantity(dollar as Quantity) });
    for (const [asset, rate] of perEuro) {
      if (asset === 'USD') continue;
      const usd = divideRounded(dollar * 10n ** 18n, rate) as Quantity;
      if (usd > 0n) rates.push({ asset, day: time, usd: formatQuantity(usd) });
    }
  }
  if (rates.length === 0) throw new Error('The file contains no rates.');
  return rates;
}
