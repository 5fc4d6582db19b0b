import { yearOfDay } from '../../numbers.ts';
import type { OracleLine, State } from '../../state.ts';

/**
 * Of what nothing says whether it is a coin or a security, where a line would be another one: from 2025 on in its box
 * (i8949), and a loss of any year (IRC 1091(a), 165(g)). Once an asset and year.
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
  // "Look-through analysis" (Notice 2023-27): what an NFT stands for may be a collectible, and only its owner knows.
  const tokens = lines.filter(
    ({ asset, assetClass, term }) =>
      assetClass === 'nft' && term === 'long' && assets?.[asset]?.collectible === undefined,
  );
  const names = [...asked, ...tokens].map(({ asset, on }) => `${yearOfDay(on)} ${asset}`);
  return [...new Set(names)].map((name) => ({ transactionId: name, kind: 'class_unknown' }));
}
