import type { Day } from '../../../base/day.ts';
import { createAllocator, least, most, scale } from '../../book/amounts.ts';
import { freezeAverage } from '../../book/averages.ts';
import type { OpenLot, OpenPut } from '../../book/book.ts';
import { type Fold, getOrCreatePool, isRetirement, noteTransaction, reorder } from '../../book/fold.ts';
import { getOrCreateList } from '../../book/keyed.ts';
import type { Slice } from '../../book/lots.ts';
import { toNotOnForm, withNotOnForm } from '../../book/not-on-form-1099.ts';
import { rebase } from '../../book/remaining.ts';
import type { Event, TransactionEvent } from '../../events/event.ts';
import type { Ratio } from '../../model.ts';
import {
  divideSlice,
  isLong,
  listHeldLots,
  ownedSince,
  restartPeriods,
  type SoldSlice,
  splitOff,
  sum,
} from '../lots/holding-periods.ts';
import type { TakenLots } from '../lots/take.ts';

/**
 * Records the puts bought today, which count as short sales. Buying a put is a short sale of its stock, and exercising
 * it, selling it or letting it expire is the closing (IRC 1233(b), last sentence; Pub. 550, "Put option as short
 * sale"). A gain on it is short-term to the extent that stock held for a year or less was held against it, and the
 * holding period of that stock restarts. This does not apply to stock bought on the same day as the put and identified
 * with it (1233(c)). We treat stock bought on that day as identified, up to the number of shares that the put covers.
 * The term of a loss on a put depends on its own holding period, because 1233(d) does not mention puts.
 */
export function openPuts(fold: Fold): void {
  if (fold.putsToday.length === 0) return;
  const bought = fold.putsToday;
  fold.putsToday = [];
  for (const lot of bought) {
    const key = lot.underlyingKey;
    if (key === null || isRetirement(fold, lot.account)) continue;
    const on = ownedSince(lot);
    const stock = listHeldLots(fold, key);
    const inContract = lot.shares ?? unit;
    const shares = sharesOf(inContract, sum(listHeldLots(fold, lot.key).filter((one) => one.origin === lot.origin)));
    const withIt = stock.filter((one) => ownedSince(one) === on && one.marriedTo === undefined);
    const married = identifyWithPut(fold, lot, withIt, shares);
    const quantity = shares - married;
    if (shares === 0n) continue;
    const before = stock.filter((one) => ownedSince(one) < on && !isLong(one, on));
    const put: OpenPut = {
      id: lot.origin,
      key,
      on,
      sequence: lot.sequence,
      quantity,
      married,
      shares: inContract,
      heldShort: least(sum(before), quantity),
      claimed: 0n,
    };
    getOrCreateList(fold.puts, key).push(put);
  }
}

/** Identifies shares with a put bought on the same day. Shares in the put's own account come first. */
function identifyWithPut(fold: Fold, put: OpenLot, stock: readonly OpenLot[], shares: bigint): bigint {
  let left = shares;
  for (const lot of sortByAccount(stock, put.account)) {
    const units = least(left, lot.quantity);
    if (units === 0n) break;
    // Splits off the other shares: split-off parts are sold first, so the shares identified with the put are kept.
    if (units < lot.quantity) splitOff(fold, lot, lot.quantity - units);
    lot.marriedTo = put.origin;
    left -= units;
  }
  return shares - left;
}

function sortByAccount(lots: readonly OpenLot[], account: string): OpenLot[] {
  const rankAccount = (lot: OpenLot): number => (lot.account === account ? 0 : 1);
  return [...lots].sort(
    (a, b) => rankAccount(a) - rankAccount(b) || a.sequence - b.sequence || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
}

/**
 * Adds the cost of a put that expires to the basis of the shares bought with it (IRC 1233(c), last sentence). Returns
 * the remaining slices: the loss on contracts that cover other shares, or shares already sold, is separate
 * (1234(a)(2)).
 */
export function joinMarriedStock(fold: Fold, event: Event, taken: TakenLots): TakenLots {
  if (fold.puts.size === 0) return taken;
  return { ...taken, slices: taken.slices.flatMap((slice) => joinSlice(fold, event, slice)) };
}

function joinSlice(fold: Fold, event: Event, slice: Slice): Slice[] {
  const put = findOpenPut(fold, slice.lot);
  if (put === undefined || put.married === 0n || isRetirement(fold, event.account)) return [slice];
  const stock = listHeldLots(fold, put.key).filter((lot) => lot.marriedTo === put.id);
  const ended = least(most(0n, sharesOf(put.shares, slice.quantity) - put.quantity), put.married);
  const joined = least(ended, sum(stock));
  const contracts = least(slice.quantity, (joined * unit) / put.shares);
  const [first, ...rest] = divideSlice(slice, contracts);
  if (first === undefined || contracts === 0n) return [slice];
  put.married -= joined;
  keepPuts(fold, put.key);
  addCost(fold, event, sortByAccount(stock, event.account), joined, first.basis);
  return rest;
}

/** Adds the cost of a put to the basis of its stock. Brokers do not add it, because they report the put separately. */
function addCost(fold: Fold, event: Event, stock: readonly OpenLot[], shares: bigint, cost: bigint): void {
  const deal = createAllocator(cost, shares);
  let left = shares;
  for (const lot of stock) {
    const units = least(left, lot.quantity);
    if (units === 0n) return;
    left -= units;
    const pool = getOrCreatePool(fold, lot.key, lot.account);
    noteTransaction(pool, event.tx.id);
    freezeAverage(pool);
    const part = splitOff(fold, lot, units);
    rebase(part);
    const cents = deal(units);
    part.wholeBasis += cents;
    if (part.lossBasis !== null) part.lossBasis += cents;
    part.unitBasis = part.unitBasis * units + cents * 1_000_000n * part.unitQuantity;
    part.unitQuantity *= units;
    Object.assign(part, withNotOnForm(toNotOnForm(part, (part.notOnForm?.stepUp ?? 0n) + cents)));
    delete part.marriedTo;
    reorder(pool);
  }
}

/** Divides slices of puts held for more than a year into contracts whose gain is short-term and other contracts. */
export function markShortTermPuts(fold: Fold, slices: readonly SoldSlice[], on: Day): readonly SoldSlice[] {
  if (fold.puts.size === 0) return slices;
  return slices.flatMap((slice) => {
    const put = findOpenPut(fold, slice.lot);
    if (put === undefined || !isLong(slice.lot, on)) return [slice];
    const shares = least(sharesOf(put.shares, slice.quantity), put.quantity);
    const later = listHeldLots(fold, put.key).filter((lot) => ownedSince(lot) > put.on && ownedSince(lot) <= on);
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
    const put = findOpenPut(fold, lot);
    if (put === undefined) continue;
    const shares = sharesOf(put.shares, quantity);
    const closed = least(shares, put.quantity);
    const property = listHeldLots(fold, put.key).map((one) => ({ lot: one, delivered: 0n }));
    restartPeriods(fold, event, put, { quantity: closed, open: put.quantity }, property);
    put.quantity -= closed;
    put.married -= least(shares - closed, put.married);
    keepPuts(fold, put.key);
  }
}

/** Applies a stock split to the share counts of puts in the accounts that the row affects. */
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
    for (const field of ['quantity', 'married', 'shares', 'heldShort', 'claimed'] as const)
      put[field] = scale(put[field], ratio);
  }
  keepPuts(fold, event.key);
}

function accountsOfPuts(fold: Fold, key: string): Map<string, string[]> {
  const accounts = new Map<string, string[]>();
  for (const pools of fold.pools.values()) {
    for (const pool of pools.values()) {
      for (const lot of pool.lots.values()) {
        if (lot.underlyingKey !== key || lot.right !== 'put') break;
        getOrCreateList(accounts, lot.origin).push(pool.account);
      }
    }
  }
  return accounts;
}

/** Removes puts that no longer cover any shares, or whose contracts cover less than the smallest unit after a split. */
function keepPuts(fold: Fold, key: string): void {
  const left = getOrCreateList(fold.puts, key).filter((one) => one.quantity + one.married > 0n && one.shares > 0n);
  if (left.length > 0) fold.puts.set(key, left);
  else fold.puts.delete(key);
}

function findOpenPut(fold: Fold, lot: OpenLot): OpenPut | undefined {
  if (lot.right !== 'put' || lot.underlyingKey === null) return undefined;
  return fold.puts.get(lot.underlyingKey)?.find((put) => put.id === lot.origin);
}

function sharesOf(inContract: bigint, contracts: bigint): bigint {
  return (contracts * inContract) / unit;
}

const unit = 10n ** 18n;
