import type { Sql } from '../../../db/connection.ts';
import { listOtherNames } from '../../../engine/events/same-assets.ts';
import { selectElections } from '../transactions/transactions.queries.ts';
import { type PriceAsk, type PriceRow, selectPrices } from './prices.queries.ts';

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
