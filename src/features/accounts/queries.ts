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
export async function selectAccountUses(sql: Sql, taxpayerId: string): Promise<AccountUse[]> {
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
