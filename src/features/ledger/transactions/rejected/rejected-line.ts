import type { RowIssue } from '../../../../formats/format.ts';

/** A rejected line as staged. It contains only plain data, because it comes from a Worker. */
export interface RejectedLine extends Omit<RowIssue, 'on' | 'result'> {
  /** The date as `YYYY-MM-DD`, or null if no cell contains a date. */
  readonly on: string | null;
  /** The amount without a sign, or null if no amount column contains a number. */
  readonly amount: string | null;
  /**
   * The result in the file. `computed` is the calculated result. Both are null unless the row was read and the results
   * differ.
   */
  readonly stated: string | null;
  readonly computed: string | null;
  /** A hash of format and cells, so that the same line in two files is one issue. */
  readonly content: string;
  /** The number among equal lines of a file, starting at 1. */
  readonly occurrence: number;
  /** Words that may be the symbol of the asset. */
  readonly words: readonly string[];
}
