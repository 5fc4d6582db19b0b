/**
 * Which date column (b) shows for a lot with a tacked holding period: the trade date, or the day when the period
 * begins. The law does not specify it.
 */
export const columnBChoices = ['held_when_term_differs', 'held', 'trade'] as const;
/** Which lines are merged into one row: the parts of one lot, or all lots in one sale (i8949, column (b)). */
export const mergeChoices = ['none', 'same_lot', 'sale'] as const;
/** How to write digital assets in a format without boxes for them: as not reported, or not at all. */
export const digitalAssetChoices = ['as_not_reported', 'left_out'] as const;

/** Choices for writing a report that the law leaves open. If one is not made, the settings apply. */
export interface FormChoices {
  readonly wholeDollars?: boolean;
  readonly columnB?: (typeof columnBChoices)[number];
  readonly merge?: (typeof mergeChoices)[number];
  readonly digitalAssets?: (typeof digitalAssetChoices)[number];
  /**
   * Whether totals of lines that do not require Form 8949 go directly to Schedule D, lines 1a and 8a (i8949, Exception
   * 1).
   */
  readonly exception1?: boolean;
  /**
   * Whether each broker and box gets one row of totals with code M, and a statement with the lines (i8949, Exception
   * 2).
   */
  readonly exception2?: boolean;
  /** The maximum number of rows in a file. A file with more rows is split into parts. */
  readonly linesMax?: number;
  /** The part to write, starting from 1. */
  readonly part?: number;
}

/** The defaults for choices not made. */
export const choiceDefaults = {
  columnB: 'held_when_term_differs',
  merge: 'none',
  digitalAssets: 'as_not_reported',
} as const satisfies FormChoices;

export type ChoiceName = keyof FormChoices;

/** The choices that affect each format. A table can also be split into parts. */
export const choicesByFormat = {
  '8949': ['wholeDollars', 'columnB', 'merge', 'exception1', 'exception2'],
  txf: ['wholeDollars', 'columnB', 'merge', 'digitalAssets', 'exception2'],
  pdf: ['wholeDollars', 'columnB', 'merge', 'exception1'],
  csv: ['wholeDollars', 'columnB', 'merge', 'exception2'],
  turbotax: ['wholeDollars', 'columnB', 'merge'],
  taxact: ['wholeDollars', 'columnB', 'merge', 'exception2'],
  drake: ['wholeDollars', 'columnB', 'merge', 'digitalAssets', 'exception2'],
  fdx: ['wholeDollars', 'columnB', 'merge'],
  preparer: ['wholeDollars', 'columnB', 'merge', 'digitalAssets', 'exception1', 'exception2'],
  json: [],
  reconciliation: [],
  'reconciliation-csv': [],
  'form-8997-csv': [],
} as const satisfies Readonly<Record<string, readonly ChoiceName[]>>;
