import { type Day, parseDay } from '../../../base/day.ts';
import { parseMoney } from '../../../base/decimal.ts';
import type { WrittenOption } from '../../book/book.ts';
import { type Fold, isRetirement } from '../../book/fold.ts';
import { stockNamedBy } from '../../book/option-symbols.ts';
import { assetOfKey, parseOption, stockOfRoot, toAssetKey } from '../../events/keys.ts';

/** An option parsed from its symbol. The strike is in 10⁻⁸ dollars a share. */
export interface NamedOption {
  /** The asset key of its stock. */
  readonly stock: string;
  readonly right: 'call' | 'put';
  readonly strike: bigint;
  readonly expires: Day;
}

/** Returns undefined if the asset is not an option, or its symbol is incomplete. */
export function namedOption(asset: string): NamedOption | undefined {
  const name = parseOption(asset);
  const expires = parseDay(name?.expires ?? '');
  const strike = parseMoney(name?.strike ?? '');
  if (name === undefined || expires === undefined || strike === undefined) return undefined;
  return { stock: toAssetKey(stockOfRoot(name.underlying), 'stock'), right: name.right, strike, expires };
}

/**
 * Returns the asset key of an open option's stock. The symbol names the stock at the time the option was opened. If the
 * stock was renamed or exchanged later, `underlyingKey` is a different key. Returns undefined for an option that names
 * no stock.
 */
export function stockOfPosition({ key, underlyingKey }: OptionPosition): string | undefined {
  const named = namedOption(assetOfKey(key))?.stock;
  const isFollowed = underlyingKey !== null && underlyingKey !== stockNamedBy(key);
  return named === undefined || !isFollowed ? named : toAssetKey(stockOfRoot(assetOfKey(underlyingKey)), 'stock');
}

type OptionPosition = Pick<WrittenOption, 'key' | 'underlyingKey'>;

/** An open position in a stock or in an option on it. */
export interface StockPosition {
  readonly isOption: boolean;
  readonly opened: Day;
  readonly written: WrittenOption | null;
}

/** Returns the taxpayer's open positions that gain if a stock rises, or if it falls, outside retirement accounts. */
export function* listStockPositions(fold: Fold, stock: string, rises: boolean): Generator<StockPosition> {
  for (const written of [...fold.written.values()].flat()) {
    const option = namedOption(written.asset);
    if (
      option === undefined ||
      stockOfPosition(written) !== stock ||
      (option.right === 'put') !== rises ||
      written.quantity <= 0n
    )
      continue;
    if (!isRetirement(fold, written.account)) yield { isOption: true, opened: written.on, written };
  }
  for (const { on, quantity, account } of rises ? [] : (fold.shorts.get(stock) ?? [])) {
    if (quantity > 0n && !isRetirement(fold, account)) yield { isOption: false, opened: on, written: null };
  }
  for (const [key, accounts] of fold.pools) {
    const option = key === stock ? undefined : namedOption(assetOfKey(key));
    if ((key !== stock && option === undefined) || (option?.right !== 'put') !== rises) continue;
    for (const pool of accounts.values()) {
      if (isRetirement(fold, pool.account)) continue;
      for (const lot of pool.lots.values()) {
        if (option !== undefined && stockOfPosition(lot) !== stock) continue;
        if (lot.quantity > 0n) yield { isOption: option !== undefined, opened: lot.acquired, written: null };
      }
    }
  }
}
