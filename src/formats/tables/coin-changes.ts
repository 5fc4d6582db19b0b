import type { Money } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import type { Cells } from '../cells/cells.ts';
import type { StatedFields } from '../cells/drafts.ts';
import { rejections, skips } from '../cells/reasons.ts';
import type { Time } from '../cells/times.ts';
import type { Outcome } from '../format.ts';
import type { Side } from './legs.ts';
import { leavingTypes, oneWay, readMovement } from './movements.ts';

/** A ledger row with one change in one coin. */
interface CoinChange {
  readonly side: Side | null;
  /** The change's sign. Null if the source does not show one. */
  readonly sign: 'in' | 'out' | null;
  readonly kind: TransactionType;
  readonly fee?: Side | null;
  /** The value in `currency` (default USD), if the source provides it. */
  readonly worth?: Money | null;
  readonly currency?: string;
}

/**
 * Reads a change according to its type. Rejects a change whose sign contradicts the type, because it may not be a
 * reversal.
 */
export function readCoinChange(
  cells: Cells,
  time: Time | null,
  quantityColumn: string,
  { side, sign, kind, fee = null, worth = null, currency = 'USD' }: CoinChange,
  common: Partial<StatedFields> = {},
): Outcome {
  if (side === null && cells.text(quantityColumn) !== '') return cells.skip(skips.zeroAmount);
  const moved = cells.need(quantityColumn, side);
  const out = leavingTypes.has(kind);
  if (sign === 'out' && !out) return cells.rejected(quantityColumn, rejections.leftInstead);
  if (sign === 'in' && out) return cells.rejected(quantityColumn, rejections.cameInstead);
  return readMovement(cells, time, { ...oneWay(out, moved), fee, kind, worth, currency }, common);
}

/** Returns the direction that the sign of a number means. */
export function readSign(cells: Cells, column: string): 'in' | 'out' {
  return /^\s*[-\u2212(]/.test(cells.text(column)) ? 'out' : 'in';
}
