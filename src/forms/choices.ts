/** Column (b) of a lot whose holding period is not its own (the law is silent). */
export const columnBChoices = ['held_when_term_differs', 'held', 'trade'] as const;
/** Rows that stand for several lines: lots of one day sold on one day, or all lots of one sale (i8949, column (b)). */
export const mergeChoices = ['none', 'same_lot', 'sale'] as const;
/** Digital assets in a file whose format knows no box for them: as not reported, or not at all. */
export const digitalAssetChoices = ['as_not_reported', 'left_out'] as const;

/** How a report is written where law or reader leave a choice; what is not chosen is as the books have it. */
export interface FormChoices {
  readonly wholeDollars?: boolean;
  readonly columnB?: (typeof columnBChoices)[number];
  readonly merge?: (typeof mergeChoices)[number];
  readonly digitalAssets?: (typeof digitalAssetChoices)[number];
  /** Totals of lines that need no Form 8949 go straight to Schedule D, lines 1a and 8a (i8949, Exception 1). */
  readonly exception1?: boolean;
  /** A row of totals for each broker and box, code M, and a statement with the lines (i8949, Exception 2). */
  readonly exception2?: boolean;
  /** A file of more rows is split into parts. */
  readonly linesMax?: number;
  /** Of those parts only this one, from 1. */
  readonly part?: number;
}

export type ChoiceName = keyof FormChoices;
