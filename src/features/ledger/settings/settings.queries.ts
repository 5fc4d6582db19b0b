import type { Sql } from '../../../db/connection.ts';
import type { AssetClass, Statement } from '../../../engine/model.ts';

/** Selects the asset classes of rows by the names that the rows themselves use. */
export async function selectClasses(sql: Sql, taxpayerId: string, names: readonly string[]) {
  return sql<{ name: string; asset_class: AssetClass }[]>`
    select distinct n.name, t.asset_class
    from transactions t, lateral (select coalesce(t.stated_names::jsonb ->> 'asset', t.asset) as name) n
    where t.taxpayer_id = ${taxpayerId} and n.name = any(${names as string[]}::text[])
    order by n.name, t.asset_class`;
}

/** A row that exchanges one asset for another, with the names that the row itself uses. */
type ExchangeRow = Pick<Statement, 'type' | 'asset' | 'receivedAsset' | 'feeAsset' | 'underlying'> & {
  readonly on_day: string;
};

/** Selects rows that give up or receive an asset with one of these names. */
export async function selectExchanges(sql: Sql, taxpayerId: string, names: readonly string[]) {
  return sql<ExchangeRow[]>`
    select t.type, t.on_day, n.asset, n.received_asset as "receivedAsset", '' as "feeAsset", '' as underlying
    from transactions t, lateral (
      select coalesce(t.stated_names::jsonb ->> 'asset', t.asset) as asset,
        coalesce(t.stated_names::jsonb ->> 'receivedAsset', t.received_asset) as received_asset
    ) n
    where t.taxpayer_id = ${taxpayerId} and t.received_asset <> '' and t.type <> 'rename'
      and (n.asset = any(${names as string[]}::text[]) or n.received_asset = any(${names as string[]}::text[]))
    order by t.on_day, t.id`;
}
