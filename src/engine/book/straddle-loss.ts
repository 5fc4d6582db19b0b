import type { Day } from '../../base/day.ts';

/** A loss on a position in a stock, or in an option on it, while an offsetting position was open (IRC 1092). */
export interface StraddleLoss {
  readonly transaction: string;
  readonly asset: string;
  readonly account: string;
  readonly on: Day;
  /** Amount in cents. */
  readonly loss: bigint;
  /** The asset key of the stock. */
  readonly stock: string;
  /** Whether the position gains value if the stock rises. */
  readonly rises: boolean;
  readonly isOption: boolean;
  /**
   * Whether the position is a call written more than 30 days before its expiration and not deep in the money (IRC
   * 1092(c)(4)).
   */
  readonly isQualified: boolean;
}
