import type { Day } from '../../base/day.ts';
import type { AssetClass, Box, Term } from '../statement-values.ts';

/** A gain deferred in a qualified opportunity fund (IRC 1400Z-2). Money is in cents, quantities in 10⁻¹⁸ units. */
export interface Deferral {
  /** The origin of the lot that the investment opened, whatever it was split into since. */
  readonly origin: string;
  readonly openedBy: string;
  readonly account: string;
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly invested: Day;
  /** The character of the gain, which its inclusion keeps. */
  readonly term: Term;
  readonly box: Box;
  readonly gain: bigint;
  /** Units invested, before any split. */
  readonly quantity: bigint;
  /** How many of them are included already. */
  ended: bigint;
}
