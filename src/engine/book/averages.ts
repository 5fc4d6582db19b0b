import { proportion } from '../../base/decimal.ts';
import { lotMethodTable } from '../lot-methods.ts';
import { createAllocator } from './amounts.ts';
import type { AverageBasis, Averages, OpenLot, PoolState } from './book.ts';
import type { Pool } from './fold.ts';
import { reorder } from './fold.ts';
import { computePortion, toNotOnForm, withNotOnForm } from './not-on-form-1099.ts';
import { rebase, remainingBasis, remainingNotOnForm } from './remaining.ts';

/**
 * Starts averaging basis. From then on, the basis of shares comes from the pool, and only their dates come from their
 * lots (26 CFR 1.1012-1(e)).
 */
export function startAverage(pool: Pool): void {
  const nothing: AverageBasis = {
    wholeQuantity: 0n,
    wholeBasis: 0n,
    takenQuantity: 0n,
    takenBasis: 0n,
    wholeStepUp: 0n,
  };
  pool.average = { covered: nothing, noncovered: nothing };
  for (const lot of pool.lots.values()) if (isAveraged(lot)) joinAverage(pool, lot);
}

function sideOf(lot: OpenLot): keyof Averages {
  return lot.covered ? 'covered' : 'noncovered';
}

export function takeAverage(
  pool: Pool,
  lot: OpenLot,
  quantity: bigint,
): { readonly basis: bigint; readonly stepUp: bigint } | null {
  if (pool.average === null) return null;
  const side = sideOf(lot);
  const average = pool.average[side];
  const takenQuantity = average.takenQuantity + quantity;
  const takenBasis = proportion(average.wholeBasis, takenQuantity, average.wholeQuantity);
  pool.average = { ...pool.average, [side]: { ...average, takenQuantity, takenBasis } };
  const stepUp = computePortion(average.wholeStepUp, average.takenQuantity, quantity, average.wholeQuantity);
  // If the shares move to an account with another method, their unit basis there is the average, not their cost.
  lot.unitBasis = average.wholeBasis * 1_000_000n;
  lot.unitQuantity = average.wholeQuantity;
  return { basis: takenBasis - average.takenBasis, stepUp };
}

function basisLeft({ wholeBasis, takenBasis }: AverageBasis): bigint {
  return wholeBasis - takenBasis;
}

function stepUpLeft({ wholeStepUp, wholeQuantity, takenQuantity }: AverageBasis): bigint {
  if (wholeStepUp === 0n) return 0n;
  return computePortion(wholeStepUp, takenQuantity, wholeQuantity - takenQuantity, wholeQuantity);
}

/** Adds a lot to the average of its pool. */
export function joinAverage(pool: Pool, lot: OpenLot): void {
  if (pool.average === null) return;
  const side = sideOf(lot);
  const average = pool.average[side];
  const grown: AverageBasis = {
    wholeQuantity: average.wholeQuantity - average.takenQuantity + lot.quantity,
    wholeBasis: basisLeft(average) + remainingBasis(lot),
    takenQuantity: 0n,
    takenBasis: 0n,
    wholeStepUp: stepUpLeft(average) + (remainingNotOnForm(lot)?.stepUp ?? 0n),
  };
  pool.average = { ...pool.average, [side]: grown };
}

/** Ends averaging. Each share keeps its average basis (26 CFR 1.1012-1(e)(9)). */
export function freezeAverage(pool: Pool): void {
  if (pool.average === null) return;
  const state = { ...pool, lots: [...pool.lots.values()] };
  const [shares, stepUps] = [averageShares(state), averageShares(state, stepUpLeft)];
  pool.average = null;
  for (const lot of pool.lots.values()) {
    if (!isAveraged(lot)) continue;
    rebase(lot);
    lot.wholeBasis = shares?.get(lot.id) ?? lot.wholeBasis;
    Object.assign(lot, withNotOnForm(toNotOnForm(lot, stepUps?.get(lot.id) ?? 0n)));
    lot.unitBasis = lot.wholeBasis * 1_000_000n;
    lot.unitQuantity = lot.quantity;
  }
  reorder(pool);
}

/**
 * Divides the averaged basis, or the part of it that brokers do not know, among the lots in the order of sale. Returns
 * null if the pool is not averaged.
 */
export function averageShares(
  pool: Pick<PoolState, 'lots' | 'average'>,
  left: (average: AverageBasis) => bigint = basisLeft,
): Map<string, bigint> | null {
  if (pool.average === null) return null;
  const shares = new Map<string, bigint>();
  const inOrder = pool.lots.filter(isAveraged).sort(lotMethodTable.AVERAGE.order);
  for (const side of ['covered', 'noncovered'] as const) {
    const average = pool.average[side];
    const deal = createAllocator(left(average), average.wholeQuantity - average.takenQuantity);
    for (const lot of inOrder) if (sideOf(lot) === side) shares.set(lot.id, deal(lot.quantity));
  }
  return shares;
}

/**
 * Returns false for a gift with a separate basis for losses, because it keeps its own basis (26 CFR 1.1012-1(e)(8)).
 */
export function isAveraged(lot: OpenLot): boolean {
  return lot.lossBasis === null;
}
