import type { Sql } from '../../../db/connection.ts';
import { typesWhere } from '../../../engine/transaction-types.ts';
import { type SqlPart, type TransactionRow, transactionColumns } from '../transactions/rows.queries.ts';

/** Matches rows that may need a price. It must be the same condition as in the index `transactions_to_value`. */
export const needsPrice = (sql: Sql): SqlPart => sql`(
  t.currency <> 'USD'
    or (t.amount is null and t.type in (${sql.unsafe(valuedByAmount)}))
    or (t.fee is null and t.fee_asset <> '')
    or (t.fmv is null and t.type = 'inherit')
)`;

/** Inlined as literals, so that the planner recognizes the condition of the index. */
const valuedByAmount = [...typesWhere((row) => row.marketValue === 'amount')].map((type) => `'${type}'`).join(', ');

/** Limits a query to some books, each from its first day on. Functions that accept null instead use all books. */
export interface KeyDays {
  readonly keys: readonly string[];
  readonly days: readonly string[];
}

export async function selectToValue(sql: Sql, taxpayerId: string, within: KeyDays | null): Promise<TransactionRow[]> {
  if (within === null) {
    return sql<TransactionRow[]>`
      select ${transactionColumns(sql)} from transactions t where t.taxpayer_id = ${taxpayerId} and ${needsPrice(sql)}`;
  }
  return sql<TransactionRow[]>`
    select ${transactionColumns(sql)}
    from unnest(${within.keys as string[]}::text[], ${within.days as string[]}::date[]) as k (asset_key, day)
    join transactions t on t.taxpayer_id = ${taxpayerId} and t.asset_key = k.asset_key and t.on_day >= k.day
    where ${needsPrice(sql)}`;
}

export interface PriceRow {
  readonly asset: string;
  readonly asked: string;
  readonly within: number;
  readonly sources: string;
  readonly day: string;
  readonly usd: string;
  readonly source: string;
}

/**
 * A price to look up. `within` is the maximum age of the price in days. `sources` are the providers, separated by
 * spaces.
 */
export interface PriceAsk {
  readonly asset: string;
  readonly day: string;
  readonly within: number;
  readonly sources: string;
}

/**
 * Selects the newest price for each request. On the same day, the taxpayer's own price takes precedence over a
 * provider's.
 */
export async function selectPrices(sql: Sql, taxpayerId: string, asks: readonly PriceAsk[]) {
  return sql<PriceRow[]>`
    select a.asset, a.day as asked, a.within, a.sources, found.day, trim_scale(found.usd)::text as usd, found.source
    from unnest(
      ${asks.map((ask) => ask.asset)}::text[], ${asks.map((ask) => ask.day)}::date[],
      ${asks.map((ask) => ask.within)}::integer[], ${asks.map((ask) => ask.sources)}::text[]
    ) as a (asset, day, within, sources), lateral (
      select known.day, known.usd, known.source from (
        (
          select p.day, p.usd, 'own' as source from prices p
          where p.taxpayer_id = ${taxpayerId} and p.asset = a.asset and p.day <= a.day and p.day >= a.day - a.within
          order by p.day desc limit 1
        )
        union all
        select s.day, s.usd, s.source from shared_price(a.asset, a.day, a.within, string_to_array(a.sources, ' ')) s
      ) known
      order by known.day desc, (known.source = 'own') desc limit 1
    ) found`;
}

export interface ValuationRow {
  readonly transaction_id: string;
  readonly figure: string;
  readonly asset: string;
  readonly day: string;
  readonly usd: string;
  readonly source: string;
}

export interface Valuation extends ValuationRow {
  readonly asset_key: string;
  readonly on_day: string;
}

/** Replaces the valuations of the given books, or of all books if `within` is null. Writes only changes. */
export async function replaceValuations(
  sql: Sql,
  taxpayerId: string,
  within: KeyDays | null,
  valuations: readonly Valuation[],
): Promise<void> {
  const of = <Name extends keyof Valuation>(name: Name): Valuation[Name][] => valuations.map((one) => one[name]);
  const scope =
    within === null
      ? sql``
      : sql`and exists (
          select from unnest(${within.keys as string[]}::text[], ${within.days as string[]}::date[]) as k (asset_key, day)
          where k.asset_key = v.asset_key and k.day <= v.on_day
        )`;
  await sql`
    delete from valuations v
    where v.taxpayer_id = ${taxpayerId} ${scope} and not exists (
      select from unnest(${of('transaction_id')}::uuid[], ${of('figure')}::text[]) as w (id, figure)
      where w.id = v.transaction_id and w.figure = v.figure
    )`;
  if (valuations.length === 0) return;
  await sql`
    insert into valuations (taxpayer_id, transaction_id, figure, asset, day, usd, source, asset_key, on_day)
    select me.id, w.* from taxpayers me, unnest(
      ${of('transaction_id')}::uuid[], ${of('figure')}::text[], ${of('asset')}::text[], ${of('day')}::date[],
      ${of('usd')}::numeric[], ${of('source')}::text[], ${of('asset_key')}::text[], ${of('on_day')}::date[]
    ) as w
    where me.id = ${taxpayerId}
    on conflict (taxpayer_id, transaction_id, figure) do update set
      asset = excluded.asset, day = excluded.day, usd = excluded.usd, source = excluded.source,
      asset_key = excluded.asset_key, on_day = excluded.on_day
    where (valuations.asset, valuations.day, valuations.usd, valuations.source, valuations.asset_key, valuations.on_day)
      is distinct from (excluded.asset, excluded.day, excluded.usd, excluded.source, excluded.asset_key, excluded.on_day)`;
}

export async function selectValuations(sql: Sql, taxpayerId: string, ids: readonly string[]) {
  return sql<ValuationRow[]>`
    select transaction_id, figure, asset, day, trim_scale(usd)::text as usd, source from valuations
    where taxpayer_id = ${taxpayerId} and transaction_id = any(${ids as string[]}::uuid[])
    order by transaction_id, figure`;
}

/** Selects the ids of the transactions that open issues refer to. */
export async function selectIssueRowIds(sql: Sql, taxpayerId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct unnest(i.transactions) as id from issues i where i.taxpayer_id = ${taxpayerId}`;
  return rows.map((row) => row.id);
}

export interface PriceQuote {
  readonly asset: string;
  readonly day: string;
  readonly usd: string;
}

/** Stores prices. Returns the new prices (`added`) and the prices that replaced a different price. */
export async function upsertPrices(sql: Sql, taxpayerId: string, quotes: readonly PriceQuote[], at: Date) {
  return sql<{ asset: string; day: string; added: boolean }[]>`
    insert into prices (taxpayer_id, asset, day, usd, created_at)
    select me.id, g.asset, g.day, g.usd, ${at} from taxpayers me, unnest(
      ${quotes.map((one) => one.asset)}::text[], ${quotes.map((one) => one.day)}::date[], ${quotes.map((one) => one.usd)}::numeric[]
    ) as g (asset, day, usd)
    where me.id = ${taxpayerId}
    on conflict (taxpayer_id, asset, day) do update set usd = excluded.usd, created_at = excluded.created_at
    where prices.usd <> excluded.usd
    returning asset, day, xmax = 0 as added`;
}

export async function deletePrice(
  sql: Sql,
  taxpayerId: string,
  price: { readonly asset: string; readonly day: string },
): Promise<boolean> {
  const rows = await sql`
    delete from prices where taxpayer_id = ${taxpayerId} and asset = ${price.asset} and day = ${price.day} returning asset`;
  return rows.length > 0;
}

export interface ListedPrice {
  readonly asset: string;
  readonly day: string;
  readonly usd: string;
  readonly source: string;
}

interface PriceFilter {
  readonly asset: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly source: 'own' | 'shared' | null;
}

type PriceCursor = readonly [asset: string, day: string, source: string];

/** Selects the taxpayer's own prices and those from providers, sorted by asset, day and source, after a cursor. */
export async function selectListedPrices(
  sql: Sql,
  taxpayerId: string,
  { asset, from, to, source }: PriceFilter,
  after: PriceCursor | null,
  limit: number,
): Promise<ListedPrice[]> {
  const [afterAsset, afterDay, afterSource] = after ?? [null, null, null];
  const ownPrices = sql`(
    select p.asset, p.day, p.usd, 'own' collate "C" as source from prices p
    where p.taxpayer_id = ${taxpayerId} and (${asset}::text is null or p.asset = ${asset})
      and (${from}::date is null or p.day >= ${from}::date) and (${to}::date is null or p.day < ${to}::date)
      and (${afterAsset}::text is null
        or (p.asset, p.day, 'own' collate "C") > (${afterAsset}::text collate "C", ${afterDay}::date, ${afterSource}::text collate "C"))
    order by p.asset, p.day limit ${limit + 1}
  )`;
  const shared = sql`(
    select s.asset, s.day, s.usd, s.source collate "C" as source from list_shared_prices(
      ${asset}::text, ${from}::date, ${to}::date, ${afterAsset}::text, ${afterDay}::date, ${afterSource}::text, ${limit + 1}
    ) s
  )`;
  const listed = source === 'own' ? ownPrices : source === 'shared' ? shared : sql`${ownPrices} union all ${shared}`;
  return sql<ListedPrice[]>`
    select l.asset, l.day, trim_scale(l.usd)::text as usd, l.source from (${listed}) l
    order by l.asset collate "C", l.day, l.source collate "C" limit ${limit + 1}`;
}

/** Stores prices from a provider for all taxpayers. Never changes a stored price. Returns the new prices. */
export async function insertSharedPrices(sql: Sql, source: string, quotes: readonly PriceQuote[], at: Date) {
  return sql<{ asset: string; day: string }[]>`
    insert into shared_prices (asset, day, source, usd, created_at)
    select g.asset, g.day, ${source}, g.usd, ${at} from unnest(
      ${quotes.map((one) => one.asset)}::text[], ${quotes.map((one) => one.day)}::date[], ${quotes.map((one) => one.usd)}::numeric[]
    ) as g (asset, day, usd)
    on conflict (asset, day, source) do nothing
    returning asset, day`;
}

/** Selects the taxpayers who have books, and the current revision of their books. */
export async function selectRevisions(sql: Sql) {
  return sql<{ id: string; revision: string }[]>`select id, revision from taxpayers where revision <> 0 order by id`;
}

/**
 * Selects the taxpayers with rows that a price of these assets could value. If `unvalued` is true, ignores rows that
 * already have a value.
 */
export async function selectWaitingTaxpayers(
  sql: Sql,
  assets: readonly string[],
  { unvalued }: { readonly unvalued: boolean },
): Promise<string[]> {
  const rows = await sql<{ taxpayer_id: string }[]>`
    select distinct t.taxpayer_id from transactions t
    where ${needsPrice(sql)}
      and array[t.currency, t.asset, t.received_asset, t.fee_asset] && ${assets as string[]}::text[]
      ${
        unvalued
          ? sql`and not exists (
              select from valuations v where v.taxpayer_id = t.taxpayer_id and v.transaction_id = t.id
            )`
          : sql``
      }`;
  return rows.map((row) => row.taxpayer_id);
}
