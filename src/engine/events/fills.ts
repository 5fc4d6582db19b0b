import type { Transaction } from '../model.ts';
import { rightOf, toAssetKey } from './keys.ts';
import type { Ledger } from './ledger.ts';

/**
 * Returns the id of the first fill of the order that a purchase belongs to. An order is often filled in several parts.
 * Purchases of one asset in one account within one minute count as one purchase, so no part replaces a loss on another
 * (Rev. Rul. 56-602; DECISIONS.md). A purchase without a time is always separate.
 */
export function findFirstFill(ledger: Ledger, id: string): string {
  ledger.firstFills ??= collectFirstFills(ledger);
  return ledger.firstFills.get(id) ?? id;
}

/**
 * Maps each purchase that is not the first fill of its order to that first fill. Walks the purchases by time, so it
 * only compares each one with the previous purchase in its account and asset.
 */
function collectFirstFills(ledger: Ledger): ReadonlyMap<string, string> {
  const others = ledger.others.filter((tx) => tx.at !== null && isFill(tx));
  const bookOf = new Map<string, number>();
  const bookNamed = (key: string, account: string): number => {
    const name = `${key} ${account}`;
    const book = bookOf.get(name) ?? bookOf.size;
    bookOf.set(name, book);
    return book;
  };
  const bookOfPlace = ledger.places.map(({ key, account }) => bookNamed(key, account));
  const minutes: number[] = [];
  const firsts: string[] = [];
  const first = new Map<string, string>();
  for (const fill of sortFills(ledger, others)) {
    const other = fill < ledger.trades ? undefined : others[fill - ledger.trades];
    const book =
      other === undefined
        ? (bookOfPlace[ledger.placeOf[fill] as number] as number)
        : bookNamed(toAssetKey(other.asset, other.assetClass), other.account);
    const { id, at } = other ?? { id: ledger.ids[fill] as string, at: ledger.ats[fill] as number };
    const minute = Math.floor((at ?? 0) / microsecondsPerMinute);
    if (minutes[book] === minute) {
      first.set(id, firsts[book] as string);
    } else {
      minutes[book] = minute;
      firsts[book] = id;
    }
  }
  return first;
}

/**
 * Returns the numbers of all purchases with a time, in the order of their times. Numbers from `ledger.trades` on are
 * indexes in `others`.
 */
function sortFills(ledger: Ledger, others: readonly Transaction[]): number[] {
  const { ats, isSale, trades } = ledger;
  const timeOf = (fill: number): number => (fill < trades ? ats[fill] : others[fill - trades]?.at) as number;
  const lineOf = (fill: number): number => (fill < trades ? ledger.lines[fill] : others[fill - trades]?.line) as number;
  const idOf = (fill: number): string => (fill < trades ? ledger.ids[fill] : others[fill - trades]?.id) as string;
  const compare = (a: number, b: number): number =>
    timeOf(a) - timeOf(b) || lineOf(a) - lineOf(b) || (idOf(a) < idOf(b) ? -1 : 1);
  const fills: number[] = [];
  for (let trade = 0; trade < trades; trade++)
    if (!isSale[trade] && !Number.isNaN(ats[trade] as number)) fills.push(trade);
  for (let other = 0; other < others.length; other++) fills.push(trades + other);
  for (let at = 1; at < fills.length; at++)
    if (compare(fills[at - 1] as number, fills[at] as number) > 0) return fills.sort(compare);
  return fills;
}

/**
 * Returns whether a purchase may be one fill of an order. Puts are excluded, because each is a separate position that
 * counts as a short sale of its stock.
 */
export function isFill(tx: Transaction): boolean {
  return tx.type === 'buy' || (tx.type === 'buy_to_open' && rightOf(tx) !== 'put');
}

const microsecondsPerMinute = 60_000_000;
