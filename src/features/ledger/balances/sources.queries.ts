import type { Sql } from '../../../db/connection.ts';
import type { FileBalance } from '../../../formats/running-balances.ts';
import type { StageScope } from '../transactions/rows/rows.queries.ts';

export interface BalanceKey {
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

export async function deleteSources(sql: Sql, { taxpayerId, importId }: StageScope): Promise<BalanceKey[]> {
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
