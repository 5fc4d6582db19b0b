import { classReasonOf, isAlsoCoin, isCoin, isDigital, type UnclassifiedAsset } from '../../engine/events/classes.ts';
import type { AssetClass, ClassRules, TickerReading } from '../../engine/model.ts';

/**
 * What the other assets of an account say of a name that says nothing by itself: a ticker that is also a coin, or an
 * unlisted thing that became worthless. In an account that trades only securities it is a stock, in one that trades only
 * coins a coin. Otherwise it is asked. It follows from all rows of the account, in whatever order they came.
 */

/** A row, or rows alike, with the class that it has and what that was resolved from. */
export interface ClassifiedRow extends UnclassifiedAsset {
  readonly resolvedClass: AssetClass;
  readonly sourceClass: AssetClass | null;
}

/** Whether a row's own asset has a name that says nothing. */
export function isOpenName(row: UnclassifiedAsset, rules: ClassRules, sourceClass: AssetClass | null): boolean {
  if (row.assetClass !== null || (row.type !== 'worthless' && !isAlsoCoin(row.asset))) return false;
  const reason = classReasonOf(row, { ...rules, tickers: {} }, sourceClass);
  return reason === 'unknown' || (row.type === 'worthless' && reason === 'default');
}

/** By account and asset, in one order. Undefined where no name is open. */
export function tickersIn(
  rows: readonly ClassifiedRow[],
  rules: ClassRules,
): NonNullable<ClassRules['tickers']> | undefined {
  const open = new Map<string, Set<string>>();
  for (const row of rows) {
    if (!isOpenName(row, rules, row.sourceClass)) continue;
    const names = open.get(row.account) ?? new Set();
    open.set(row.account, names.add(row.asset));
  }
  if (open.size === 0) return undefined;
  const traded = new Map([...open.keys()].map((account) => [account, { coins: false, securities: false }]));
  for (const row of rows) {
    const seen = traded.get(row.account);
    if (seen === undefined || open.get(row.account)?.has(row.asset) || isCash(row.asset)) continue;
    if (isCoin(row.resolvedClass)) seen.coins = true;
    else if (!isDigital(row.resolvedClass)) seen.securities = true;
  }
  const entries = [...open].sort(byName).map(([account, names]) => {
    const { coins = false, securities = false } = traded.get(account) ?? {};
    const reading: TickerReading = coins === securities ? 'unknown' : coins ? 'crypto' : 'stock';
    return [account, Object.fromEntries([...names].sort().map((name) => [name, reading]))] as const;
  });
  return Object.fromEntries(entries);
}

function isCash(asset: string): boolean {
  return asset === '' || asset === 'USD';
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
