import type { OracleEvent } from '../../events/events.ts';
import { dollars, type Exact, least, newYear2025, nothing, sum, units } from '../../numbers.ts';
import { basisLeft, lotOf, type OracleLot, raise, remaining, type State, takeFrom, universal } from '../../state.ts';
import { heldLots, sorted } from '../lots/lots.ts';

const cent = '0.01';

/**
 * Returns true for a transfer out of the pool that names its lots, which allocates units of unused basis (Rev. Proc.
 * 2024-28, section 5.02).
 */
export function isAllocation({ transaction, on }: OracleEvent): boolean {
  return transaction.account === universal && on >= newYear2025 && transaction.lots.length > 0;
}

/** Allocates only the units of unused basis: an allocation is irrevocable, and used basis is not used again. */
export function allocate(state: State, event: OracleEvent, place: string): void {
  const { asset, assetClass, quantity, lots, id } = event.transaction;
  const moved: OracleLot[] = [];
  const give = (lot: OracleLot, most: Exact): void => {
    const part = least(most, remaining(lot), units(quantity).minus(sum(moved.map(remaining))));
    if (part.gt(0)) moved.push(lotOf(takeFrom(lot, part), lot, { account: place, covered: false }));
  };
  const pool = (): OracleLot[] => sorted(heldLots(state, universal, asset, assetClass), 'FIFO');
  for (const choice of lots) {
    const before = sum(moved.map(remaining));
    const named = pool().filter((lot) => lot.id === choice.label);
    for (const lot of named.length > 0 ? named : pool().filter((one) => one.label === choice.label)) {
      give(lot, units(choice.quantity).minus(sum(moved.map(remaining)).minus(before)));
    }
  }
  const alike = moved.length > 0 ? undefined : pool().find((lot) => isAsStated(event, lot));
  if (alike !== undefined) give(alike, units(quantity));
  if (isOtherwise(event, moved)) raise(state, id, 'unreconciled');
  state.lots.push(...moved);
  state.allocated.push(event);
}

/** Raises an issue if an allocation leaves units in the pool. */
export function raiseUnallocated(state: State): void {
  for (const event of state.allocated) {
    const { asset, assetClass, id } = event.transaction;
    const later = state.allocated.slice(state.allocated.indexOf(event) + 1);
    if (later.some(({ transaction }) => transaction.asset === asset)) continue;
    if (heldLots(state, universal, asset, assetClass).length > 0) raise(state, id, 'unreconciled');
  }
  state.allocated = [];
}

function isAsStated({ transaction }: OracleEvent, lot: OracleLot): boolean {
  const { acquired, basis, quantity } = transaction;
  if (lot.acquired !== acquired || remaining(lot).lt(units(quantity))) return false;
  if (basis === null || lot.basisUnknown) return basis === null && lot.basisUnknown;
  const share = basisLeft(lot).times(units(quantity)).div(remaining(lot));
  return isNear(share.toDecimalPlaces(2), dollars(basis));
}

function isOtherwise({ transaction }: OracleEvent, moved: readonly OracleLot[]): boolean {
  const found = sum(moved.map(remaining));
  if (!found.equals(units(transaction.quantity))) return true;
  return transaction.basis !== null && !isNear(sum(moved.map((lot) => lot.basis)), dollars(transaction.basis));
}

function isNear(a: Exact, b: Exact): boolean {
  return a.minus(b).abs().lte(nothing.plus(cent));
}
