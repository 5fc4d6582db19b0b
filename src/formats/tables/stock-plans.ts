import type { Money, Quantity } from '../../base/decimal.ts';
import type { Cells } from '../cells/cells.ts';
import type { StatedFields } from '../cells/drafts.ts';
import { rejections } from '../cells/reasons.ts';
import type { Time } from '../cells/times.ts';
import type { Outcome } from '../format.ts';

/** Shares that vested and were deposited, with their value on that day. */
interface VestedShares {
  readonly asset: string;
  /** The column of the shares, for errors. */
  readonly column: string;
  readonly shares: Quantity | null;
  readonly value: Money | null;
  readonly common: Partial<StatedFields>;
}

/**
 * Reads stock units that vest. Their value is wages (IRC 83(a)), including that of shares withheld for taxes, which are
 * a second row without shares.
 */
export function readVest(
  cells: Cells,
  time: Time | null,
  { asset, column, shares, value, common }: VestedShares,
  withheld: { readonly column: string; readonly value: Money | null },
): Outcome {
  if (asset === '') cells.reject(column, rejections.requiredHere);
  const quantity = cells.need(column, shares);
  if (quantity === 0n) cells.reject(column, rejections.requiredHere);
  const vested: StatedFields = {
    ...common,
    type: 'wages',
    asset,
    quantity,
    amount: cells.need(withheld.column, value),
  };
  if (withheld.value === null || withheld.value <= 0n) return cells.read(time, vested);
  return cells.read(time, vested, {
    ...common,
    type: 'wages',
    asset,
    amount: withheld.value,
    externalId: '',
    note: 'shares withheld for taxes',
  });
}
