import type { Sql } from '../../db/connection.ts';
import type { AssetClass } from '../../engine/model.ts';

/** A line of a file that names an asset, and the header of that file. */
export interface AssetSource {
  readonly asset: string;
  readonly asset_class: AssetClass;
  readonly import_id: string;
  readonly line: number;
  readonly header: string[];
}

/** Selects one line per asset and class from the newest file that contains one of these columns. */
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
