/**
 * The subject of a price: a currency, a coin or a security. A coin and a security with the same name have separate
 * prices.
 */
export type PricedKind = 'currency' | 'coin' | 'security';

interface PriceSourceRow {
  /** Null if the source has prices of any kind. */
  readonly kind: PricedKind | null;
  /** A description of the time that the prices are for. */
  readonly time: string;
}

const meanOfDay = 'mean of the high and the low of the day in UTC';

/** The price sources, by the names in the database. */
const priceSources = {
  own: { kind: null, time: 'as entered' },
  ecb: { kind: 'currency', time: 'reference rate of the day, set about 2:15 PM Central European Time' },
  kraken: { kind: 'coin', time: meanOfDay },
  coinbase: { kind: 'coin', time: meanOfDay },
  coingecko: { kind: 'coin', time: 'the first price of the day, at midnight UTC' },
  tiingo: { kind: 'security', time: 'mean of the high and the low of the trading day, as traded' },
} as const satisfies Readonly<Record<string, PriceSourceRow>>;

export type PriceSource = keyof typeof priceSources;

/** Returns the sources that may have prices of this kind. Empty if the kind is null. */
export function listPriceSources(kind: PricedKind | null): PriceSource[] {
  const names = Object.keys(priceSources) as PriceSource[];
  return kind === null ? [] : names.filter((name) => priceSources[name].kind === kind);
}

/** Returns the kind of price that values the assets of a book. */
export function kindOfKey(key: string): PricedKind | null {
  return key.startsWith('coin:') ? 'coin' : key.startsWith('security:') ? 'security' : null;
}

export function getPriceTime(source: string): string {
  return Object.hasOwn(priceSources, source) ? priceSources[source as PriceSource].time : '';
}
