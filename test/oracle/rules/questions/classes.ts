import { yearOfDay } from '../../numbers.ts';
import type { OracleLine, State } from '../../state.ts';

/**
 * Assets that could be a coin or a security, if the line would differ: its box from 2025 on (i8949), and a loss in any
 * year (IRC 1091(a), 165(g)). The question is asked once per asset and year.
 */
export function classQuestions(
  lines: readonly OracleLine[],
  unsaid: ReadonlySet<string>,
  { assets }: State['rules'],
): State['issues'] {
  const asked = lines.filter(
    ({ account, asset, assetClass, on, proceeds, basis }) =>
      unsaid.has(`${account} ${asset}`) &&
      (assetClass === 'stock' || assetClass === 'crypto') &&
      (yearOfDay(on) >= 2025 || proceeds.lt(basis)),
  );
  // "Look-through analysis" (Notice 2023-27): an NFT may represent a collectible, and only its owner can tell.
  const tokens = lines.filter(
    ({ asset, assetClass, term }) =>
      assetClass === 'nft' && term === 'long' && assets?.[asset]?.collectible === undefined,
  );
  const names = [...asked, ...tokens].map(({ asset, on }) => `${yearOfDay(on)} ${asset}`);
  return [...new Set(names)].map((name) => ({ transactionId: name, kind: 'class_unknown' }));
}
