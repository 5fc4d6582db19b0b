import type { RowIssue } from '../../../formats/format.ts';

/** A rejected line as staged. Plain data, because it comes from a Worker. */
export interface RejectedLine extends Omit<RowIssue, 'on' | 'result'> {
  /** `YYYY-MM-DD`; null if no cell contains a date. */
  readonly on: string | null;
  /** Unsigned; null if no amount column contains a number. */
  readonly amount: string | null;
  /** The reported and the calculated result of a row that was read but whose results differ; null for other lines. */
  readonly stated: string | null;
  readonly computed: string | null;
  /** A hash of format and cells, so that the same line in two files is one question. */
  readonly content: string;
  /** Number among equal lines of a file, starting at 1. */
  readonly occurrence: number;
  /** Words that could be the asset's symbol. */
  readonly words: readonly string[];
}
