import type { Day } from '../../base/day.ts';
import type { AssetClass } from '../statement-values.ts';

/** The Form 8949 rows of one asset and year that would change with the answer to a question about its class or rate. */
export interface ClassQuestion {
  readonly about: 'class' | 'collectible';
  readonly key: string;
  readonly asset: string;
  readonly assetClass: AssetClass;
  /** Members of the first affected row. */
  readonly account: string;
  readonly openedBy: string;
  readonly on: Day;
  readonly lines: number;
  /** The sums of their gains and of their losses, in cents. Both are positive. */
  readonly gain: bigint;
  readonly loss: bigint;
}
