import type { Sql } from '../../db/connection.ts';

interface Reminded {
  readonly classes: readonly string[];
  readonly accountsLeftOut: readonly string[];
  readonly rowsMax: number;
}

/** Open lots held since the days after one and up to another, of which no notification of the kind was made, the oldest first. */
export function selectMaturingLots(
  sql: Sql,
  taxpayerId: string,
  kind: string,
  {
    heldAfter,
    heldUntil,
    classes,
    accountsLeftOut,
    rowsMax,
  }: Reminded & { readonly heldAfter: string; readonly heldUntil: string },
) {
  return sql<{ id: string; asset: string; account: string; quantity: string; heldSince: string }[]>`
    select id, asset, account, trim_scale(quantity)::text as quantity, held_since as "heldSince"
    from lots l
    where taxpayer_id = ${taxpayerId} and not inherited and held_since > ${heldAfter} and held_since <= ${heldUntil}
      and asset_class = any(${classes as string[]}::text[])
      and account <> all(${accountsLeftOut as string[]}::text[])
      and not exists (
        select 1 from notified_subjects n where n.taxpayer_id = ${taxpayerId} and n.kind = ${kind} and n.subject = l.id)
    order by held_since, id
    limit ${rowsMax}`;
}

/**
 * Sales of the window at a loss of which a purchase would still deny a part, and of which no notification of the kind was
 * made, the oldest first. Wash sales stand beside the disposals: what they denied is no loss any more.
 */
export function selectOpenLosses(
  sql: Sql,
  taxpayerId: string,
  kind: string,
  { since, today, classes, accountsLeftOut, rowsMax }: Reminded & { readonly since: string; readonly today: string },
) {
  return sql<{ saleId: string; asset: string; account: string; sold: string; loss: string }[]>`
    select d.sale_id as "saleId", d.asset, d.account, d.sold,
      round(sum(d.basis - d.proceeds - d.adjustment - coalesce(w.disallowed, 0)), 2)::text as loss
    from disposals d
      left join (
        select disposal_id, sum(disallowed) as disallowed from wash_sales
        where taxpayer_id = ${taxpayerId} and on_day >= ${since} group by disposal_id
      ) w on w.disposal_id = d.id
    where d.taxpayer_id = ${taxpayerId} and d.on_day >= ${since} and d.sold between ${since} and ${today}
      and not d.short_sale and not d.basis_unknown and d.basis - d.proceeds - d.adjustment > coalesce(w.disallowed, 0)
      and d.asset_class = any(${classes as string[]}::text[])
      and d.account <> all(${accountsLeftOut as string[]}::text[])
      and not exists (
        select 1 from notified_subjects n
        where n.taxpayer_id = ${taxpayerId} and n.kind = ${kind} and n.subject = d.sale_id)
    group by d.sale_id, d.asset, d.account, d.sold
    order by d.sold, d.sale_id
    limit ${rowsMax}`;
}
