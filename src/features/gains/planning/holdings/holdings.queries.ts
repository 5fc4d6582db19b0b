import type { Sql } from '../../../../db/connection.ts';
import type { AssetClass } from '../../../../engine/model.ts';

export interface HeldRow {
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly account: string;
  readonly isLong: boolean;
  readonly quantity: string;
  readonly basis: string;
  readonly lots: number;
  /** Null if the purchase of all units is unknown. */
  readonly heldSince: string | null;
}

/**
 * Selects the open lots after the last transaction, summed by asset, account and term. Units acquired by `longSince`
 * are long-term. Units whose purchase is unknown count as short-term.
 */
export async function selectHeld(sql: Sql, taxpayerId: string, longSince: string): Promise<HeldRow[]> {
  return sql<HeldRow[]>`
    select asset, asset_class as "assetClass", account, 
      inherited or (not purchase_unknown and held_since <= ${longSince}) as "isLong", sum(quantity) as quantity,
      sum(basis) as basis, count(*)::integer as lots, min(held_since) filter (where not purchase_unknown) as "heldSince"
    from lots where taxpayer_id = ${taxpayerId}
    group by 1, 2, 3, 4`;
}
