import type { RowIssue } from '../../../formats/format.ts';

/** A line that could not be read, as it is staged. Plain data: it comes from a Worker. */
export interface RejectedLine extends Omit<RowIssue, 'on' | 'result'> {
  /** `YYYY-MM-DD`; null where no cell is a date. */
  readonly on: string | null;
  /** Without a sign; null where no column of money has a number. */
  readonly amount: string | null;
  /** Both results of a row that was read and whose result differs; null for another line. */
  readonly stated: string | null;
  readonly computed: string | null;
  /** Of format and cells: one line of two files is one question. */
  readonly content: string;
  /** The first of equal lines of a file is 1. */
  readonly occurrence: number;
  /** Words that may be the symbol of its asset. */
  readonly words: readonly string[];
}
