import { type Day, longTermOn } from '../../../base/day.ts';
import { proportion } from '../../../base/decimal.ts';
import { least } from '../../book/amounts.ts';
import type { OpenLot, OpenShort } from '../../book/book.ts';
import { type Fold, getOrCreatePool, isRetirement } from '../../book/fold.ts';
import { debtPart } from '../../book/lot-debt.ts';
import { planPart } from '../../book/lot-plan.ts';
import { addLot, endAverage, lotOfSlice, type Slice, takeFromLot } from '../../book/lots.ts';
import { notOnFormPart, restartBrokerPeriod, withNotOnForm } from '../../book/not-on-form-1099.ts';
import { isCoin, isContract1256 } from '../../events/classes.ts';
import type { Event } from '../../events/event.ts';
import type { AssetClass } from '../../model.ts';

/** A sold slice. `restarted` is true if its holding period restarted with this sale. */
export interface SoldSlice extends Slice {
  readonly restarted?: boolean;
  /** Whether its gain is short-term regardless of the holding period, as for a put with stock held against it. */
  readonly gainShortTerm?: boolean;
  /**
   * Whether its loss is long-term regardless of the holding period, as for fund shares with a capital gain
   * distribution.
   */
  readonly lossLongTerm?: boolean;
}

/** A short sale, or a put that counts as one. */
type ShortOrPut = Pick<OpenShort, 'on' | 'quantity' | 'claimed'>;

/**
 * Restarts holding periods when a short sale is closed. This affects property that was held for a year or less on the
 * day of the short sale, or bought before the closing. Its holding period restarts at the closing, or at an earlier
 * disposal (IRC 1233(b)(2)). Property is affected in the order of acquisition, up to the quantity sold short, one unit
 * for each unit short. Delivered units use up that quantity too, although they have no later holding period.
 */
export function restartPeriods(
  fold: Fold,
  event: Event,
  short: ShortOrPut,
  /** The number of units that this closing closes, and the number open before it. */
  closing: { readonly quantity: bigint; readonly open: bigint },
  property: readonly { readonly lot: OpenLot; delivered: bigint }[],
): void {
  let left = least(closing.quantity, closing.open - short.claimed);
  short.claimed -= closing.quantity - left;
  const inOrder = [...property].sort((a, b) => compareProperty(a.lot, b.lot, event.account));
  for (const part of inOrder) {
    const { lot } = part;
    if (left === 0n || !restarts(lot, short, event.on)) continue;
    const delivered = least(left, part.delivered);
    part.delivered -= delivered;
    left -= delivered;
    const units = least(left, lot.quantity);
    if (units === 0n) continue;
    left -= units;
    restart(fold, lot, units, event.on);
  }
}

/**
 * Marks the sold units whose holding period restarts because a short is open. A partly affected slice is divided in
 * two.
 */
export function restartSold(fold: Fold, event: Event, slices: readonly Slice[]): readonly SoldSlice[] {
  // There are almost never any shorts, so the slices are not copied.
  if (fold.shorts.size === 0 && fold.puts.size === 0) return slices;
  const shorts: ShortOrPut[] = [...(fold.shorts.get(event.key) ?? []), ...(fold.puts.get(event.key) ?? [])];
  if (shorts.length === 0 || isRetirement(fold, event.account) || !isUnder1233(event.assetClass)) return slices;
  const parts = [
    ...slices.map((slice) => ({ lot: slice.lot, left: slice.quantity, sold: slice, restarted: 0n })),
    ...listHeldLots(fold, event.key).map((lot) => ({ lot, left: lot.quantity, sold: null, restarted: 0n })),
  ];
  const inOrder = [...parts].sort((a, b) => compareProperty(a.lot, b.lot, event.account));
  for (const short of shorts) {
    let free = short.quantity - short.claimed;
    for (const part of inOrder) {
      const units = least(free, part.left);
      if (units === 0n || !restarts(part.lot, short, event.on)) continue;
      part.left -= units;
      free -= units;
      if (part.sold === null) continue;
      part.restarted += units;
      short.claimed += units;
    }
  }
  return parts.flatMap(({ sold, restarted }) => {
    if (sold === null) return [];
    const [first, ...rest] = divideSlice(sold, restarted);
    return first === undefined ? [] : [{ ...first, restarted: restarted > 0n }, ...rest];
  });
}

/** Divides a slice into its first `units` and the rest. Returns one part if `units` is zero or all of it. */
export function divideSlice<T extends Slice>(slice: T, units: bigint): T[] {
  if (units === 0n || units === slice.quantity) return [slice];
  const basis = proportion(slice.basis, units, slice.quantity);
  const lossBasis = slice.lossBasis === null ? null : proportion(slice.lossBasis, units, slice.quantity);
  const lossBasisLeft = slice.lossBasis === null || lossBasis === null ? null : slice.lossBasis - lossBasis;
  const left = slice.quantity - units;
  const notOnForm = notOnFormPart(slice.notOnForm, 0n, units, slice.quantity);
  const notOnFormLeft = notOnFormPart(slice.notOnForm, units, left, slice.quantity);
  return [
    {
      ...slice,
      ...{ quantity: units, basis, lossBasis, notOnForm },
      debt: debtPart(slice.debt, 0n, units, slice.quantity),
      plan: planPart(slice.plan, 0n, units, slice.quantity),
    },
    {
      ...slice,
      quantity: left,
      basis: slice.basis - basis,
      lossBasis: lossBasisLeft,
      notOnForm: notOnFormLeft,
      debt: debtPart(slice.debt, units, left, slice.quantity),
      plan: planPart(slice.plan, units, left, slice.quantity),
    },
  ];
}

function restarts(lot: OpenLot, short: ShortOrPut, on: Day): boolean {
  const claimed = lot.restartedOn !== null && lot.restartedOn >= short.on;
  // Property acquired after the short sale counts, no matter how long its tacked period is ("notwithstanding section
  // 1223").
  const stoodBehind = ownedSince(lot) > short.on || !isLong(lot, short.on);
  // A row may state the end of an option some days later. Property acquired after the end was not held against the
  // option.
  return !claimed && stoodBehind && ownedSince(lot) <= on && lot.heldSince <= on;
}

function restart(fold: Fold, lot: OpenLot, units: bigint, on: Day): void {
  const part = splitOff(fold, lot, units);
  Object.assign(part, { heldSince: on, restartedOn: on, ...withNotOnForm(restartBrokerPeriod(part.notOnForm, on)) });
}

/** Splits units from a lot into a new lot. Returns the lot itself if these are all of its units. */
export function splitOff(fold: Fold, lot: OpenLot, units: bigint): OpenLot {
  if (units === lot.quantity) return lot;
  const pool = getOrCreatePool(fold, lot.key, lot.account);
  endAverage(fold, pool, lot);
  const { average } = pool;
  const part = lotOfSlice(takeFromLot(pool, lot, units));
  addLot(fold, pool, part);
  // The pool has the same units as before, so its average does not change.
  if (pool.average !== null) pool.average = average;
  return part;
}

/** Sorts property by acquisition. Within one purchase, units in the account of the closing come first. */
function compareProperty(a: OpenLot, b: OpenLot, account: string): number {
  const rankAccount = (lot: OpenLot): number => (lot.account === account ? 0 : 1);
  return (
    ownedSince(a) - ownedSince(b) ||
    a.sequence - b.sequence ||
    rankAccount(a) - rankAccount(b) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}

/** Returns all lots of an asset in all taxable accounts of the taxpayer and the spouse (IRC 1233(e)(2)(C)). */
export function listHeldLots(fold: Fold, key: string): OpenLot[] {
  return [...(fold.pools.get(key)?.values() ?? [])]
    .filter((pool) => !isRetirement(fold, pool.account))
    .flatMap((pool) => [...pool.lots.values()]);
}

/** Returns the lots that IRC 1233 and 1259 compare with a short sale. */
export function listLotsAgainstShort(fold: Fold, key: string, assetClass: AssetClass): OpenLot[] {
  return isUnder1233(assetClass) ? listHeldLots(fold, key) : [];
}

/**
 * Returns whether IRC 1233 applies. It covers stock and securities. Coins are neither, and section 1256 contracts have
 * no holding period (IRC 1233(e)(2)(A), 1259).
 */
export function isUnder1233(assetClass: AssetClass): boolean {
  return !isCoin(assetClass) && !isContract1256(assetClass);
}

/**
 * Returns the day the taxpayer acquired the lot. For a gift it is not the donor's day (IRC 1233(b); 1.1091-1(g),
 * "owns").
 */
export function ownedSince(lot: OpenLot): Day {
  return lot.givenOn ?? lot.acquired;
}

export function isLong(lot: OpenLot, on: Day): boolean {
  return lot.inherited || on >= longTermOn(lot.heldSince);
}

export function sum(parts: readonly { readonly quantity: bigint }[]): bigint {
  return parts.reduce((units, part) => units + part.quantity, 0n);
}
