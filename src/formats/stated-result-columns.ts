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
  /** Whether an empty cell of a total stands for all rows, whatever they have there. */
  readonly isOfAllIfEmpty?: true;
  /** The rows that count. Default: all others. */
  readonly of?: { readonly column: string; readonly says: RegExp };
}

/** Rows of one section that each state the sum of rows of other sections: the realized gain of an asset. */
export interface SummaryRows {
  /** The section, which is the first cell of its rows. */
  readonly section: string;
  readonly column: string;
  /** A row that the summary may have added or left out. */
  readonly either?: string;
  /** The columns that name what is summed, in both sections. */
  readonly by: readonly string[];
  /** Rows of the section that sum its own rows, by the first of these columns. */
  readonly totals: RegExp;
  readonly sums: {
    readonly section: string;
    readonly column: string;
    readonly of: { readonly column: string; readonly says: RegExp };
    readonly currency: string;
  };
  /** Rows that state a part of the sum and name the asset otherwise: what they name is not compared. */
  readonly beside: { readonly section: string; readonly column: string; readonly names: string };
  /** Where the file states the currency of the summary. */
  readonly currency: { readonly name: RegExp; readonly nameColumn: string; readonly valueColumn: string };
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
  readonly summaries?: SummaryRows;
  /** The cost basis that a sale states. If it states no gain, the gain that this basis makes is compared with the books. */
  readonly basis?: ResultColumnName;
  readonly numbers?: 'decimal comma' | 'decimal point';
  /** The reader compares this gain, and rejects the row if it differs. */
  readonly comparedByReader?: string;
}
