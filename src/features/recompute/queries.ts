import type { Sql } from '../../db/connection.ts';
import type { AccountSource } from '../transactions/evidence.ts';
import type { TouchedRow } from '../transactions/rows/queries.ts';

/** Accounts with rows of these books that state no class, or that declare something worthless without stating one. */
export async function selectOpenAccounts(sql: Sql, taxpayerId: string, keys: readonly string[]): Promise<string[]> {
  const rows = await sql<{ account: string }[]>`
    select account from transactions
    where taxpayer_id = ${taxpayerId} and asset_key = any(${keys as string[]}::text[])
      and stated_class is null and source_class is null
    union
    select account from transactions
    where taxpayer_id = ${taxpayerId} and type = 'worthless' and stated_class is null and source_class is null`;
  return rows.map(({ account }) => account);
}

/** Accounts with rows that state no class, of assets that are on no list, where coins are traded too. */
export async function selectAccountsBesideCoins(
  sql: Sql,
  taxpayerId: string,
  unlisted: readonly string[],
  coins: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ account: string }[]>`
    with unclassified as materialized (
      select distinct account from transactions
      where taxpayer_id = ${taxpayerId} and stated_class is null and source_class is null
        and asset_key = any(${unlisted as string[]}::text[])
    )
    select account from unclassified
    where exists (select from unclassified) and account in (
      select account from transactions
      where taxpayer_id = ${taxpayerId} and asset_key = any(${coins as string[]}::text[])
      union
      select account from transactions
      where taxpayer_id = ${taxpayerId} and second_key = any(${coins as string[]}::text[])
    )`;
  return rows.map(({ account }) => account);
}

/** Which files state rows of which accounts, and in which boxes they show sales of a form 1099. */
export async function selectAccountSources(sql: Sql, taxpayerId: string): Promise<AccountSource[]> {
  return sql<AccountSource[]>`
    with named as (
      select account, import_id, case when type = 'reported_sale' then box end as box
      from transactions where taxpayer_id = ${taxpayerId}
      group by account, import_id, case when type = 'reported_sale' then box end
      union
      select t.account, s.import_id, null
      from transaction_sources s join transactions t on t.taxpayer_id = s.taxpayer_id and t.id = s.transaction_id
      where s.taxpayer_id = ${taxpayerId}
    )
    select distinct n.account, i.format, n.box
    from named n left join imports i on i.taxpayer_id = ${taxpayerId} and i.id = n.import_id`;
}

/** The books that rows of these accounts move, or rows that bring something into them, each with their first day. */
export async function selectKeysOfAccounts(
  sql: Sql,
  taxpayerId: string,
  accounts: readonly string[],
): Promise<TouchedRow[]> {
  return sql<TouchedRow[]>`
    select k.asset_key, min(t.on_day) as day
    from transactions t, lateral (values (t.asset_key), (t.second_key), (t.third_key), (t.fourth_key)) as k (asset_key)
    where t.taxpayer_id = ${taxpayerId} and k.asset_key is not null
      and (t.account = any(${accounts as string[]}::text[]) or t.to_account = any(${accounts as string[]}::text[]))
    group by k.asset_key`;
}
