import type { Sql } from '../../db/connection.ts';
import type { AssetClass, TransactionType } from '../../engine/model.ts';

/** Rows alike in all that decides the class of their assets. */
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

export async function selectAssetUses(sql: Sql, taxpayerId: string): Promise<AssetUse[]> {
  return sql<AssetUse[]>`
    select type, account, asset, received_asset, fee_asset, underlying, asset_class, stated_class, source_class,
      count(*)::integer as rows, min(on_day)::text as first, max(on_day)::text as last
    from transactions where taxpayer_id = ${taxpayerId}
    group by type, account, asset, received_asset, fee_asset, underlying, asset_class, stated_class, source_class`;
}

/** A line of a file that tells of an asset, and the header of that file. */
export interface AssetSource {
  readonly asset: string;
  readonly asset_class: AssetClass;
  readonly import_id: string;
  readonly line: number;
  readonly header: string[];
}

/** One line for each asset and class, out of the newest file whose header has one of these columns. */
export async function selectAssetSources(
  sql: Sql,
  taxpayerId: string,
  assets: readonly string[],
  columns: readonly string[],
): Promise<AssetSource[]> {
  return sql<AssetSource[]>`
    select distinct on (t.asset, t.asset_class) t.asset, t.asset_class, t.import_id, t.source_line as line, i.header
    from transactions t join imports i on i.taxpayer_id = t.taxpayer_id and i.id = t.import_id
    where t.taxpayer_id = ${taxpayerId} and t.asset = any(${assets as string[]}::text[]) and t.source_line is not null
      and exists (select from unnest(i.header) as h (name) where lower(trim(h.name)) = any(${columns as string[]}::text[]))
    order by t.asset, t.asset_class, i.sequence desc, t.source_line`;
}
