import { formatDay } from '../../../base/day.ts';
import {
  type Cents,
  formatCents,
  formatQuantity,
  proportion,
  type Quantity,
  roundToCents,
} from '../../../base/decimal.ts';
import { least } from '../../book/amounts.ts';
import type { OpenLot } from '../../book/book.ts';
import {
  type Fold,
  getOrCreatePool,
  listRecentTransactions,
  noteTransaction,
  type Pool,
  raise,
} from '../../book/fold.ts';
import { type Slice, takeByLabel, takeFromLot } from '../../book/lots.ts';
import { universalAccount } from '../../book/own-accounts.ts';
import { remainingBasis } from '../../book/remaining.ts';
import type { TransactionEvent } from '../../events/event.ts';
import { lotMethodTable } from '../../lot-methods.ts';
import { computePoolTotals, perWalletFrom } from '../lots/take.ts';

/**
 * Returns whether a transfer allocates units of the universal pool to a wallet (Rev. Proc. 2024-28, section 5.02). Such
 * a row names its lots, by the id of the lot or of the row that opened it, and states their acquisition day and basis
 * at the time of the allocation. Exactly these lots move, because the allocation is irrevocable and no basis may be
 * used twice. If the records through 2024 now result in other lots, an issue is raised.
 */
export function isAllocation({ account, on, tx }: TransactionEvent): boolean {
  return account === universalAccount && on >= perWalletFrom && tx.lots.length > 0;
}

export function takeAllocated(fold: Fold, event: TransactionEvent, quantity: bigint): Slice[] {
  const { tx } = event;
  const pool = getOrCreatePool(fold, event.key, universalAccount);
  noteTransaction(pool, tx.id);
  fold.allocations.push(event);
  const slices: Slice[] = [];
  let missing = quantity;
  for (const { label, quantity: units } of tx.lots) {
    for (const slice of takeNamed(pool, label, least(units, missing))) {
      slices.push(slice);
      missing -= slice.quantity;
    }
  }
  // If the books were made from an export, manually entered rows have other ids.
  if (slices.length === 0) slices.push(...takeAlike(pool, event, quantity));
  raiseDifference(fold, event, pool, slices);
  return slices;
}

/** Raises an issue about units that an allocation left in the pool. Runs at the end of the day. */
export function raiseLeftInPool(fold: Fold): void {
  for (const [key, event] of new Map(fold.allocations.map((one) => [one.key, one]))) {
    const pool = getOrCreatePool(fold, key, universalAccount);
    const left = pool.lots.values();
    if (left.length === 0) continue;
    const { units, basis: dollars } = computePoolTotals(left);
    const detail =
      `The universal pool still holds ${unitsOf(units, event)} with a basis of $${formatCents(dollars)} that the ` +
      'allocation did not assign to a wallet. The records through 2024 have changed since (Rev. Proc. 2024-28).';
    raise(fold, event, 'unreconciled', detail, { dollars, transactions: listRecentTransactions(pool), suffix: 'pool' });
  }
  fold.allocations.length = 0;
}

function takeNamed(pool: Pool, label: string, units: bigint): Slice[] {
  if (units === 0n) return [];
  const lot = pool.lots.get(label);
  return lot === undefined
    ? takeByLabel(pool, label, units, 'FIFO')
    : [takeFromLot(pool, lot, least(units, lot.quantity))];
}

/**
 * Takes units from a lot acquired on the stated day whose share of basis equals the stated basis, to within a cent of
 * rounding.
 */
function takeAlike(pool: Pool, { tx }: TransactionEvent, quantity: bigint): Slice[] {
  const stated = tx.basis === null ? null : roundToCents(tx.basis);
  const isAlike = (lot: OpenLot): boolean => {
    if (lot.acquired !== tx.acquired || lot.quantity < quantity) return false;
    if (stated === null || lot.basisUnknown) return stated === null && lot.basisUnknown;
    return isNear(proportion(remainingBasis(lot), quantity, lot.quantity), stated);
  };
  const [lot] = pool.lots.values().filter(isAlike).sort(lotMethodTable.FIFO.order);
  return lot === undefined ? [] : [takeFromLot(pool, lot, quantity)];
}

function raiseDifference(fold: Fold, event: TransactionEvent, pool: Pool, slices: readonly Slice[]): void {
  const { tx } = event;
  const requestedUnits = tx.quantity ?? 0n;
  const stated = tx.basis === null ? 0n : roundToCents(tx.basis);
  const allocatedUnits = slices.reduce((units, slice) => units + slice.quantity, 0n);
  const basis = slices.reduce((sum, slice) => sum + slice.basis, 0n);
  if (allocatedUnits === requestedUnits && (tx.basis === null || isNear(basis, stated))) return;
  const acquired = tx.acquired === null ? '' : ` acquired on ${formatDay(tx.acquired)}`;
  const detail =
    `${unitsOf(requestedUnits, event)}${acquired} were allocated to ${tx.toAccount} with a basis of $${formatCents(stated as Cents)}. The ` +
    `records through 2024 have changed since: they now leave ${unitsOf(allocatedUnits, event)} with a basis of $${formatCents(basis as Cents)} (Rev. Proc. 2024-28).`;
  const dollars = (basis < stated ? stated - basis : basis - stated) as Cents;
  raise(fold, event, 'unreconciled', detail, {
    dollars,
    units: requestedUnits,
    transactions: listRecentTransactions(pool),
    account: tx.toAccount,
  });
}

function unitsOf(units: bigint, { asset }: TransactionEvent): string {
  return `${formatQuantity(units as Quantity)} ${asset}`;
}

/**
 * Returns whether two amounts differ by at most a cent, because shares of a lot are rounded in the order in which they
 * are divided.
 */
function isNear(a: bigint, b: bigint): boolean {
  return a - b <= 1n && b - a <= 1n;
}
