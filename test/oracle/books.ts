import type { AssetClass, Transaction } from '../../src/engine/model.ts';
import { optionOf } from './option.ts';
import { familyOf } from './state.ts';

/** The book of an asset: what basis can flow between by exercise, new names, mergers and spin-offs is one. */
export function booksOf(transactions: readonly Transaction[]): (asset: string, assetClass: AssetClass) => string {
  const next = new Map<string, string>();
  const rootOf = (key: string): string => {
    const above = next.get(key);
    return above === undefined ? key : rootOf(above);
  };
  const join = (a: string, b: string): void => {
    const [first, second] = [rootOf(a), rootOf(b)].sort();
    if (first !== undefined && second !== undefined && first !== second) next.set(second, first);
  };
  for (const transaction of transactions) {
    const { asset, assetClass, receivedAsset, type } = transaction;
    const key = `${familyOf(assetClass)}:${asset}`;
    if (assetClass === 'option') {
      const { underlying } = optionOf(transaction);
      if (underlying !== '') join(key, `security:${underlying}`);
    }
    if (type === 'rename' || type === 'merger' || type === 'spinoff') {
      join(key, `${familyOf(assetClass)}:${receivedAsset}`);
    }
  }
  return (asset, assetClass) => rootOf(`${familyOf(assetClass)}:${asset}`);
}
