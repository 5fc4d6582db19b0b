import type { Instant } from '../../base/day.ts';
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

interface Fill {
  readonly id: string;
  readonly at: Instant;
  readonly line: number;
}

/** Maps each purchase that is not the first fill of its order to that first fill. */
function collectFirstFills(ledger: Ledger): ReadonlyMap<string, string> {
  const orders = new Map<string, Map<number, Fill[]>>();
  const add = (accountAsset: string, fill: Fill): void => {
    const fillsByMinute = orders.get(accountAsset) ?? new Map<number, Fill[]>();
    orders.set(accountAsset, fillsByMinute);
    const minute = Math.floor(fill.at / microsecondsPerMinute);
    const order = fillsByMinute.get(minute);
    if (order === undefined) fillsByMinute.set(minute, [fill]);
    else order.push(fill);
  };
  const accountAssets = ledger.places.map(({ key, account }) => `${key} ${account}`);
  for (let trade = 0; trade < ledger.trades; trade++) {
    const at = ledger.instant(trade);
    if (at === null || ledger.isSale[trade]) continue;
    const [id, line] = [ledger.ids[trade] as string, ledger.lines[trade] as number];
    add(accountAssets[ledger.placeOf[trade] as number] as string, { id, at, line });
  }
  for (const tx of ledger.others) {
    const { at, id, line } = tx;
    if (at !== null && isFill(tx)) add(`${toAssetKey(tx.asset, tx.assetClass)} ${tx.account}`, { id, at, line });
  }
  const first = new Map<string, string>();
  for (const fillsByMinute of orders.values()) {
    for (const order of fillsByMinute.values()) {
      const [earliest, ...others] = order.sort(compareFills);
      for (const { id } of others) first.set(id, (earliest as Fill).id);
    }
  }
  return first;
}

/**
 * Returns whether a purchase may be one fill of an order. Puts are excluded, because each is a separate position that
 * counts as a short sale of its stock.
 */
export function isFill(tx: Transaction): boolean {
  return tx.type === 'buy' || (tx.type === 'buy_to_open' && rightOf(tx) !== 'put');
}

function compareFills(a: Fill, b: Fill): number {
  return a.at - b.at || a.line - b.line || (a.id < b.id ? -1 : 1);
}

const microsecondsPerMinute = 60_000_000;
