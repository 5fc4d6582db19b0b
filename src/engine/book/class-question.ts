import type { Day } from '../../base/day.ts';
import type { AssetClass } from '../statement-values.ts';

/** The lines of one asset and year that the answer to a question about its class or rate would change. */
export interface ClassQuestion {
  readonly about: 'class' | 'collectible';
  readonly key: string;
  readonly asset: string;
  readonly assetClass: AssetClass;
  /** Of the first such line. */
  readonly account: string;
  readonly openedBy: string;
  readonly on: Day;
  readonly lines: number;
  /** The sums of their gains, and of their losses, in cents. Both positive. */
  readonly gain: bigint;
  readonly loss: bigint;
}
