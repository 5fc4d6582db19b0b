import type { Sql } from '../../db/connection.ts';
import type { AssetClass } from '../../engine/model.ts';

/** The number of rows of one account from files of one format. The format is null for rows entered manually. */
export interface AccountUse {
  readonly account: string;
  readonly format: string | null;
  readonly rows: number;
  readonly first: string;
  readonly last: string;
  readonly classes: AssetClass[];
}

/**
 * Selects every account that rows refer to, either as their own account or as the destination of a transfer. Cash has
 * no class.
 */
export async function selectAccountUses(sql: Sql, taxpayerId: string) {
  return sql<AccountUse[]>`
    select n.account, i.format, count(*)::integer as rows, min(t.on_day)::text as first, max(t.on_day)::text as last,
      coalesce(array_agg(distinct t.asset_class) filter (where t.asset not in ('', 'USD')), '{}') as classes
    from transactions t
    cross join lateral (select t.account union select t.to_account) as n (account)
    left join imports i on i.taxpayer_id = t.taxpayer_id and i.id = t.import_id
    where t.taxpayer_id = ${taxpayerId} and n.account <> ''
    group by n.account, i.format
    order by n.account, i.format nulls last`;
}

/** Selects the days that each file with rows of an account covers, and how many sales lack their purchase. */
export async function selectCoverage(
  sql: Sql,
  taxpayerId: string,
): Promise<{ readonly account: string; readonly files: [string, string][]; readonly missingPurchases: number }[]> {
  return sql`
    select n.account, coalesce((
        select jsonb_agg(jsonb_build_array(i.first_day, i.last_day) order by i.first_day, i.last_day) from imports i
        where i.taxpayer_id = ${taxpayerId} and i.id = any(n.imports) and i.first_day is not null
      ), '[]') as files,
      (
        select count(*)::integer from issues x
        where x.taxpayer_id = ${taxpayerId} and x.issue = 'oversold' and x.account = n.account
      ) as "missingPurchases"
    from (
      select account, array_agg(distinct import_id) filter (where import_id is not null) as imports
      from transactions where taxpayer_id = ${taxpayerId} group by account
    ) n`;
}
