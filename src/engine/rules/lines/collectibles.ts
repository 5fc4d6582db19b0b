import type { Fold } from '../../book/fold.ts';
import { disposalWith } from '../../book/plain-disposal.ts';
import { isCollectible } from '../../events/collectibles.ts';
import type { Disposal, Rules } from '../../model.ts';
import { lettersOf } from './columns.ts';

/**
 * Adds code C, with an adjustment of zero, to long-term lines of collectibles (i8949, column (f), code C). The code is
 * the input of the 28% Rate Gain Worksheet. It is added after everything else about the day is decided.
 */
export function flagCollectibles(fold: Fold): void {
  for (let at = fold.dayStart; at < fold.facts.length; at++) {
    const fact = fold.facts[at];
    if (fact?.kind === 'disposal' && isFlagged(fact, fold.rules))
      fold.facts[at] = disposalWith(fact, { code: lettersOf(`${fact.code}C`) });
  }
}

/** Returns whether an asset of a book may be a collectible, by its key alone and regardless of its class. */
export function mayBeCollectible(key: string, rules: Rules): boolean {
  const asset = key.slice(key.indexOf(':') + 1);
  return rules.assets?.[asset]?.collectible === true || isCollectible(asset, 'stock', rules) !== false;
}

function isFlagged({ term, asset, assetClass }: Disposal, rules: Rules): boolean {
  return term === 'long' && isCollectible(asset, assetClass, rules) === true;
}
