import { type Day, longTermOn } from '../../../base/day.ts';
import { proportion } from '../../../base/decimal.ts';
import { least } from '../../book/amounts.ts';
import type { OpenLot, OpenShort } from '../../book/book.ts';
import { type Fold, isRetirement, poolOf } from '../../book/fold.ts';
import { addLot, endAverage, lotOfSlice, takeFromLot } from '../../book/lots.ts';
import { heldFrom, notOnFormPart, withNotOnForm } from '../../book/not-on-form-1099.ts';
import { isCoin, isContract1256 } from '../../events/classes.ts';
import type { Event } from '../../events/event.ts';
import type { AssetClass } from '../../model.ts';
import type { TakenSlice } from './take.ts';

/** Units sold; `restarted` where their holding period began anew with the sale. */
export interface SoldSlice extends TakenSlice {
  readonly restarted?: boolean;
  /** Its gain is short-term, however long it was held: a put behind which stock stood. */
  readonly gainShortTerm?: boolean;
  /** Its loss is long-term, however short it was held: shares of a fund that brought a capital gain distribution. */
  readonly lossLongTerm?: boolean;
}

/** A short sale, or a put that counts as one. */
type ShortOrPut = Pick<OpenShort, 'on' | 'quantity' | 'claimed'>;

/**
 * Property held no longer than a year on the day of the short sale, or bought before the closing, is held from the
 * closing on, or from the day on which it is disposed of before (IRC 1233(b)(2)): in the order in which it was acquired,
 * up to the quantity sold short. Each unit answers for one unit short; what was delivered counts, though it has no
 * period left.
 */
export function restartPeriods(
  fold: Fold,
  event: Event,
  short: ShortOrPut,
  /** Units that this closes, of so many open before it. */
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

/** Of units that leave while a short is open, those that it reaches; a lot reached in part gives two parts. */
export function restartSold(fold: Fold, event: Event, slices: readonly TakenSlice[]): readonly SoldSlice[] {
  // Nearly always there is none, and nothing to be copied.
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

/** So many units of a slice, and the rest; one part where that is none or all of it. */
export function divideSlice<T extends TakenSlice>(slice: T, units: bigint): T[] {
  if (units === 0n || units === slice.quantity) return [slice];
  const basis = proportion(slice.basis, units, slice.quantity);
  const lossBasis = slice.lossBasis === null ? null : proportion(slice.lossBasis, units, slice.quantity);
  const lossBasisLeft = slice.lossBasis === null || lossBasis === null ? null : slice.lossBasis - lossBasis;
  const left = slice.quantity - units;
  const notOnForm = notOnFormPart(slice.notOnForm, 0n, units, slice.quantity);
  const notOnFormLeft = notOnFormPart(slice.notOnForm, units, left, slice.quantity);
  return [
    { ...slice, quantity: units, basis, lossBasis, notOnForm },
    { ...slice, quantity: left, basis: slice.basis - basis, lossBasis: lossBasisLeft, notOnForm: notOnFormLeft },
  ];
}

function restarts(lot: OpenLot, short: ShortOrPut, on: Day): boolean {
  const claimed = lot.restartedOn !== null && lot.restartedOn >= short.on;
  // What came after the short counts however long its period is by tacking ("notwithstanding section 1223").
  const stoodBehind = ownedSince(lot) > short.on || !isLong(lot, short.on);
  // An option ends days before anybody says so: what came in between stood behind nothing.
  return !claimed && stoodBehind && ownedSince(lot) <= on && lot.heldSince <= on;
}

function restart(fold: Fold, lot: OpenLot, units: bigint, on: Day): void {
  if (units === lot.quantity) {
    Object.assign(lot, { heldSince: on, restartedOn: on, ...withNotOnForm(heldFrom(lot.notOnForm, on)) });
    return;
  }
  const pool = poolOf(fold, lot.key, lot.account);
  endAverage(fold, pool, lot);
  const { average } = pool;
  const slice = takeFromLot(pool, lot, units);
  const notOnForm = heldFrom(slice.notOnForm, on);
  addLot(fold, pool, lotOfSlice({ ...slice, notOnForm }, { heldSince: on, restartedOn: on }));
  // Nothing has joined the pool or left it: its portions go on being counted from the same whole.
  if (pool.average !== null) pool.average = average;
}

/** Of one purchase, what lies in the account that closes comes first. */
function compareProperty(a: OpenLot, b: OpenLot, account: string): number {
  const elsewhere = (lot: OpenLot): number => (lot.account === account ? 0 : 1);
  return (
    ownedSince(a) - ownedSince(b) ||
    a.sequence - b.sequence ||
    elsewhere(a) - elsewhere(b) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}

/** All the taxpayer's lots of an asset: accounts, the spouse's included, are one (IRC 1233(e)(2)(C)). */
export function heldLots(fold: Fold, key: string): OpenLot[] {
  return [...(fold.pools.get(key)?.values() ?? [])]
    .filter((pool) => !isRetirement(fold, pool.account))
    .flatMap((pool) => [...pool.lots.values()]);
}

/** Those that IRC 1233 and 1259 look at beside a short sale. */
export function heldAgainst(fold: Fold, key: string, assetClass: AssetClass): OpenLot[] {
  return isUnder1233(assetClass) ? heldLots(fold, key) : [];
}

/** Stock and securities: coins are neither, and section 1256 contracts have no holding period (IRC 1233(e)(2)(A), 1259). */
export function isUnder1233(assetClass: AssetClass): boolean {
  return !isCoin(assetClass) && !isContract1256(assetClass);
}

/** The day on which the taxpayer acquired it, which of a gift is not the donor's (IRC 1233(b); 1.1091-1(g), "owns"). */
export function ownedSince(lot: OpenLot): Day {
  return lot.givenOn ?? lot.acquired;
}

export function isLong(lot: OpenLot, on: Day): boolean {
  return lot.inherited || on >= longTermOn(lot.heldSince);
}

export function sum(parts: readonly { readonly quantity: bigint }[]): bigint {
  return parts.reduce((units, part) => units + part.quantity, 0n);
}
