import type { Statement } from './statement-members.ts';
import type { AssetClass } from './statement-values.ts';

/** A stored statement with a resolved `assetClass`. Two assets with the same name have different asset keys. */
export interface Transaction extends Statement {
  /** Derived from the content and its occurrence number, never from the order of import. */
  readonly id: string;
  /**
   * Its position in the source. In newest-first files lines count from the end. If there are several sources, the
   * smallest. A fraction orders rows of one line by meaning.
   */
  readonly line: number;
  readonly assetClass: AssetClass;
  /** The taxpayer states that this withdrawal or deposit has no other side, so it is not paired. */
  readonly alone?: true;
  /** Its time is read in a time zone stated by its import, if the year depends on it. */
  readonly zoned?: true;
}
