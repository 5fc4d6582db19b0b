import type { Sql } from '../../../../db/connection.ts';
import type { SecurityName } from '../../../../formats/security-names.ts';
import type { StageScope } from '../rows/rows.queries.ts';
import { coins, listSymbolsNamed, securities } from './common-names.ts';

/** Stores the names of securities in an imported file. They are deleted with the import. */
export async function insertAssetNames(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  names: readonly SecurityName[],
): Promise<void> {
  const values = names.map(({ asset, name }) => ({ taxpayer_id: taxpayerId, import_id: importId, asset, name }));
  for (let at = 0; at < values.length; at += rowsPerInsert) {
    await sql`insert into asset_names ${sql(values.slice(at, at + rowsPerInsert))}`;
  }
}

const rowsPerInsert = 1_000;

interface AssetWords {
  readonly asset: string;
  /** The taxpayer's name for it. */
  readonly name: string | null;
  /** The main name of the security, if `asset` is another name of it. */
  readonly sameAs: string | null;
}

/** Selects the assets that the settings name or rename. */
export async function selectAssetWords(sql: Sql, taxpayerId: string) {
  return sql<AssetWords[]>`
    select a.key as asset, a.value->>'name' as name, a.value->>'sameAs' as "sameAs"
    from taxpayers me, jsonb_each(coalesce(me.settings->'assets', '{}')) as a (key, value)
    where me.id = ${taxpayerId} and (a.value ? 'name' or a.value ? 'sameAs')`;
}

interface FileName extends SecurityName {
  /** The position of its import in the list of imports. */
  readonly sequence: string;
}

/** Selects the name of each asset in the newest import that has one. */
export async function selectFileNames(sql: Sql, taxpayerId: string, assets: readonly string[]) {
  return sql<FileName[]>`
    select distinct on (n.asset) n.asset, n.name, i.sequence
    from asset_names n join imports i on i.taxpayer_id = n.taxpayer_id and i.id = n.import_id
    where n.taxpayer_id = ${taxpayerId} and n.asset = any(${assets as string[]}::text[])
    order by n.asset, i.sequence desc`;
}

/**
 * Builds a condition on rows whose asset has a name that contains the text. `row` is the alias of a table with the
 * columns `asset` and `asset_class`.
 */
export function isNamedLike(sql: Sql, taxpayerId: string, text: string, row: 't' | 'd') {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const [asset, assetClass] = [sql.unsafe(`${row}.asset`), sql.unsafe(`${row}.asset_class`)];
  const [stocks, tokens] = [listSymbolsNamed(securities, text), listSymbolsNamed(coins, text)];
  const root = sql`case when ${assetClass} = 'option' then split_part(${asset}, ' ', 1) else ${asset} end`;
  return sql`(
    ${root} in (
      select coalesce(me.settings->'assets'->n.asset->>'sameAs', n.asset) collate "C"
      from asset_names n join taxpayers me on me.id = n.taxpayer_id
      where n.taxpayer_id = ${taxpayerId} and n.name ilike ${pattern}
      union all
      select a.key collate "C" from taxpayers me, jsonb_each(coalesce(me.settings->'assets', '{}')) as a (key, value)
      where me.id = ${taxpayerId} and a.value->>'name' ilike ${pattern}
    )
    ${stocks.length === 0 ? sql`` : sql`or ${assetClass} <> 'crypto' and ${root} = any(${stocks}::text[])`}
    ${tokens.length === 0 ? sql`` : sql`or ${assetClass} = 'crypto' and ${asset} = any(${tokens}::text[])`}
  )`;
}
