import type { Statement } from './statement-members.ts';
import type { AssetClass } from './statement-values.ts';

/** A stored statement with a resolved `assetClass`. Two assets with the same name have different asset keys. */
export interface Transaction extends Statement {
  /** Derived from the content and its occurrence number, so it does not depend on the order of import. */
  readonly id: string;
  /**
   * Its position in the source. In files that list the newest row first, lines are counted from the end. If there are
   * several sources, the smallest position is used. A fraction puts transactions from the same line in a logical order.
   */
  readonly line: number;
  readonly assetClass: AssetClass;
  /** Set if the taxpayer stated that this withdrawal or deposit has no counterpart, so that it is not paired. */
  readonly alone?: true;
  /** Set if its import states a time zone and the tax year depends on it. */
  readonly zoned?: true;
}
