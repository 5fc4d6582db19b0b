import type { Day } from '../../base/day.ts';
import type { AssetClass } from '../statement-values.ts';

/** The Form 8949 rows of one asset and year that depend on an open question about its class or rate. */
export interface ClassQuestion {
  readonly about: 'class' | 'collectible';
  readonly key: string;
  readonly asset: string;
  readonly assetClass: AssetClass;
  /** The account, transaction and day of the first affected row. */
  readonly account: string;
  readonly openedBy: string;
  readonly on: Day;
  readonly lines: number;
  /** The sums of the gains and of the losses, in cents. Both are positive. */
  readonly gain: bigint;
  readonly loss: bigint;
}
