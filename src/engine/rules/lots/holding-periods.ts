import { type Day, longTermOn } from '../../../base/day.ts';
import { proportion } from '../../../base/decimal.ts';
import { least } from '../../book/amounts.ts';
import type { OpenLot, OpenShort } from '../../book/book.ts';
import { type Fold, getOrCreatePool, isRetirement } from '../../book/fold.ts';
import { debtPart } from '../../book/lot-debt.ts';
import { addLot, endAverage, lotOfSlice, takeFromLot } from '../../book/lots.ts';
import { heldFrom, notOnFormPart, withNotOnForm } from '../../book/not-on-form-1099.ts';
import { isCoin, isContract1256 } from '../../events/classes.ts';
import type { Event } from '../../events/event.ts';
import type { AssetClass } from '../../model.ts';
import type { TakenSlice } from './take.ts';

/** A sold slice. `restarted`: its holding period restarted with this sale. */
export interface SoldSlice extends TakenSlice {
  readonly restarted?: boolean;
  /** Its gain is short-term regardless of the time held: a put with stock held against it. */
  readonly gainShortTerm?: boolean;
  /** Its loss is long-term regardless of the time held: fund shares with a capital gain distribution. */
  readonly lossLongTerm?: boolean;
}

/** A short sale, or a put that counts as one. */
type ShortOrPut = Pick<OpenShort, 'on' | 'quantity' | 'claimed'>;

/**
 * Restarts holding periods at the closing of a short sale. Property held a year or less on the day of the short sale,
 * or bought before the closing, is held from the closing on, or from an earlier disposal of it (IRC 1233(b)(2)). This
 * applies in the order of acquisition, up to the quantity sold short. Each unit counts for one unit short. Delivered
 * units count too, although they have no later period.
 */
export function restartPeriods(
  fold: Fold,
  event: Event,
  short: ShortOrPut,
  /** Units closed by this closing, and the units open before it. */
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
export function restartSold(fold: Fold, event: Event, slices: readonly TakenSlice[]): readonly SoldSlice[] {
  // There are almost never any, and nothing is copied.
  if (fold.shorts.size === 0 && fold.puts.size === 0) return slices;
  const shorts: ShortOrPut[] = [...(fold.shorts.get(event.key) ?? []), ...(fold.puts.get(event.key) ?? [])];
  if (shorts.length === 0 || isRetirement(fold, event.account) || !isUnder1233(event.assetClass)) return slices;
  const parts = [
    ...slices.map((slice) => ({ lot: slice.lot, left: slice.quantity, sold: slice, restarted: 0n })),
    ...heldLots(fold, event.key).map((lot) => ({ lot, left: lot.quantity, sold: null, restarted: 0n })),
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

/** Divides a slice into its first `units` and the rest. Returns one part if `units` is none or all of it. */
export function divideSlice<T extends TakenSlice>(slice: T, units: bigint): T[] {
  if (units === 0n || units === slice.quantity) return [slice];
  const basis = proportion(slice.basis, units, slice.quantity);
  const lossBasis = slice.lossBasis === null ? null : proportion(slice.lossBasis, units, slice.quantity);
  const lossBasisLeft = slice.lossBasis === null || lossBasis === null ? null : slice.lossBasis - lossBasis;
  const left = slice.quantity - units;
  const notOnForm = notOnFormPart(slice.notOnForm, 0n, units, slice.quantity);
  const notOnFormLeft = notOnFormPart(slice.notOnForm, units, left, slice.quantity);
  return [
    { ...slice, quantity: units, basis, lossBasis, notOnForm, debt: debtPart(slice.debt, 0n, units, slice.quantity) },
    {
      ...slice,
      quantity: left,
      basis: slice.basis - basis,
      lossBasis: lossBasisLeft,
      notOnForm: notOnFormLeft,
      debt: debtPart(slice.debt, units, left, slice.quantity),
    },
  ];
}

function restarts(lot: OpenLot, short: ShortOrPut, on: Day): boolean {
  const claimed = lot.restartedOn !== null && lot.restartedOn >= short.on;
  // Property acquired after the short counts, no matter how long its tacked period is ("notwithstanding section 1223").
  const stoodBehind = ownedSince(lot) > short.on || !isLong(lot, short.on);
  // A row may state the end of an option days later. Property acquired in between was not held against it.
  return !claimed && stoodBehind && ownedSince(lot) <= on && lot.heldSince <= on;
}

function restart(fold: Fold, lot: OpenLot, units: bigint, on: Day): void {
  const part = splitOff(fold, lot, units);
  Object.assign(part, { heldSince: on, restartedOn: on, ...withNotOnForm(heldFrom(part.notOnForm, on)) });
}

/** Makes units of a lot a lot of their own. Returns the lot itself if these are all of its units. */
export function splitOff(fold: Fold, lot: OpenLot, units: bigint): OpenLot {
  if (units === lot.quantity) return lot;
  const pool = getOrCreatePool(fold, lot.key, lot.account);
  endAverage(fold, pool, lot);
  const { average } = pool;
  const part = lotOfSlice(takeFromLot(pool, lot, units));
  addLot(fold, pool, part);
  // The units of the pool are the same, so its average keeps counting from the same whole.
  if (pool.average !== null) pool.average = average;
  return part;
}

/** Sorts property by acquisition. Within one purchase, units in the account of the closing come first. */
function compareProperty(a: OpenLot, b: OpenLot, account: string): number {
  const elsewhere = (lot: OpenLot): number => (lot.account === account ? 0 : 1);
  return (
    ownedSince(a) - ownedSince(b) ||
    a.sequence - b.sequence ||
    elsewhere(a) - elsewhere(b) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}

/** Returns all lots of an asset in all taxable accounts of the taxpayer and the spouse (IRC 1233(e)(2)(C)). */
export function heldLots(fold: Fold, key: string): OpenLot[] {
  return [...(fold.pools.get(key)?.values() ?? [])]
    .filter((pool) => !isRetirement(fold, pool.account))
    .flatMap((pool) => [...pool.lots.values()]);
}

/** The lots that IRC 1233 and 1259 compare with a short sale. */
export function heldAgainst(fold: Fold, key: string, assetClass: AssetClass): OpenLot[] {
  return isUnder1233(assetClass) ? heldLots(fold, key) : [];
}

/**
 * Whether IRC 1233 applies. It covers stock and securities. Coins are neither, and section 1256 contracts have no
 * holding period (IRC 1233(e)(2)(A), 1259).
 */
export function isUnder1233(assetClass: AssetClass): boolean {
  return !isCoin(assetClass) && !isContract1256(assetClass);
}

/** The day the taxpayer acquired it. For a gift it is not the donor's day (IRC 1233(b); 1.1091-1(g), "owns"). */
export function ownedSince(lot: OpenLot): Day {
  return lot.givenOn ?? lot.acquired;
}

export function isLong(lot: OpenLot, on: Day): boolean {
  return lot.inherited || on >= longTermOn(lot.heldSince);
}

export function sum(parts: readonly { readonly quantity: bigint }[]): bigint {
  return parts.reduce((units, part) => units + part.quantity, 0n);
}
