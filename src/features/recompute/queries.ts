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
