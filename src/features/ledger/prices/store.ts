import type { Sql } from '../../../db/connection.ts';
import type { Recompute } from '../transactions/change.ts';
import { type PriceQuote, upsertPrices } from './prices.queries.ts';
import { outdatedBooks } from './valuations.ts';

const rowsPerStatement = 10_000;

export interface PricesStored {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  /** The number of books whose rows now have different prices. */
  readonly books: number;
}

/** Stores prices and recomputes the gains, in the caller's transaction and under the taxpayer's lock. */
export async function storePrices(
  sql: Sql,
  taxpayerId: string,
  quotes: readonly PriceQuote[],
  at: Date,
  recompute: Recompute,
): Promise<PricesStored> {
  const changed: { asset: string; day: string; added: boolean }[] = [];
  for (let from = 0; from < quotes.length; from += rowsPerStatement) {
    changed.push(...(await upsertPrices(sql, taxpayerId, quotes.slice(from, from + rowsPerStatement), at)));
  }
  const touched = changed.length === 0 ? new Map() : await outdatedBooks(sql, taxpayerId);
  if (touched.size > 0) await recompute(sql, taxpayerId, touched, { sources: 'same' });
  const added = changed.filter((price) => price.added).length;
  return {
    added,
    updated: changed.length - added,
    unchanged: quotes.length - changed.length,
    books: touched.size,
  };
}
