import type { Day } from '../../../../src/base/day.ts';
import { parseDay } from '../../../../src/base/day.ts';
import { Exact } from '../../numbers.ts';
import { familyOf, isRetirement, type OracleShort, remaining, type State } from '../../state.ts';

/** An option described by its symbol, in dollars per share. */
export interface ListedOption {
  readonly stock: string;
  readonly isCall: boolean;
  readonly strike: Exact;
  readonly expires: Day;
}

/**
 * Parses `AAPL 2025-01-17 C 150`. `AAPL7` and `AAPL1` are a mini and an adjusted contract on AAPL. Returns undefined if
 * the asset is not an option.
 */
export function listedOption(symbol: string): ListedOption | undefined {
  const [, stock = '', day = '', right, strike = ''] =
    /^(.+?)\d? (\d{4}-\d{2}-\d{2}) ([CP]) ([\d.]+)$/.exec(symbol) ?? [];
  const expires = parseDay(day);
  return expires === undefined ? undefined : { stock, isCall: right === 'C', strike: new Exact(strike), expires };
}

/** Returns the stock of an open option: the stock in its symbol, or the stock that replaced it. */
export function stockOfOption({ asset, underlying }: { readonly asset: string; readonly underlying: string }): string {
  const [, root = ''] = /^(.+?) \d{4}-/.exec(asset) ?? [];
  const listed = listedOption(asset)?.stock ?? '';
  return listed === '' || underlying === '' || underlying === root ? listed : underlying.replace(/\d$/, '');
}

/** Open positions in a stock or in options on it. Positions in a tax-free account are not the taxpayer's. */
export interface Position {
  readonly isOption: boolean;
  /** True if the position gains when the stock rises. */
  readonly rises: boolean;
  readonly since: Day;
  /** True for a written option. */
  readonly written: OracleShort | null;
}

export function positionsIn(state: State, stock: string): Position[] {
  const ofStock = (asset: string): boolean => asset === stock;
  const held = state.lots.flatMap((lot): Position[] => {
    if (remaining(lot).lte(0) || isRetirement(state, lot.account) || familyOf(lot.assetClass) !== 'security') return [];
    const option = listedOption(lot.asset);
    const since = lot.acquired;
    if (ofStock(lot.asset)) return [{ isOption: false, rises: true, since, written: null }];
    if (option === undefined || stockOfOption(lot) !== stock) return [];
    return [{ isOption: true, rises: option.isCall, since, written: null }];
  });
  const owed = state.shorts.flatMap((short): Position[] => {
    if (remaining(short).lte(0) || isRetirement(state, short.account) || familyOf(short.assetClass) !== 'security')
      return [];
    const option = listedOption(short.asset);
    const since = short.opened;
    if (!short.written) return ofStock(short.asset) ? [{ isOption: false, rises: false, since, written: null }] : [];
    if (option === undefined || stockOfOption(short) !== stock) return [];
    return [{ isOption: true, rises: !option.isCall, since, written: short }];
  });
  return [...held, ...owed];
}
