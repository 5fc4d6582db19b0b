/**
 * Column (b) of a lot with a tacked holding period: the trade date, or the day the period begins (the law is silent).
 */
export const columnBChoices = ['held_when_term_differs', 'held', 'trade'] as const;
/** Which lines share a row: the parts of one lot, or all lots of one sale (i8949, column (b)). */
export const mergeChoices = ['none', 'same_lot', 'sale'] as const;
/** Digital assets in a format without boxes for them: written as not reported, or left out. */
export const digitalAssetChoices = ['as_not_reported', 'left_out'] as const;

/** Choices about writing a report that the law leaves open. A choice not made follows the settings. */
export interface FormChoices {
  readonly wholeDollars?: boolean;
  readonly columnB?: (typeof columnBChoices)[number];
  readonly merge?: (typeof mergeChoices)[number];
  readonly digitalAssets?: (typeof digitalAssetChoices)[number];
  /** Totals of lines that need no Form 8949 go directly to Schedule D, lines 1a and 8a (i8949, Exception 1). */
  readonly exception1?: boolean;
  /** A row of totals for each broker and box, code M, and a statement with the lines (i8949, Exception 2). */
  readonly exception2?: boolean;
  /** A file with more rows is split into parts. */
  readonly linesMax?: number;
  /** Writes only this part, counted from 1. */
  readonly part?: number;
}

/** The defaults for choices not made. */
export const choiceDefaults = {
  columnB: 'held_when_term_differs',
  merge: 'none',
  digitalAssets: 'as_not_reported',
} as const satisfies FormChoices;

export type ChoiceName = keyof FormChoices;

/** The choices that change the file of each format. A table also takes the size of its parts. */
export const choicesByFormat = {
  '8949': ['wholeDollars', 'columnB', 'merge', 'exception1', 'exception2'],
  txf: ['wholeDollars', 'columnB', 'merge', 'digitalAssets', 'exception2'],
  pdf: ['wholeDollars', 'columnB', 'merge', 'exception1'],
  csv: ['wholeDollars', 'columnB', 'merge', 'exception2'],
  turbotax: ['wholeDollars', 'columnB', 'merge'],
  taxact: ['wholeDollars', 'columnB', 'merge', 'exception2'],
  fdx: ['wholeDollars', 'columnB', 'merge'],
  json: [],
  reconciliation: [],
  'reconciliation-csv': [],
  'form-8997-csv': [],
} as const satisfies Readonly<Record<string, readonly ChoiceName[]>>;
