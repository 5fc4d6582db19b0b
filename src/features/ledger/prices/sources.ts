import type { Sql } from '../../../db/connection.ts';
import { listOtherNames } from '../../../engine/events/same-assets.ts';
import { selectElections } from '../transactions/transactions.queries.ts';
import { type PriceAsk, type PriceRow, selectPrices } from './prices.queries.ts';

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

/**
 * Selects prices like `selectPrices`, but under every name of a security (`assets[X].sameAs`). The newest price takes
 * precedence, then the taxpayer's own price, then the price under the name in the books.
 */
export async function readPrices(sql: Sql, taxpayerId: string, asks: readonly PriceAsk[]): Promise<PriceRow[]> {
  if (asks.length === 0) return [];
  const { assets } = (await selectElections(sql, taxpayerId)).settings;
  const named = asks.map((ask) => ({ ask, others: listOtherNames(ask.asset, assets) }));
  const others = named.flatMap(({ ask, others: names }) => names.map((asset) => ({ ...ask, asset })));
  const priceRows = await selectPrices(sql, taxpayerId, [...asks, ...others]);
  if (others.length === 0) return priceRows;
  const prices = new Map(priceRows.map((row) => [buildAskKey({ ...row, day: row.asked }), row]));
  return named.flatMap(({ ask, others: names }) => {
    const known = [ask.asset, ...names].flatMap((asset) => prices.get(buildAskKey({ ...ask, asset })) ?? []);
    const [best] = known.toSorted((a, b) => compareDays(b.day, a.day) || rankOf(a) - rankOf(b));
    return best === undefined ? [] : [{ ...best, asset: ask.asset }];
  });
}

function buildAskKey({ asset, day, within, sources }: PriceAsk): string {
  return JSON.stringify([asset, day, within, sources]);
}

function compareDays(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function rankOf({ source }: PriceRow): number {
  return source === 'own' ? 0 : 1;
}
