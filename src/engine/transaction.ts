import type { Statement } from './statement-members.ts';
import type { AssetClass } from './statement-values.ts';

/** A stored statement. Its `assetClass` is resolved. Two assets of one name have different asset keys. */
export interface Transaction extends Statement {
  /** Derived from the content and its occurrence number, never from the order of import. */
  readonly id: string;
  /**
   * Its place in the source. In newest-first files lines count from the end. The smallest of several sources. A fraction
   * orders rows of one line by what they mean.
   */
  readonly line: number;
  readonly assetClass: AssetClass;
  /** The taxpayer states that this withdrawal or deposit has no other leg: nothing is paired with it. */
  readonly alone?: true;
  /** Its time is read in a time zone that its import states, where the year depends on it. */
  readonly zoned?: true;
}
