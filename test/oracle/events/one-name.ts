import type { Rules, Transaction } from '../../../src/engine/model.ts';

/**
 * Returns the history with one name for each security. Lots and wash sales are determined per security, under all the
 * names that brokers use (IRC 1012, 1091). If the taxpayer states that two names are one security, its rows and the
 * rows of its options get one name.
 */
export function underOneName(history: readonly Transaction[], assets: Rules['assets'] = {}): Transaction[] {
  const name = (stated: string): string => {
    const own = assets[stated]?.sameAs;
    if (own !== undefined) return own;
    const words = stated.split(' ');
    if (words.length < 4 || !/^[CP]$/.test(words.at(-2) ?? '')) return stated;
    const [root, terms] = [words.slice(0, -3).join(' '), words.slice(-3).join(' ')];
    return `${assets[root]?.sameAs ?? root} ${terms}`;
  };
  return history.map((row) => ({
    ...row,
    asset: name(row.asset),
    receivedAsset: name(row.receivedAsset),
    feeAsset: name(row.feeAsset),
    underlying: name(row.underlying),
  }));
}
