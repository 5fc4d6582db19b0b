import { type Day, formatDay } from '../../../base/day.ts';
import {
  type Cents,
  formatMoney,
  formatQuantity,
  type Money,
  type Quantity,
  roundToCents,
} from '../../../base/decimal.ts';
import { least } from '../../book/amounts.ts';
import { type Fold, raise } from '../../book/fold.ts';
import { classifyAssets, isContract1256 } from '../../events/classes.ts';
import { head, orders, type TransactionEvent } from '../../events/event.ts';
import { countsOn } from '../../events/events.ts';
import { rightOf, toAssetKey, underlyingOf } from '../../events/keys.ts';
import type { Ledger } from '../../events/ledger.ts';
import { buysStock, computeStrikeCost, isAtStrikeLessFees, sharesOfEnd } from '../../events/strike-price.ts';
import type { Transaction, TransactionType } from '../../model.ts';
import { areAdjacent } from '../lots/settlement.ts';

/**
 * The exercise or assignment of an option, and trades that may state its shares a second time. Brokers state the shares
 * of an exercise or assignment as separate trades. If both are in one file, they are joined when it is read. Rows of
 * two files, or rows with only some of the shares, are not. Such a trade is at the strike price, in the same account
 * and direction, and within one business day of the event. Both rows count, and an issue is raised.
 */
export interface DoubleDelivery {
  readonly end: Transaction;
  readonly trades: readonly Transaction[];
}

/**
 * Returns the deliveries that may be stated twice, by the day of the last of their rows. Returns null for nearly every
 * book, because none of its options delivers shares.
 */
export function findDoubleDeliveries(ledger: Ledger): ReadonlyMap<Day, readonly DoubleDelivery[]> | null {
  const ends = ledger.others.filter(deliversStock).sort(compareRows);
  if (ends.length === 0) return null;
  const trades = groupTrades(ledger, new Set(ends.map(stockOfEnd)));
  const deliveries = new Map<Day, DoubleDelivery[]>();
  for (const end of ends) {
    const all = trades.get(toTradeKey(stockOfEnd(end), buysStock(end))) ?? [];
    const isNear = ({ on }: Transaction): boolean => areAdjacent(on, countsOn(end)) || areAdjacent(on, end.on);
    const near = all.filter((trade) => isNear(trade) && isAtStrikeLessFees(end, trade));
    if (near.length === 0) continue;
    // The other trades may belong to another exercise or assignment.
    trades.set(
      toTradeKey(stockOfEnd(end), buysStock(end)),
      all.filter((trade) => !near.includes(trade)),
    );
    const last = Math.max(countsOn(end), ...near.map(({ on }) => on)) as Day;
    deliveries.set(last, [...(deliveries.get(last) ?? []), { end, trades: near }]);
  }
  return deliveries;
}

/** Returns whether a row is an exercise or assignment that buys or sells shares. */
export function deliversStock(tx: Transaction): boolean {
  if (tx.type !== 'exercise' && tx.type !== 'assign') return false;
  const isStockOption = !isContract1256(classifyAssets(tx).asset) && underlyingOf(tx) !== '' && rightOf(tx) !== null;
  return isStockOption && sharesOfEnd(tx) > 0n;
}

export function raiseDoubleDeliveries(fold: Fold, doubles: readonly DoubleDelivery[]): void {
  for (const { end, trades } of doubles) {
    const units = trades.reduce((sum, { quantity }) => sum + (quantity ?? 0n), 0n);
    const twice = least(units, sharesOfEnd(end));
    const dollars = computeStrikeCost(end, twice) ?? 0n;
    const on = countsOn(end);
    const shares = `${formatQuantity(twice as Quantity)} ${underlyingOf(end)}`;
    const detail =
      `The ${end.type === 'assign' ? 'assignment' : 'exercise'} of ${end.asset} in ${end.account} on ${formatDay(on)} ` +
      `${buysStock(end) ? 'buys' : 'sells'} ${shares} for $${formatMoney(dollars as Money)}, and ${trades.length === 1 ? 'another row does' : `${trades.length} other rows do`} the same at the strike price ` +
      `on ${[...new Set(trades.map((trade) => formatDay(trade.on)))].join(', ')}. ` +
      'If they are the same shares, delete the rows for the shares. If they are separate trades, accept this issue.';
    const event: TransactionEvent = { ...head({ ...end, on }, orders.close, 0), kind: 'assign' };
    const others = trades.map(({ id }) => id);
    raise(fold, event, 'unreconciled', detail, {
      dollars: roundToCents(dollars as Money) as Cents,
      transactions: others,
      suffix: 'delivery',
    });
  }
}

const sides: Partial<Record<TransactionType, 'buy' | 'sell'>> = {
  buy: 'buy',
  cover: 'buy',
  sell: 'sell',
  short_sell: 'sell',
};

/** Returns trades by stock, account and direction, oldest first. */
function groupTrades(ledger: Ledger, stocks: ReadonlySet<string>): Map<string, Transaction[]> {
  const isWanted = ledger.places.map(({ key, account }) => stocks.has(toStockKey(key, account)));
  const rows = ledger.others.filter(
    (tx) => tx.type in sides && stocks.has(toStockKey(toAssetKey(tx.asset, classifyAssets(tx).asset), tx.account)),
  );
  for (let trade = 0; trade < ledger.trades; trade++) {
    if (isWanted[ledger.placeOf[trade] as number]) rows.push(ledger.trade(trade));
  }
  return Map.groupBy(rows.sort(compareRows), (tx) =>
    toTradeKey(toStockKey(toAssetKey(tx.asset, classifyAssets(tx).asset), tx.account), sides[tx.type] === 'buy'),
  );
}

function stockOfEnd(end: Transaction): string {
  return toStockKey(toAssetKey(underlyingOf(end), 'stock'), end.account);
}

function toStockKey(key: string, account: string): string {
  return `${key}\n${account}`;
}

function toTradeKey(stock: string, buys: boolean): string {
  return `${stock}\n${buys ? 'buy' : 'sell'}`;
}

function compareRows(a: Transaction, b: Transaction): number {
  return countsOn(a) - countsOn(b) || a.line - b.line || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
