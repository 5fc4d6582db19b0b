import type { Sql } from '../../../db/connection.ts';
import type { AssetClass, TransactionType } from '../../../engine/model.ts';

/** Rows with equal values for everything that determines the classes of their assets. */
export interface AssetUse {
  readonly type: TransactionType;
  readonly account: string;
  readonly asset: string;
  readonly received_asset: string;
  readonly fee_asset: string;
  readonly underlying: string;
  readonly asset_class: AssetClass;
  readonly stated_class: AssetClass | null;
  readonly source_class: AssetClass | null;
  readonly rows: number;
  readonly first: string;
  readonly last: string;
}

/** Selects the asset uses in these accounts, or in all accounts. */
export async function selectAssetUses(
  sql: Sql,
  taxpayerId: string,
  accounts: readonly string[] | null = null,
): Promise<AssetUse[]> {
  return sql<AssetUse[]>`
    select type, account, asset, received_asset, fee_asset, underlying, asset_class, stated_class, source_class,
      count(*)::integer as rows, min(on_day)::text as first, max(on_day)::text as last
    from transactions
    where taxpayer_id = ${taxpayerId}
      and (${accounts as string[] | null}::text[] is null or account = any(${accounts as string[] | null}::text[]))
    group by type, account, asset, received_asset, fee_asset, underlying, asset_class, stated_class, source_class`;
}
