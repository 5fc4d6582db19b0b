import type { Sql } from '../../db/connection.ts';

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
