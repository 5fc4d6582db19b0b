/** A column name, or a pattern for one that contains a currency: `Result (GBP)`. */
export type ResultColumnName = string | RegExp;

/** A result that follows from other columns in its row, such as a sale's gain from proceeds and basis. */
export interface RowResult {
  /** Default: a gain. */
  readonly result?: 'gain' | 'total';
  readonly column: ResultColumnName;
  /** A row that lacks one of these is not compared. */
  readonly plus: readonly string[];
  readonly minus?: readonly string[];
  /** Added if the row contains them. */
  readonly fees?: readonly string[];
  /** Columns that the source may or may not have included. The result matches in either case. */
  readonly either?: readonly string[];
  /** Two columns that must have the same currency. Otherwise, the row is not compared. */
  readonly sameCurrency?: readonly [ResultColumnName, ResultColumnName];
  /** Rows whose result means something else. */
  readonly unless?: { readonly column: string; readonly says: RegExp };
}

/** Rows with the sum of other rows: those since the last such row, or all rows in the file. */
export interface TotalRows {
  /** Null means the first nonempty cell in the row. */
  readonly column: string | null;
  readonly says: { test(text: string): boolean };
  /** Rows that are not totals, although the column above matches. */
  readonly unless?: { readonly column: string; readonly says: RegExp };
  /** Whether it is the sum of rows since the last total of its kind. Without any such row, it is not a total. */
  readonly isOfRowsAbove?: true;
  readonly sums: readonly string[];
  /** A total adds up the rows with the same cells in these columns. */
  readonly by?: readonly string[];
  /** Whether an empty cell in a total means all rows. */
  readonly isOfAllIfEmpty?: true;
  /** The rows that are added up. Default: all except totals. */
  readonly of?: { readonly column: string; readonly says: RegExp };
}

/** Rows of one section that each add up rows of other sections, such as an asset's realized gain. */
export interface SummaryRows {
  /** The section, which is the first cell in its rows. */
  readonly section: string;
  readonly column: string;
  /** A row that the summary may or may not have included. */
  readonly either?: string;
  /** The columns that identify the added rows, in both sections. */
  readonly by: readonly string[];
  /** Rows that add up other rows in the summary section, recognized by the first of these columns. */
  readonly totals: RegExp;
  readonly sums: {
    readonly section: string;
    readonly column: string;
    readonly of: { readonly column: string; readonly says: RegExp };
    readonly currency: string;
  };
  /** Rows that are part of the sum but name the asset differently. Their assets are not compared. */
  readonly beside: { readonly section: string; readonly column: string; readonly names: string };
  /** The location of the summary's currency in the file. */
  readonly currency: { readonly name: RegExp; readonly nameColumn: string; readonly valueColumn: string };
}

/** The realized gain in sales. It is compared when a position that the file contains in full is closed. */
export interface PositionResults {
  readonly column: ResultColumnName;
  /** A trade's money after fees, if the gain is in a currency other than the price's. */
  readonly money?: ResultColumnName;
  readonly sameCurrency?: readonly [ResultColumnName, ResultColumnName];
}

/** The results in a layout's rows that can be computed from other cells or rows. */
export interface StatedResultColumns {
  readonly rows?: readonly RowResult[];
  readonly totals?: readonly TotalRows[];
  readonly positions?: PositionResults;
  readonly summaries?: SummaryRows;
  /**
   * The cost basis in a sale. If the sale has no gain, the gain that follows from this basis is compared with the
   * books.
   */
  readonly basis?: ResultColumnName;
  readonly numbers?: 'decimal comma' | 'decimal point';
  /** A gain that the reader compares. It rejects the row if the gain differs. */
  readonly comparedByReader?: string;
}
