import type { Day, Instant } from '../base/day.ts';
import type { Money, Quantity } from '../base/decimal.ts';
import type { AssetClass, Statement } from '../engine/model.ts';
import type { DateOrder } from './cells/times.ts';
import type { StatedResultColumns } from './stated-result-columns.ts';

/** The cells of one CSV record. `line` is its first physical line, 1-based. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
  /** The 0-based index of a cell with text after its closing quote. It is unclear where that cell ends. */
  readonly flaw?: number;
}

/** The result of one or more rows: a statement without id or owner. `account` is '' if the row does not name one. */
export interface Draft extends Statement {
  /** The line of the row, or of the first row if several rows form the draft. */
  readonly line: number;
  /**
   * The time zone in the row, which determines the row's date. Default: the time zone of the import or the taxpayer.
   */
  readonly timeZone?: string;
  /** A contradiction between two values in the row. The note also contains it. */
  readonly warning?: string;
  /** The account that earlier versions assigned to the row. Set if the file names its account outside the rows. */
  readonly earlierAccount?: string;
}

/** An account in the books that was created by a source's files. */
export interface KnownAccount {
  readonly account: string;
  /** The id of a format that has imported rows into the account. */
  readonly format: string;
  /** The name in the source's files, if it differs from the one in the books. */
  readonly stated?: string | null;
}

export interface DifferingResult {
  readonly stated: Money;
  readonly computed: Money;
  /** The absolute difference. */
  readonly difference: Money;
}

/**
 * A problem with a row: an unreadable cell, a rejected row, or a reported result that differs from the computed one. It
 * is returned, never thrown: the import continues and lists the line as rejected.
 */
export interface RowIssue {
  readonly line: number;
  /** The column's header. Null for the whole row. */
  readonly column: string | null;
  readonly code: string;
  readonly reason: string;
  /** Set if editing the cells does not help, so that the user has to enter the transaction manually. */
  readonly manual?: true;
  /** The raw cells, for the file of rejected lines. */
  readonly cells: readonly string[];
  /** Set if the row was imported but contains a result that differs from the computed one. */
  readonly result?: DifferingResult;
  /** The day of the row. Absent if it has no readable date. */
  readonly on?: Day;
}

/**
 * The outcome of one or more lines. Every line in a file belongs to exactly one outcome, so the counts add up. A row
 * that was imported but contains a wrong result also has a `rejected` outcome, which has no lines.
 */
export type Outcome =
  | {
      readonly kind: 'read';
      readonly lines: readonly number[];
      readonly drafts: readonly Draft[];
      /** Set if the row shows that an option was settled in shares (`tables/deliveries.ts`). */
      readonly delivers?: true;
    }
  | { readonly kind: 'skipped'; readonly lines: readonly number[]; readonly reason: string }
  | { readonly kind: 'rejected'; readonly lines: readonly number[]; readonly issue: RowIssue };

/** Settings from the request that apply to the whole file. */
export interface ReadingContext {
  /** The IANA zone for times without an offset. Every time is converted to a date in this zone. */
  readonly timeZone: string;
  /** The rows before the header, such as titles and account names. */
  readonly preamble: readonly Row[];
  /** The order of day and month, if the request or the file determines it. It overrides the format's own. */
  readonly dates?: DateOrder;
  /** The direction of every row, if the request sets it. */
  readonly side?: RowsSide;
}

/** Directions that a request can set for rows in a file that does not show one. */
export const rowsSides = ['buy', 'sell', 'deposit', 'withdrawal'] as const;
export type RowsSide = (typeof rowsSides)[number];

/** Reads one file. Keeps state if several rows form one trade. */
export interface Reader {
  read(row: Row): readonly Outcome[];
  /** Returns the outcomes of rows that were still waiting for related rows. Called after the last row. */
  end(): readonly Outcome[];
  /**
   * Returns whether a row belongs to a different header than the first one in the file. The price and results in such a
   * row are not checked.
   */
  isOfOtherHeader?(row: Row): boolean;
  /** Returns the holdings that the file lists for its account. Called at the end of the account's rows. */
  listHoldings?(): readonly ListedHolding[];
}

/** The balance of an asset in an account after a row, as reported in the row. */
export interface BalanceAfter {
  readonly on: Day;
  readonly at: Instant | null;
  readonly asset: string;
  /** The wallet or staking position that has its own balance. */
  readonly part: string;
  /** The amount that the row adds to the balance, net of its fee. */
  readonly change: Quantity;
  /** Null if the cell is unreadable. */
  readonly balance: Quantity | null;
  /** The number of decimals in the balance. */
  readonly decimals: number;
}

/** The units of an asset that an account holds, as listed in a file beside its transactions. */
export interface ListedHolding {
  readonly asset: string;
  /** The day as `YYYY-MM-DD`. */
  readonly day: string;
  /** The time of the list. Null means the end of the day. */
  readonly until: Instant | null;
  readonly quantity: Quantity;
}

/** A header row that a format recognizes. */
export interface Layout {
  readonly id: string;
  /** Column names that must all be present, in any order and case. More columns are allowed. */
  readonly required: readonly string[];
  /** The unit price column, in the row's currency. A trade's amount is checked against it. */
  readonly price?: string;
  /** The columns with results, such as gains and totals, that are compared with the computed ones. */
  readonly results?: StatedResultColumns;
  /** Tried only if the request names the format, because the header does not identify the source. */
  readonly onlyWhenAsked?: true;
  /** Set if Lotbook writes the table, from a document. It then has this layout even if every row is rejected. */
  readonly isFromDocument?: true;
  /**
   * Set if the header contains only common words and does not identify the source. A row must match this pattern unless
   * the request names the format.
   */
  readonly evidence?: { readonly column: string; readonly says: RegExp };
}

export interface Format {
  /** A stable id, such as `kraken-ledgers`. The API uses it as `format`. */
  readonly id: string;
  /** The display name, such as `Kraken ledgers`. */
  readonly name: string;
  /**
   * The name of the broker or exchange. Also the account for rows that do not name one, unless the request names one.
   */
  readonly source: string;
  /** Set if files of any broker can have this format, so that each account is also in the broker's own formats. */
  readonly ofAnyBroker?: true;
  /**
   * The asset class if neither the row nor the account has one. Null means that the list of known digital assets
   * determines it.
   */
  readonly assetClass: AssetClass | null;
  readonly layouts: readonly Layout[];
  /**
   * Set if users can choose the date format at the source and the file does not show which one it has. The order of day
   * and month then comes from the rows or the request.
   */
  readonly asksDateOrder?: true;
  /** Layouts whose rows do not show a direction, so the request must set it. */
  readonly asksSide?: readonly string[];
  /**
   * Set if each line names its section. The file then contains several headers, and the first two columns are the same
   * in every section.
   */
  readonly sectioned?: boolean;
  /**
   * If true, an action without an account (split, spin-off…) applies to every account. Otherwise it applies only to the
   * account for rows that do not name one.
   */
  readonly actionsReachEveryAccount?: boolean;
  /** Opens a reader. `header` is the row that matched `layout`. The rows before it are the preamble. */
  open(layout: Layout, header: Row, context: ReadingContext): Reader;
  /** Returns a function that returns the balance reported in a row, or null if the row has none. */
  openBalances?(layout: Layout, header: Row, context: ReadingContext): (row: Row) => BalanceAfter | null;
}
