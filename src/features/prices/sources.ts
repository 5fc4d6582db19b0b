/** What a price is of: money, a coin, or a security. Two things of one name have prices of their own. */
export type PricedKind = 'currency' | 'coin' | 'security';

interface PriceSourceRow {
  /** Null: of anything. */
  readonly kind: PricedKind | null;
  /** The time that a price of it stands for. */
  readonly time: string;
}

const meanOfDay = 'mean of the high and the low of the day in UTC';

/** Where prices come from, by the name that the books keep. */
export const priceSources = {
  own: { kind: null, time: 'as it was given' },
  ecb: { kind: 'currency', time: 'reference rate of the day, set about 14:15 Central European Time' },
  kraken: { kind: 'coin', time: meanOfDay },
  coinbase: { kind: 'coin', time: meanOfDay },
  coingecko: { kind: 'coin', time: 'the first of the day, at 00:00 UTC' },
  tiingo: { kind: 'security', time: 'mean of the high and the low of the trading day, as traded' },
} as const satisfies Readonly<Record<string, PriceSourceRow>>;

export type PriceSource = keyof typeof priceSources;

/** The providers whose prices can be of such a thing; of anything else there are none. */
export function sourcesOf(kind: PricedKind | null): PriceSource[] {
  const names = Object.keys(priceSources) as PriceSource[];
  return kind === null ? [] : names.filter((name) => priceSources[name].kind === kind);
}

/** What a book of that key is of. */
export function kindOfKey(key: string): PricedKind | null {
  return key.startsWith('coin:') ? 'coin' : key.startsWith('security:') ? 'security' : null;
}

export function timeOf(source: string): string {
  return Object.hasOwn(priceSources, source) ? priceSources[source as PriceSource].time : '';
}
