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
 * Records puts that count as short sales. Buying a put is a short sale of its stock, and exercising it, selling it or
 * its expiry is the closing (IRC 1233(b), last sentence; Pub. 550, "Put option as short sale"). A gain on it is
 * short-term as far as stock held a year or less was held against it, and the holding period of that stock restarts.
 * This does not apply to stock bought on the day of the put and identified with it; same-day stock counts as identified
 * (1233(c)). A loss on a put has the term of its own holding period: 1233(d) does not name puts.
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

/** Divides slices of puts held over a year: the contracts whose gain is short-term, and the others. */
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

/** Closes puts. The holding period of stock held against them restarts on this day. */
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

/** Applies a split to the shares per contract, in the accounts of the row. */
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

/** Removes puts that can sell no more shares, or none of a whole unit after a split. */
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
