import fc from 'fast-check';
import type { AssetRules, Transaction } from '../../src/engine/model.ts';

/** The rows of a history that name a security differently. One bit selects each name of each row. */
export interface TwoNames {
  readonly assets: readonly string[];
  readonly dice: readonly boolean[];
}

/** The assets in random histories that rows may state under two names. */
export const twoNames: fc.Arbitrary<TwoNames> = fc.record({
  assets: fc.subarray(['AAA', 'BBB', 'FND', 'BTC', 'TKN'], { minLength: 1 }),
  dice: fc.array(fc.boolean(), { minLength: 13, maxLength: 13 }),
});

const members = ['asset', 'receivedAsset', 'feeAsset', 'underlying'] as const;

/** Returns the history with some names replaced, and the settings that give it the same books. */
export function splitNames(
  history: readonly Transaction[],
  { assets, dice }: TwoNames,
): { readonly rows: Transaction[]; readonly assets: Readonly<Record<string, AssetRules>> } {
  const others = new Map(assets.map((asset) => [asset, `${asset} CORP`]));
  let thrown = 0;
  const other = (name: string): string => {
    const [, root = name, terms = ''] = /^(.+?)( \d{4}-\d{2}-\d{2} [CP] .+)$/.exec(name) ?? [];
    const found = others.get(root);
    if (found === undefined) return name;
    thrown += 1;
    return dice[thrown % dice.length] ? `${found}${terms}` : name;
  };
  const rows = history.map((row) => ({
    ...row,
    ...Object.fromEntries(members.map((member) => [member, other(row[member])])),
  }));
  return { rows, assets: Object.fromEntries([...others].map(([asset, name]) => [name, { sameAs: asset }])) };
}
