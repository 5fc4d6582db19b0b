import type { Sql } from '../../db/connection.ts';
import type { Disposal } from '../../engine/model.ts';
import { factFields } from '../books/facts/queries.ts';
import { factOf, type RowOf } from '../books/facts/tables.ts';
import type { LotRow } from '../books/lot-rows.ts';

/** Days from `from` on, before `before`; null sets no bound. */
export interface DayRange {
  readonly from: string | null;
  readonly before: string | null;
}

/** The position of a line in the order of lines. */
export type LineCursor = readonly [on: string, asset: string, account: string, acquired: string, id: string];

/** A page of disposals in the order of lines, after a cursor. */
export async function selectDisposalsAfter(
  sql: Sql,
  taxpayerId: string,
  within: DayRange,
  after: LineCursor | null,
  limit: number,
): Promise<Disposal[]> {
  const from = after?.[0] ?? within.from;
  const rows = await sql<RowOf<'disposal'>[]>`
    select ${factFields(sql, 'disposal')} from disposals
    where taxpayer_id = ${taxpayerId}
      ${from === null ? sql`` : sql`and on_day >= ${from}`}
      ${within.before === null ? sql`` : sql`and on_day < ${within.before}`}
      ${
        after === null
          ? sql``
          : sql`and (on_day, asset, account, acquired, id)
              > (${after[0]}::date, ${after[1]}, ${after[2]}, ${after[3]}::date, ${after[4]})`
      }
    order by on_day, asset, account, acquired, id limit ${limit}`;
  return rows.map((row) => factOf('disposal', row));
}

/** Open lots by day of acquisition, after a cursor. */
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
