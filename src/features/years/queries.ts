import type { Sql } from '../../db/connection.ts';
import type { LotRow } from '../books/facts/rows.ts';

/** Lines from a day on, before a day; null is open. */
export interface Within {
  readonly from: string | null;
  readonly before: string | null;
}

/** The last of the days that so many lines take, not counting those of one day; null where there are no lines. */
export async function selectLastDayOf(
  sql: Sql,
  taxpayerId: string,
  within: Within,
  lines: number,
  uncounted: string | null,
): Promise<string | null> {
  // A day has a line at least: of all days no more are looked at than there are lines to find.
  const [row] = await sql<{ day: string | null }[]>`
    select max(day) as day from (
      select day, sum(lines) over (order by day) - lines as earlier from (
        select on_day as day, case when on_day = ${uncounted}::date then 0 else sum(count) end as lines
        from disposal_groups
        where taxpayer_id = ${taxpayerId}
          ${within.from === null ? sql`` : sql`and on_day >= ${within.from}`}
          ${within.before === null ? sql`` : sql`and on_day < ${within.before}`}
        group by on_day order by on_day limit ${lines + 1}
      ) days
    ) reached where earlier < ${lines}`;
  return row?.day ?? null;
}

/** Lots by age, after one of them. */
export async function selectLots(
  sql: Sql,
  taxpayerId: string,
  filter: { readonly asset: string | null; readonly account: string | null },
  after: { readonly acquired: string; readonly id: string } | null,
  limit: number,
): Promise<LotRow[]> {
  return sql<LotRow[]>`
    select id, asset, asset_class as "assetClass", account, quantity, basis, acquired, held_since as "heldSince", inherited
    from lots
    where taxpayer_id = ${taxpayerId}
      and (${filter.asset}::text is null or asset = ${filter.asset}) and (${filter.account}::text is null or account = ${filter.account})
      ${after === null ? sql`` : sql`and (acquired, id) > (${after.acquired}, ${after.id})`}
    order by acquired, id limit ${limit + 1}`;
}
