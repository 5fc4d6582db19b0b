import type { Sql } from '../../../db/connection.ts';
import type { FileBalance } from '../../../formats/running-balances.ts';
import { type StageScope, type TransactionRow, tieColumns } from '../transactions/rows.queries.ts';

export interface BalanceRow {
  readonly id: string;
  readonly account: string;
  readonly asset: string;
  readonly on_day: string;
  readonly quantity: string;
  readonly source: 'hand' | 'file' | 'import';
  readonly counted_until: string | null;
  readonly is_least: boolean;
}

/** A balance to store. Its quantity is exactly as stated, with all decimals. */
export type NewBalance = Pick<BalanceRow, 'account' | 'asset' | 'quantity'> & { readonly day: string };

const fields = (sql: Sql) =>
  sql`b.id, b.account, b.asset, b.on_day, b.quantity::text as quantity, b.source, b.counted_until::text as counted_until, b.is_least`;

/** Selects the stated balances of some assets, or of all assets if `assets` is null. */
export async function selectBalances(sql: Sql, taxpayerId: string, assets: readonly string[] | null) {
  return sql<BalanceRow[]>`
    select ${fields(sql)} from balances b
    where b.taxpayer_id = ${taxpayerId} and (${assets as string[] | null}::text[] is null or b.asset = any(${assets as string[] | null}::text[]))
    order by b.on_day, b.asset, b.account`;
}

interface BalanceFilter {
  readonly account: string | null;
  readonly asset: string | null;
}

type BalanceCursor = readonly [on: string, asset: string, account: string];

/** Selects a page of stated balances, newest first. */
export async function selectListedBalances(
  sql: Sql,
  taxpayerId: string,
  { account, asset }: BalanceFilter,
  after: BalanceCursor | null,
  limit: number,
) {
  const [on, afterAsset, afterAccount] = after ?? [null, null, null];
  return sql<BalanceRow[]>`
    select ${fields(sql)} from balances b
    where b.taxpayer_id = ${taxpayerId} and (${account}::text is null or b.account = ${account})
      and (${asset}::text is null or b.asset = ${asset})
      and (${on}::date is null or b.on_day < ${on}::date
        or (b.on_day = ${on}::date
          and (b.asset, b.account) > (${afterAsset}::text collate "C", ${afterAccount}::text collate "C")))
    order by b.on_day desc, b.asset, b.account limit ${limit + 1}`;
}

/** Stores balances. Returns those that were added or changed. */
export async function upsertBalances(
  sql: Sql,
  taxpayerId: string,
  newBalances: readonly NewBalance[],
  source: 'hand' | 'file',
  at: Date,
): Promise<{ id: string; asset: string; added: boolean }[]> {
  const of = (name: keyof NewBalance): string[] => newBalances.map((one) => one[name]);
  // Deletes balances derived from imports, because balances that the taxpayer enters or uploads take precedence.
  await sql`
    delete from balances b
    using unnest(${of('account')}::text[], ${of('asset')}::text[], ${of('day')}::date[]) as g (account, asset, day)
    where b.taxpayer_id = ${taxpayerId} and b.source = 'import'
      and b.account = g.account and b.asset = g.asset and b.on_day = g.day`;
  return sql<{ id: string; asset: string; added: boolean }[]>`
    insert into balances (taxpayer_id, id, account, asset, on_day, quantity, source, created_at)
    select me.id, g.id, g.account, g.asset, g.day, g.quantity, ${source}, ${at}
    from taxpayers me, unnest(${newBalances.map(() => crypto.randomUUID())}::uuid[], ${of('account')}::text[], ${of('asset')}::text[], ${of('day')}::date[], ${of('quantity')}::numeric[])
      as g (id, account, asset, day, quantity)
    where me.id = ${taxpayerId}
    on conflict (taxpayer_id, account, asset, on_day) do update
      set quantity = excluded.quantity, source = excluded.source, created_at = excluded.created_at
    where balances.quantity::text <> excluded.quantity::text
    returning id, asset, xmax = 0 as added`;
}

export async function selectBalance(sql: Sql, taxpayerId: string, { account, asset, day }: NewBalance) {
  const [row] = await sql<BalanceRow[]>`
    select ${fields(sql)} from balances b
    where b.taxpayer_id = ${taxpayerId} and b.account = ${account} and b.asset = ${asset} and b.on_day = ${day}`;
  return row;
}

export async function deleteBalance(sql: Sql, taxpayerId: string, id: string) {
  const [row] = await sql<BalanceRow[]>`
    delete from balances b where b.taxpayer_id = ${taxpayerId} and b.id = ${id} returning ${fields(sql)}`;
  return row;
}

/** The transaction columns that determine how units move. */
export type UnitColumns = Pick<
  TransactionRow,
  | 'id'
  | 'line'
  | 'tie'
  | 'type'
  | 'at'
  | 'on_day'
  | 'account'
  | 'asset'
  | 'asset_class'
  | 'quantity'
  | 'amount'
  | 'received_asset'
  | 'received_quantity'
  | 'fee_asset'
  | 'fee_quantity'
  | 'to_account'
  | 'ratio_numerator'
  | 'ratio_denominator'
  | 'shares'
  | 'underlying'
  | 'option_right'
>;

const rowsPerRead = 2_000;

/**
 * Selects the rows that may move these assets, in batches sorted like `compareUnitRows`. Includes all assets in the
 * same books, because their units may become units of these assets.
 */
export function selectUnitRows(
  sql: Sql,
  taxpayerId: string,
  assets: readonly string[],
  { actions, endings }: { readonly actions: readonly string[]; readonly endings: readonly string[] },
): AsyncIterable<UnitColumns[]> {
  return sql<UnitColumns[]>`
    with named as (
      select b.asset_key, b.book from books b
      where b.taxpayer_id = ${taxpayerId}
        and substr(b.asset_key, strpos(b.asset_key, ':') + 1) = any(${assets as string[]}::text[])
    ),
    keys as (
      select distinct b.asset_key from books b
      where b.taxpayer_id = ${taxpayerId} and b.book in (select book from named)
    ),
    ids as (
      select t.id from transactions t, keys k where t.taxpayer_id = ${taxpayerId} and t.asset_key = k.asset_key
      union
      select t.id from transactions t, keys k where t.taxpayer_id = ${taxpayerId} and t.second_key = k.asset_key
      union
      select t.id from transactions t, keys k where t.taxpayer_id = ${taxpayerId} and t.third_key = k.asset_key
      union
      select t.id from transactions t, keys k where t.taxpayer_id = ${taxpayerId} and t.fourth_key = k.asset_key
    )
    select t.id, t.line, ${tieColumns(sql)} as tie, t.type, (extract(epoch from t.at) * 1000000)::bigint as at, t.on_day, t.account, t.asset, t.asset_class,
      t.quantity, t.amount, t.received_asset, t.received_quantity, t.fee_asset, t.fee_quantity, t.to_account,
      t.ratio_numerator, t.ratio_denominator, t.shares, t.underlying, t.option_right
    from transactions t where t.taxpayer_id = ${taxpayerId} and t.id in (select id from ids)
    order by t.on_day,
      case when t.type = 'reported_sale' then 3 when t.at is null and t.type = any(${actions as string[]}::text[]) then 0
        when t.at is null and t.type = any(${endings as string[]}::text[]) then 2 else 1 end,
      t.at nulls first, t.line, tie, t.id`.cursor(rowsPerRead);
}

interface BalanceKey {
  readonly account: string;
  readonly asset: string;
  readonly on_day: string;
}

export async function insertBalanceSources(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  balances: readonly FileBalance[],
): Promise<void> {
  const of = (name: 'account' | 'asset' | 'day' | 'quantity'): string[] => balances.map((one) => one[name]);
  await sql`
    insert into balance_sources (taxpayer_id, import_id, account, asset, on_day, quantity, counted_until, is_least)
    select me.id, ${importId}, g.account, g.asset, g.day, g.quantity, g.counted_until, g.is_least
    from taxpayers me, unnest(${of('account')}::text[], ${of('asset')}::text[], ${of('day')}::date[], ${of('quantity')}::numeric[],
      ${balances.map(({ until }) => (until === null ? null : String(until)))}::bigint[],
      ${balances.map(({ isLeast }) => String(isLeast))}::text[]::boolean[])
      as g (account, asset, day, quantity, counted_until, is_least)
    where me.id = ${taxpayerId}`;
}

export async function deleteSources(sql: Sql, { taxpayerId, importId }: StageScope) {
  return sql<BalanceKey[]>`
    delete from balance_sources where taxpayer_id = ${taxpayerId} and import_id = ${importId}
    returning account, asset, on_day`;
}

export async function deleteSourcesAt(
  sql: Sql,
  taxpayerId: string,
  { account, asset, on_day }: BalanceKey,
): Promise<void> {
  await sql`
    delete from balance_sources
    where taxpayer_id = ${taxpayerId} and account = ${account} and asset = ${asset} and on_day = ${on_day}`;
}

/**
 * Derives balances from their sources. If several imports state the same balance, the latest time wins, then the
 * smallest quantity, so the order of imports does not matter. Returns the assets whose balances changed.
 */
export async function deriveBalances(
  sql: Sql,
  taxpayerId: string,
  balanceKeys: readonly BalanceKey[],
  at: Date,
): Promise<string[]> {
  const keys = sql`
    select k.id, k.account, k.asset, k.on_day from unnest(${balanceKeys.map(() => crypto.randomUUID())}::uuid[], ${balanceKeys.map(({ account }) => account)}::text[],
      ${balanceKeys.map(({ asset }) => asset)}::text[], ${balanceKeys.map(({ on_day }) => on_day)}::date[])
      as k (id, account, asset, on_day)`;
  const deleted = await sql<{ asset: string }[]>`
    delete from balances b using (${keys}) k
    where b.taxpayer_id = ${taxpayerId} and b.source = 'import'
      and b.account = k.account and b.asset = k.asset and b.on_day = k.on_day
      and not exists (
        select from balance_sources s where s.taxpayer_id = b.taxpayer_id
          and s.account = b.account and s.asset = b.asset and s.on_day = b.on_day
      )
    returning b.asset`;
  const stated = await sql<{ asset: string }[]>`
    insert into balances
      (taxpayer_id, id, account, asset, on_day, quantity, source, counted_until, is_least, created_at)
    select distinct on (s.taxpayer_id, s.account, s.asset, s.on_day) s.taxpayer_id, k.id, s.account, s.asset, s.on_day,
      s.quantity, 'import', s.counted_until, s.is_least, ${at}::timestamptz
    from (${keys}) k
    join balance_sources s on s.taxpayer_id = ${taxpayerId}
      and s.account = k.account and s.asset = k.asset and s.on_day = k.on_day
    order by s.taxpayer_id, s.account, s.asset, s.on_day, s.counted_until desc nulls first, s.quantity, s.quantity::text, s.is_least
    on conflict (taxpayer_id, account, asset, on_day) do update
      set quantity = excluded.quantity, counted_until = excluded.counted_until, is_least = excluded.is_least,
        created_at = excluded.created_at
      where balances.source = 'import'
        and (balances.quantity::text, balances.counted_until, balances.is_least)
          is distinct from (excluded.quantity::text, excluded.counted_until, excluded.is_least)
    returning asset`;
  return [...deleted, ...stated].map(({ asset }) => asset);
}
