import type { Sql } from '../../../../db/connection.ts';
import { parseOption } from '../../../../engine/events/keys.ts';
import type { AssetClass } from '../../../../engine/model.ts';
import { selectAssetWords, selectFileNames } from '../transactions.queries.ts';
import { coins, securities } from './common-names.ts';

/** Returns the name of an asset, such as `Apple` for AAPL. Undefined if it is unknown. */
type AssetNamer = (asset: string, assetClass: AssetClass) => string | undefined;

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
