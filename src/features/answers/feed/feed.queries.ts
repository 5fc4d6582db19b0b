import type { Sql } from '../../../db/connection.ts';

interface Reminded {
  readonly classes: readonly string[];
  readonly accountsLeftOut: readonly string[];
  readonly rowsMax: number;
}

/**
 * Selects open lots whose holding period began after one day and on or before another, if they have no notification of
 * this kind yet. Oldest first.
 */
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
    where taxpayer_id = ${taxpayerId} and not inherited and not purchase_unknown and held_since > ${heldAfter} and held_since <= ${heldUntil}
      and asset_class = any(${classes as string[]}::text[])
      and account <> all(${accountsLeftOut as string[]}::text[])
      and not exists (
        select 1 from notified_subjects n where n.taxpayer_id = ${taxpayerId} and n.kind = ${kind} and n.subject = l.id)
    order by held_since, id
    limit ${rowsMax}`;
}
