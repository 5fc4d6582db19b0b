/** A column name, or the shape of one that contains a currency: `Result (GBP)`. */
export type ResultColumnName = string | RegExp;

/** A result that follows from other columns of its row: the gain of a sale from its proceeds and its basis. */
export interface RowResult {
  /** Default: a gain. */
  readonly result?: 'gain' | 'total';
  readonly column: ResultColumnName;
  /** A row without one of these is not compared. */
  readonly plus: readonly string[];
  readonly minus?: readonly string[];
  /** Added if the row has it. */
  readonly fees?: readonly string[];
  /** Columns that the source may have added or left out: both are right. */
  readonly either?: readonly string[];
  /** Two columns with one currency: otherwise the row is not compared. */
  readonly sameCurrency?: readonly [ResultColumnName, ResultColumnName];
  /** Rows whose result is another one. */
  readonly unless?: { readonly column: string; readonly says: RegExp };
}

/** Rows that state the sum of other rows: those since the last such row, or those of the whole file. */
export interface TotalRows {
  /** Null: the first cell of the row that is not empty. */
  readonly column: string | null;
  readonly says: { test(text: string): boolean };
  /** Rows that are none, whatever the column above has. */
  readonly unless?: { readonly column: string; readonly says: RegExp };
  /** Whether it sums only rows since the last total of its kind, and is no total if there are none. */
  readonly isOfRowsAbove?: true;
  readonly sums: readonly string[];
  /** A total is that of rows with the same cells here. */
  readonly by?: readonly string[];
  /** The rows that count. Default: all others. */
  readonly of?: { readonly column: string; readonly says: RegExp };
}

/** The realized gain that sales state. It is compared whenever a position that the file shows whole is closed. */
export interface PositionResults {
  readonly column: ResultColumnName;
  /** The money of a trade after its fees, if the gain is in another currency than the price. */
  readonly money?: ResultColumnName;
  readonly sameCurrency?: readonly [ResultColumnName, ResultColumnName];
}

/** The results that the rows of a layout state and that its other cells or rows make. */
export interface StatedResultColumns {
  readonly rows?: readonly RowResult[];
  readonly totals?: readonly TotalRows[];
  readonly positions?: PositionResults;
  readonly numbers?: 'decimal comma' | 'decimal point';
  /** The reader compares this gain, and rejects the row if it differs. */
  readonly comparedByReader?: string;
}
