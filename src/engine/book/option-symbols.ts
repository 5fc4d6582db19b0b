import { assetOfKey, parseOption, stockOfRoot, toAssetKey } from '../events/keys.ts';
import type { Fold } from './fold.ts';
import { getOrCreateMember } from './keyed.ts';

/**
 * Returns the terms of an option without its root: stock, expiration, right and strike, and the final digit of a root
 * for mini or adjusted contracts. Returns null if the symbol does not state them.
 */
export function termsOfOption(symbol: string, stockKey: string): string | null {
  const option = parseOption(symbol);
  if (option === undefined) return null;
  const { underlying: root, expires, right, strike } = option;
  const digit = root.slice(stockOfRoot(root).length);
  return [stockKey, digit, expires, right, strike.includes('.') ? strike.replace(/\.?0+$/, '') : strike].join(' ');
}

/**
 * Records an option whose symbol names a different stock, for example because it was opened before the stock was
 * renamed.
 */
export function noteSymbol(
  fold: Fold,
  { key, underlyingKey }: { readonly key: string; readonly underlyingKey: string | null },
): void {
  if (underlyingKey === null || underlyingKey === stockNamedBy(key)) return;
  const terms = termsOfOption(assetOfKey(key), underlyingKey);
  if (terms !== null) getOrCreateMember(fold.otherSymbols, terms, () => new Set()).add(key);
}

/** Returns the key of the stock named in an option symbol, or null if it names none. */
export function stockNamedBy(key: string): string | null {
  const root = parseOption(assetOfKey(key))?.underlying;
  return root === undefined ? null : toAssetKey(root, 'stock');
}
