/** The subject of a price: money, a coin, or a security. Two things with the same name have separate prices. */
export type PricedKind = 'currency' | 'coin' | 'security';

interface PriceSourceRow {
  /** Null for any. */
  readonly kind: PricedKind | null;
  /** The time that its prices refer to. */
  readonly time: string;
}

const meanOfDay = 'mean of the high and the low of the day in UTC';

/** The sources of prices, by their names in the books. */
export const priceSources = {
  own: { kind: null, time: 'as entered' },
  ecb: { kind: 'currency', time: 'reference rate of the day, set about 2:15 PM Central European Time' },
  kraken: { kind: 'coin', time: meanOfDay },
  coinbase: { kind: 'coin', time: meanOfDay },
  coingecko: { kind: 'coin', time: 'the first price of the day, at midnight UTC' },
  tiingo: { kind: 'security', time: 'mean of the high and the low of the trading day, as traded' },
} as const satisfies Readonly<Record<string, PriceSourceRow>>;

export type PriceSource = keyof typeof priceSources;

/** Returns the providers that can price such a thing; empty for anything else. */
export function listPriceSources(kind: PricedKind | null): PriceSource[] {
  const names = Object.keys(priceSources) as PriceSource[];
  return kind === null ? [] : names.filter((name) => priceSources[name].kind === kind);
}

/** Returns the subject of a book's prices. */
export function kindOfKey(key: string): PricedKind | null {
  return key.startsWith('coin:') ? 'coin' : key.startsWith('security:') ? 'security' : null;
}

export function getPriceTime(source: string): string {
  return Object.hasOwn(priceSources, source) ? priceSources[source as PriceSource].time : '';
}
