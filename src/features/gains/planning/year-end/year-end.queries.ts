import type { Sql } from '../../../../db/connection.ts';
import { isDigital } from '../../../../engine/events/classes.ts';
import { type AssetClass, assetClasses } from '../../../../engine/model.ts';

export interface LossScope {
  /** The first and last day of sale. */
  readonly since: string;
  readonly until: string;
  readonly classes: readonly AssetClass[];
  readonly accountsLeftOut: readonly string[];
  readonly rowsMax: number;
  /** Excludes sales that already have a notification of this kind. */
  readonly notNotified?: string;
}

/**
 * Selects sales at a loss that a purchase could still disallow, at least in part, oldest first. Subtracts losses that
 * are already disallowed. Wash sales are stored separately from disposals.
 */
export function selectOpenLosses(sql: Sql, taxpayerId: string, scope: LossScope) {
  const { since, until, classes, accountsLeftOut, rowsMax, notNotified } = scope;
  return sql<{ saleId: string; asset: string; account: string; sold: string; loss: string }[]>`
    select d.sale_id as "saleId", d.asset, d.account, d.sold,
      round(sum(d.basis - d.proceeds - d.adjustment - coalesce(w.disallowed, 0)), 2)::text as loss
    from disposals d
      left join (
        select disposal_id, sum(disallowed) as disallowed from wash_sales
        where taxpayer_id = ${taxpayerId} and on_day >= ${since} group by disposal_id
      ) w on w.disposal_id = d.id
    where d.taxpayer_id = ${taxpayerId} and d.on_day >= ${since} and d.sold between ${since} and ${until}
      and not d.short_sale and not d.basis_unknown and d.basis - d.proceeds - d.adjustment > coalesce(w.disallowed, 0)
      and d.asset_class = any(${classes as string[]}::text[])
      and d.account <> all(${accountsLeftOut as string[]}::text[])
      ${
        notNotified === undefined
          ? sql``
          : sql`and not exists (
              select 1 from notified_subjects n
              where n.taxpayer_id = ${taxpayerId} and n.kind = ${notNotified} and n.subject = d.sale_id)`
      }
    group by d.sale_id, d.asset, d.account, d.sold
    order by d.sold, d.sale_id
    limit ${rowsMax}`;
}

/** Selects the accounts that hold digital assets. */
export async function selectDigitalAccounts(sql: Sql, taxpayerId: string): Promise<string[]> {
  const rows = await sql<{ account: string }[]>`
    select distinct account from lots
    where taxpayer_id = ${taxpayerId} and asset_class = any(${assetClasses.filter(isDigital)}::text[])
    order by account`;
  return rows.map(({ account }) => account);
}

export interface DueInclusion {
  readonly fund: string;
  readonly account: string;
  readonly quantity: string;
  readonly dueOn: string;
  readonly included: string;
  /** Null if no row contains the value. */
  readonly value: string | null;
}

/**
 * Selects the deferred gains that are included in a year because the deferral ends (`isDueInclusion` in the engine).
 */
export function selectDueInclusions(sql: Sql, taxpayerId: string, year: number) {
  return sql<DueInclusion[]>`
    select asset as fund, account, trim_scale(quantity)::text as quantity, on_day as "dueOn", adjustment::text as included,
      fund_value::text as value
    from disposals
    where taxpayer_id = ${taxpayerId} and on_day between ${`${year}-01-01`} and ${`${year}-12-31`} and code ~ 'Y'
      and id ~ '[.]included[0-9]*$'
    order by on_day, asset, account, id`;
}

/** Returns whether the taxpayer holds anything that could be sold. */
export async function selectHolds(sql: Sql, taxpayerId: string, accountsLeftOut: readonly string[]): Promise<boolean> {
  const rows = await sql`
    select 1 from lots where taxpayer_id = ${taxpayerId} and asset_class <> 'currency'
      and account <> all(${accountsLeftOut as string[]}::text[]) limit 1`;
  return rows.length > 0;
}
