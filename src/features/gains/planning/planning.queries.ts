import type { Sql } from '../../../db/connection.ts';
import { isDigital } from '../../../engine/events/classes.ts';
import { type AssetClass, assetClasses } from '../../../engine/model.ts';
import type { BookYear } from '../../ledger/books/books.queries.ts';

/** Selects the yearly summaries of all books except the given ones. */
export async function selectOtherBookYears(sql: Sql, taxpayerId: string, books: readonly string[]) {
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
export async function selectLatestUse(sql: Sql, taxpayerId: string, assetKey: string) {
  const [row] = await sql<{ account: string; asset_class: AssetClass }[]>`
    select account, asset_class from transactions
    where taxpayer_id = ${taxpayerId} and asset_key = ${assetKey} order by on_day desc, moment desc, id limit 1`;
  return row;
}

interface TradePrice {
  readonly asset_key: string;
  readonly id: string;
  readonly day: string;
  readonly amount: string;
  readonly quantity: string;
}

/** Selects each asset's last trade on or before a day that has a price per unit. */
export async function selectTradePrices(sql: Sql, taxpayerId: string, keys: readonly string[], on: string) {
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
export async function selectLastReorganizations(sql: Sql, taxpayerId: string, keys: readonly string[], on: string) {
  return sql<{ asset_key: string; day: string }[]>`
    select asset_key, max(on_day) as day from transactions
    where taxpayer_id = ${taxpayerId} and asset_key = any(${keys as string[]}::text[]) and on_day <= ${on}
      and type in ('split', 'merger', 'spinoff', 'rename')
    group by asset_key`;
}

interface HeldRow {
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly account: string;
  readonly isLong: boolean;
  readonly quantity: string;
  readonly basis: string;
  readonly lots: number;
  /** Null if the purchase of all units is unknown. */
  readonly heldSince: string | null;
}

/**
 * Selects the open lots after the last transaction, summed by asset, account and term. Units acquired by `longSince`
 * are long-term. Units whose purchase is unknown count as short-term.
 */
export async function selectHeld(sql: Sql, taxpayerId: string, longSince: string) {
  return sql<HeldRow[]>`
    select asset, asset_class as "assetClass", account, 
      inherited or (not purchase_unknown and held_since <= ${longSince}) as "isLong", sum(quantity) as quantity,
      sum(basis) as basis, count(*)::integer as lots, min(held_since) filter (where not purchase_unknown) as "heldSince"
    from lots where taxpayer_id = ${taxpayerId}
    group by 1, 2, 3, 4`;
}

interface LossScope {
  /** The first and last day of sale. */
  readonly since: string;
  readonly until: string;
  readonly classes: readonly AssetClass[];
  readonly accountsLeftOut: readonly string[];
  readonly rowsMax: number;
  /** Excludes sales that already have a notification of this kind. */
  readonly notNotified?: string;
}

/**
 * Selects sales at a loss that a purchase could still disallow, at least in part, oldest first. Subtracts losses that
 * are already disallowed. Wash sales are stored separately from disposals.
 */
export function selectOpenLosses(sql: Sql, taxpayerId: string, scope: LossScope) {
  const { since, until, classes, accountsLeftOut, rowsMax, notNotified } = scope;
  return sql<{ saleId: string; asset: string; account: string; sold: string; loss: string }[]>`
    select d.sale_id as "saleId", d.asset, d.account, d.sold,
      round(sum(d.basis - d.proceeds - d.adjustment - coalesce(w.disallowed, 0)), 2)::text as loss
    from disposals d
      left join (
        select disposal_id, sum(disallowed) as disallowed from wash_sales
        where taxpayer_id = ${taxpayerId} and on_day >= ${since} group by disposal_id
      ) w on w.disposal_id = d.id
    where d.taxpayer_id = ${taxpayerId} and d.on_day >= ${since} and d.sold between ${since} and ${until}
      and not d.short_sale and not d.basis_unknown and d.basis - d.proceeds - d.adjustment > coalesce(w.disallowed, 0)
      and d.asset_class = any(${classes as string[]}::text[])
      and d.account <> all(${accountsLeftOut as string[]}::text[])
      ${
        notNotified === undefined
          ? sql``
          : sql`and not exists (
              select 1 from notified_subjects n
              where n.taxpayer_id = ${taxpayerId} and n.kind = ${notNotified} and n.subject = d.sale_id)`
      }
    group by d.sale_id, d.asset, d.account, d.sold
    order by d.sold, d.sale_id
    limit ${rowsMax}`;
}

/** Selects the accounts that hold digital assets. */
export async function selectDigitalAccounts(sql: Sql, taxpayerId: string): Promise<string[]> {
  const rows = await sql<{ account: string }[]>`
    select distinct account from lots
    where taxpayer_id = ${taxpayerId} and asset_class = any(${assetClasses.filter(isDigital)}::text[])
    order by account`;
  return rows.map(({ account }) => account);
}

export interface DueInclusion {
  readonly fund: string;
  readonly account: string;
  readonly quantity: string;
  readonly dueOn: string;
  readonly included: string;
  /** Null if no row contains the value. */
  readonly value: string | null;
}

/**
 * Selects the deferred gains that are included in a year because the deferral ends (`isDueInclusion` in the engine).
 */
export function selectDueInclusions(sql: Sql, taxpayerId: string, year: number) {
  return sql<DueInclusion[]>`
    select asset as fund, account, trim_scale(quantity)::text as quantity, on_day as "dueOn", adjustment::text as included,
      fund_value::text as value
    from disposals
    where taxpayer_id = ${taxpayerId} and on_day between ${`${year}-01-01`} and ${`${year}-12-31`} and code ~ 'Y'
      and id ~ '[.]included[0-9]*$'
    order by on_day, asset, account, id`;
}

/** Returns whether the taxpayer holds anything that could be sold. */
export async function selectHolds(sql: Sql, taxpayerId: string, accountsLeftOut: readonly string[]): Promise<boolean> {
  const rows = await sql`
    select 1 from lots where taxpayer_id = ${taxpayerId} and asset_class <> 'currency'
      and account <> all(${accountsLeftOut as string[]}::text[]) limit 1`;
  return rows.length > 0;
}
