import type { Sql } from '../../../db/connection.ts';
import type { AssetClass, TransactionType } from '../../../engine/model.ts';
import type { StoredSettings } from './elections.ts';

/** Returns whether the finalized allocation includes any of these rows. */
export async function isAllocated(sql: Sql, taxpayerId: string, ids: readonly string[]): Promise<boolean> {
  const rows = await sql`
    select from allocations where taxpayer_id = ${taxpayerId} and transactions && ${ids as string[]}::uuid[]`;
  return rows.length > 0;
}

export async function selectElections(
  sql: Sql,
  taxpayerId: string,
): Promise<{ settings: StoredSettings; time_zone: string }> {
  const [row] = await sql<{ settings: StoredSettings; time_zone: string }[]>`
    select settings, time_zone from taxpayers where id = ${taxpayerId}`;
  if (row === undefined) throw new Error('The taxpayer has no row.');
  return row;
}

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
export async function selectAssetUses(sql: Sql, taxpayerId: string, accounts: readonly string[] | null = null) {
  return sql<AssetUse[]>`
    select type, account, asset, received_asset, fee_asset, underlying, asset_class, stated_class, source_class,
      count(*)::integer as rows, min(on_day)::text as first, max(on_day)::text as last
    from transactions
    where taxpayer_id = ${taxpayerId}
      and (${accounts as string[] | null}::text[] is null or account = any(${accounts as string[] | null}::text[]))
    group by type, account, asset, received_asset, fee_asset, underlying, asset_class, stated_class, source_class`;
}
