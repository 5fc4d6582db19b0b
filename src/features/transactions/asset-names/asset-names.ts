import type { Sql } from '../../../db/connection.ts';
import { parseOption } from '../../../engine/events/keys.ts';
import type { AssetClass } from '../../../engine/model.ts';
import { commonCoins } from './common-coins.ts';
import { commonSecurities } from './common-securities.ts';
import { assetsNamedLike, selectAssetWords, selectFileNames } from './queries.ts';

/** Returns the name of an asset, such as `Apple` for AAPL. Undefined if it is unknown. */
export type AssetNamer = (asset: string, assetClass: AssetClass) => string | undefined;

/**
 * Loads the names of assets. The taxpayer's own name comes first, then the one in the newest file, then the list of
 * common names. Coins use that list before the files, because a blockchain export contains whatever name a token gives
 * itself. An option has the name of its underlying.
 */
export async function loadAssetNames(sql: Sql, taxpayerId: string, assets: Iterable<string>): Promise<AssetNamer> {
  const wanted = new Set([...assets].map(rootOf));
  if (wanted.size === 0) return () => undefined;
  const words = await selectAssetWords(sql, taxpayerId);
  const own = new Map(words.flatMap(({ asset, name }) => (name === null ? [] : [[asset, name] as const])));
  const bookNames = new Map(
    words.flatMap(({ asset, sameAs }) => (sameAs === null || !wanted.has(sameAs) ? [] : [[asset, sameAs] as const])),
  );
  const inFiles = new Map<string, string>();
  const found = await selectFileNames(sql, taxpayerId, [...wanted, ...bookNames.keys()]);
  for (const { asset, name } of found.sort((a, b) => Number(a.sequence) - Number(b.sequence))) {
    inFiles.set(bookNames.get(asset) ?? asset, name);
  }
  return (asset, assetClass) => {
    const root = rootOf(asset);
    const isCoin = assetClass === 'crypto';
    const listed = (isCoin ? coins : securities).get(root);
    return own.get(root) ?? (isCoin ? (listed ?? inFiles.get(root)) : (inFiles.get(root) ?? listed));
  };
}

function rootOf(asset: string): string {
  return parseOption(asset)?.underlying ?? asset;
}

/**
 * Builds a condition on rows whose asset has a name that contains the text. `row` is the alias of a table with the
 * columns `asset` and `asset_class`.
 */
export function isNamedLike(sql: Sql, taxpayerId: string, text: string, pattern: string, row: 't' | 'd') {
  const [asset, assetClass] = [sql.unsafe(`${row}.asset`), sql.unsafe(`${row}.asset_class`)];
  const root = sql`case when ${assetClass} = 'option' then split_part(${asset}, ' ', 1) else ${asset} end`;
  return sql`(
    ${root} in (${assetsNamedLike(sql, taxpayerId, pattern)})
    or ${assetClass} <> 'crypto' and ${root} = any(${symbolsNamed(securities, text)}::text[])
    or ${assetClass} = 'crypto' and ${asset} = any(${symbolsNamed(coins, text)}::text[])
  )`;
}

function symbolsNamed(names: ReadonlyMap<string, string>, text: string): string[] {
  const part = text.toLowerCase();
  return [...names].flatMap(([symbol, name]) => (name.toLowerCase().includes(part) ? [symbol] : []));
}

export const securities = parseNames(commonSecurities);
export const coins = parseNames(commonCoins);

function parseNames(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .trim()
      .split('\n')
      .map((line) => {
        const end = line.indexOf(' ');
        return [line.slice(0, end), line.slice(end + 1)];
      }),
  );
}
