import type { Sql } from '../../../db/connection.ts';
import type { AssetClass } from '../../../engine/model.ts';
import type { BookYear } from '../../ledger/books/summaries/summaries.queries.ts';

/** Selects the yearly summaries of all books except the given ones. */
export async function selectOtherBookYears(
  sql: Sql,
  taxpayerId: string,
  books: readonly string[],
): Promise<BookYear[]> {
  return sql<BookYear[]>`
    select year, summary from book_years
    where taxpayer_id = ${taxpayerId} and book <> all(${books as string[]}::text[]) order by year, book`;
}

/** Selects which of the given asset keys have books. */
export async function selectStoredKeys(sql: Sql, taxpayerId: string, keys: readonly string[]): Promise<string[]> {
  const rows = await sql<{ asset_key: string }[]>`
    select asset_key from books where taxpayer_id = ${taxpayerId} and asset_key = any(${keys as string[]}::text[])
    order by asset_key`;
  return rows.map((row) => row.asset_key);
}

/** Selects the account and asset class of the latest row of an asset. */
export async function selectLatestUse(
  sql: Sql,
  taxpayerId: string,
  assetKey: string,
): Promise<{ account: string; asset_class: AssetClass } | undefined> {
  const [row] = await sql<{ account: string; asset_class: AssetClass }[]>`
    select account, asset_class from transactions
    where taxpayer_id = ${taxpayerId} and asset_key = ${assetKey} order by on_day desc, moment desc, id limit 1`;
  return row;
}

export interface TradePrice {
  readonly asset_key: string;
  readonly id: string;
  readonly day: string;
  readonly amount: string;
  readonly quantity: string;
}

/** Selects each asset's last trade on or before a day that has a price per unit. */
export async function selectTradePrices(
  sql: Sql,
  taxpayerId: string,
  keys: readonly string[],
  on: string,
): Promise<TradePrice[]> {
  return sql<TradePrice[]>`
    select trade.* from unnest(${keys as string[]}::text[]) as k (asset_key), lateral (
      select t.asset_key, t.id, t.on_day as day, t.amount, t.quantity from transactions t
      where t.taxpayer_id = ${taxpayerId} and t.asset_key = k.asset_key and t.on_day <= ${on}
        and t.type in ('buy', 'sell', 'trade', 'buy_to_open', 'sell_to_close', 'reinvest', 'staking', 'reward', 'spend')
        and t.currency = 'USD' and t.amount > 0 and t.quantity > 0
      order by t.on_day desc, t.moment desc, t.id limit 1
    ) trade`;
}

/**
 * Selects the day of each asset's last corporate action that changed its units. Values from before that day no longer
 * apply.
 */
export async function selectLastReorganizations(
  sql: Sql,
  taxpayerId: string,
  keys: readonly string[],
  on: string,
): Promise<{ asset_key: string; day: string }[]> {
  return sql<{ asset_key: string; day: string }[]>`
    select asset_key, max(on_day) as day from transactions
    where taxpayer_id = ${taxpayerId} and asset_key = any(${keys as string[]}::text[]) and on_day <= ${on}
      and type in ('split', 'merger', 'spinoff', 'rename')
    group by asset_key`;
}
