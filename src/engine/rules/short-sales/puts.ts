import type { Day } from '../../../base/day.ts';
import { least, most, scale } from '../../book/amounts.ts';
import type { OpenLot, OpenPut } from '../../book/book.ts';
import { type Fold, isRetirement } from '../../book/fold.ts';
import { listOf } from '../../book/keyed.ts';
import type { Event, TransactionEvent } from '../../events/event.ts';
import type { Ratio } from '../../model.ts';
import {
  divideSlice,
  heldLots,
  isLong,
  ownedSince,
  restartPeriods,
  type SoldSlice,
  sum,
} from '../lots/holding-periods.ts';

/**
 * Buying a put is a short sale of its stock, exercising it, selling it or letting it expire is the closing (IRC 1233(b),
 * last sentence; Pub. 550, "Put option as short sale"): a gain on it is short-term as far as stock held no longer than
 * a year stood behind it, and the period of that stock begins anew. Not so for stock bought on the day of the put, which
 * is taken for what the put is to sell (1233(c)). Losses on puts go by their own period: 1233(d) does not name them.
 */
export function openPuts(fold: Fold): void {
  if (fold.putsToday.length === 0) return;
  const bought = fold.putsToday;
  fold.putsToday = [];
  const married = new Map<string, bigint>();
  for (const lot of bought) {
    const key = lot.underlyingKey;
    if (key === null || isRetirement(fold, lot.account)) continue;
    const on = ownedSince(lot);
    const stock = heldLots(fold, key);
    const same = `${key} ${on}`;
    const withIt = married.get(same) ?? sum(stock.filter((one) => ownedSince(one) === on));
    const inContract = lot.shares ?? unit;
    const shares = sharesOf(inContract, sum(heldLots(fold, lot.key).filter((one) => one.origin === lot.origin)));
    married.set(same, most(0n, withIt - shares));
    const quantity = most(0n, shares - withIt);
    if (quantity === 0n) continue;
    const before = stock.filter((one) => ownedSince(one) < on && !isLong(one, on));
    const put: OpenPut = {
      id: lot.origin,
      key,
      on,
      sequence: lot.sequence,
      quantity,
      shares: inContract,
      heldShort: least(sum(before), quantity),
      claimed: 0n,
    };
    listOf(fold.puts, key).push(put);
  }
}

/** Of puts held over a year the contracts whose gain is short-term, apart from the rest. */
export function markShortTermPuts(fold: Fold, slices: readonly SoldSlice[], on: Day): readonly SoldSlice[] {
  if (fold.puts.size === 0) return slices;
  return slices.flatMap((slice) => {
    const put = putOf(fold, slice.lot);
    if (put === undefined || !isLong(slice.lot, on)) return [slice];
    const shares = sharesOf(put.shares, slice.quantity);
    const later = heldLots(fold, put.key).filter((lot) => ownedSince(lot) > put.on && ownedSince(lot) <= on);
    const turned = least(shares, most(0n, put.heldShort + sum(later)));
    put.heldShort -= turned;
    const contracts = least(slice.quantity, (turned * unit) / put.shares);
    const [first, ...rest] = divideSlice(slice, contracts);
    return first === undefined ? [] : [{ ...first, gainShortTerm: contracts > 0n }, ...rest];
  });
}

/** Puts leave: what stood behind them is held from this day on. */
export function closePuts(fold: Fold, event: Event, slices: readonly Pick<SoldSlice, 'lot' | 'quantity'>[]): void {
  if (fold.puts.size === 0) return;
  for (const { lot, quantity } of slices) {
    const put = putOf(fold, lot);
    if (put === undefined) continue;
    const closed = least(sharesOf(put.shares, quantity), put.quantity);
    const property = heldLots(fold, put.key).map((one) => ({ lot: one, delivered: 0n }));
    restartPeriods(fold, event, put, { quantity: closed, open: put.quantity }, property);
    put.quantity -= closed;
    keepPuts(fold, put.key);
  }
}

/** A contract is on as many shares as a split of them has made, in accounts that the row reaches. */
export function splitPuts(
  fold: Fold,
  event: TransactionEvent,
  ratio: Ratio,
  isReached: (account: string) => boolean,
): void {
  const puts = fold.puts.get(event.key);
  if (puts === undefined) return;
  const accounts = accountsOfPuts(fold, event.key);
  for (const put of puts) {
    if (!(accounts.get(put.id) ?? []).some(isReached)) continue;
    const action = `split ${event.key} ${ratio.numerator}:${ratio.denominator} put ${put.id}`;
    if (event.tx.ratio !== null && fold.actionsToday.has(action)) continue;
    fold.actionsToday.add(action);
    for (const field of ['quantity', 'shares', 'heldShort', 'claimed'] as const) put[field] = scale(put[field], ratio);
  }
  keepPuts(fold, event.key);
}

function accountsOfPuts(fold: Fold, key: string): Map<string, string[]> {
  const accounts = new Map<string, string[]>();
  for (const pools of fold.pools.values()) {
    for (const pool of pools.values()) {
      for (const lot of pool.lots.values()) {
        if (lot.underlyingKey !== key || lot.right !== 'put') break;
        listOf(accounts, lot.origin).push(pool.account);
      }
    }
  }
  return accounts;
}

/** Puts that sell nothing any more, nor ever will for what is left of a share, are gone. */
function keepPuts(fold: Fold, key: string): void {
  const left = listOf(fold.puts, key).filter((one) => one.quantity > 0n && one.shares > 0n);
  if (left.length > 0) fold.puts.set(key, left);
  else fold.puts.delete(key);
}

function putOf(fold: Fold, lot: OpenLot): OpenPut | undefined {
  if (lot.right !== 'put' || lot.underlyingKey === null) return undefined;
  return fold.puts.get(lot.underlyingKey)?.find((put) => put.id === lot.origin);
}

function sharesOf(inContract: bigint, contracts: bigint): bigint {
  return (contracts * inContract) / unit;
}

const unit = 10n ** 18n;
