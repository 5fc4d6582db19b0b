/** A column name, or the pattern of one that contains a currency: `Result (GBP)`. */
export type ResultColumnName = string | RegExp;

/** A result that follows from other columns of its row, such as the gain of a sale from its proceeds and its basis. */
export interface RowResult {
  /** Default: a gain. */
  readonly result?: 'gain' | 'total';
  readonly column: ResultColumnName;
  /** A row without one of these is not compared. */
  readonly plus: readonly string[];
  readonly minus?: readonly string[];
  /** Added if the row has it. */
  readonly fees?: readonly string[];
  /** Columns that the source may have added or left out: both are accepted. */
  readonly either?: readonly string[];
  /** Two columns that must have the same currency. Otherwise the row is not compared. */
  readonly sameCurrency?: readonly [ResultColumnName, ResultColumnName];
  /** Rows whose result means something else. */
  readonly unless?: { readonly column: string; readonly says: RegExp };
}

/** Rows with the sum of other rows: those since the last such row, or those of the whole file. */
export interface TotalRows {
  /** Null: the first nonempty cell of the row. */
  readonly column: string | null;
  readonly says: { test(text: string): boolean };
  /** Rows that are not totals, even if the column above matches. */
  readonly unless?: { readonly column: string; readonly says: RegExp };
  /** Whether it sums only rows since the last total of its kind, and is not a total if there are none. */
  readonly isOfRowsAbove?: true;
  readonly sums: readonly string[];
  /** A total sums the rows with the same cells in these columns. */
  readonly by?: readonly string[];
  /** Whether an empty cell of a total means all rows. */
  readonly isOfAllIfEmpty?: true;
  /** The rows that count. Default: all others. */
  readonly of?: { readonly column: string; readonly says: RegExp };
}

/** Rows of one section that each have the sum of rows of other sections, such as the realized gain of an asset. */
export interface SummaryRows {
  /** The section, which is the first cell of its rows. */
  readonly section: string;
  readonly column: string;
  /** A row that the summary may have added or left out. */
  readonly either?: string;
  /** The columns that identify the summed rows, in both sections. */
  readonly by: readonly string[];
  /** Rows of the section that sum its own rows, by the first of these columns. */
  readonly totals: RegExp;
  readonly sums: {
    readonly section: string;
    readonly column: string;
    readonly of: { readonly column: string; readonly says: RegExp };
    readonly currency: string;
  };
  /** Rows with a part of the sum that name the asset differently. Their assets are not compared. */
  readonly beside: { readonly section: string; readonly column: string; readonly names: string };
  /** The location of the summary's currency in the file. */
  readonly currency: { readonly name: RegExp; readonly nameColumn: string; readonly valueColumn: string };
}

/** The realized gain in sales. It is compared whenever a position that is complete in the file is closed. */
export interface PositionResults {
  readonly column: ResultColumnName;
  /** The money of a trade after its fees, if the gain is in a currency other than the price's. */
  readonly money?: ResultColumnName;
  readonly sameCurrency?: readonly [ResultColumnName, ResultColumnName];
}

/** The results in the rows of a layout that can be computed from its other cells or rows. */
export interface StatedResultColumns {
  readonly rows?: readonly RowResult[];
  readonly totals?: readonly TotalRows[];
  readonly positions?: PositionResults;
  readonly summaries?: SummaryRows;
  /** The cost basis in a sale. If the sale has no gain, the gain from this basis is compared with the books. */
  readonly basis?: ResultColumnName;
  readonly numbers?: 'decimal comma' | 'decimal point';
  /** The reader compares this gain and rejects the row if it differs. */
  readonly comparedByReader?: string;
}
