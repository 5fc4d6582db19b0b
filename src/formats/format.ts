import type { Day, Instant } from '../base/day.ts';
import type { Money, Quantity } from '../base/decimal.ts';
import type { AssetClass, Statement } from '../engine/model.ts';
import type { DateOrder } from './cells/times.ts';
import type { StatedResultColumns } from './stated-result-columns.ts';

/** The cells of one CSV record. `line` is its first physical line, 1-based. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
  /** The 0-based index of a cell with text after a closing quote, so its end is uncertain. */
  readonly flaw?: number;
}

/** The result of one or several rows: a statement without id or owner. `account` is '' if the row does not name one. */
export interface Draft extends Statement {
  /** Its line. If several rows form it, the first one. */
  readonly line: number;
  /** The zone that the row itself gives for its day. Default: the import's or the taxpayer's. */
  readonly timeZone?: string;
  /** A contradiction between values of its row. The note contains it too. */
  readonly warning?: string;
  /** The row's account before the file turned out to name one outside its rows. */
  readonly earlierAccount?: string;
}

/** An account in the books that was created by files of a source. */
export interface KnownAccount {
  readonly account: string;
  /** The id of a format with rows in it. */
  readonly format: string;
  /** The name used in a file, if the books use another one. */
  readonly stated?: string | null;
}

export interface DifferingResult {
  readonly stated: Money;
  readonly computed: Money;
  /** Absolute value. */
  readonly difference: Money;
}

/** An unreadable cell. It is a value and is never thrown: the import continues and lists the line as rejected. */
export interface RowIssue {
  readonly line: number;
  /** The header of the column. Null for the whole row. */
  readonly column: string | null;
  readonly code: string;
  readonly reason: string;
  /** The raw cells, for the file of rejected lines. */
  readonly cells: readonly string[];
  /** The row was imported, but contains a result that differs from the computed one. */
  readonly result?: DifferingResult;
  /** The day of the row. Absent if it has no readable date. */
  readonly on?: Day;
}

/**
 * The outcome of lines. Every line of a file has exactly one, so the counts add up. A row that was imported with a
 * wrong result has one more: `rejected` without lines.
 */
export type Outcome =
  | {
      readonly kind: 'read';
      readonly lines: readonly number[];
      readonly drafts: readonly Draft[];
      /** The row shows that an option delivered its shares (`tables/deliveries.ts`). */
      readonly delivers?: true;
    }
  | { readonly kind: 'skipped'; readonly lines: readonly number[]; readonly reason: string }
  | { readonly kind: 'rejected'; readonly lines: readonly number[]; readonly issue: RowIssue };

/** The request's settings for the whole file. */
export interface ReadingContext {
  /** The IANA zone of times without an offset, in which all times are dated. */
  readonly timeZone: string;
  /** The rows before the header: titles and account names. */
  readonly preamble: readonly Row[];
  /** The order of day and month, if the request or the file decides it. It overrides the format's own. */
  readonly dates?: DateOrder;
  /** The direction of every row, if the request gives it. */
  readonly side?: RowsSide;
}

/** The direction of rows in a file that does not show it. */
export const rowsSides = ['buy', 'sell', 'deposit', 'withdrawal'] as const;
export type RowsSide = (typeof rowsSides)[number];

/** Reads one file. It keeps state if several rows form one trade. */
export interface Reader {
  read(row: Row): readonly Outcome[];
  /** Called after the last row. Returns the outcomes of rows that were waiting for others. */
  end(): readonly Outcome[];
  /** Whether a row has different columns than the header of the file. Its price and results are not compared. */
  isOfOtherHeader?(row: Row): boolean;
}

/** The balance of an asset in an account after a row, as stated in the row. */
export interface BalanceAfter {
  readonly on: Day;
  readonly at: Instant | null;
  readonly asset: string;
  /** The wallet or staking position that has its own balance. */
  readonly part: string;
  /** The amount that the row adds to the balance, minus its fee. */
  readonly change: Quantity;
  /** Null if the cell cannot be read. */
  readonly balance: Quantity | null;
  /** The number of decimals of the balance. */
  readonly decimals: number;
}

/** A header row that a format recognizes. */
export interface Layout {
  readonly id: string;
  /** Column names that are all required, in any order and case. The row may have more. */
  readonly required: readonly string[];
  /** The column of the unit price, in the currency of the row. The amount of a trade is compared with it. */
  readonly price?: string;
  /** The results in its rows, such as gains and totals. They are compared with the computed ones. */
  readonly results?: StatedResultColumns;
  /** The header does not identify the source, so it is tried only if the request names the format. */
  readonly onlyWhenAsked?: true;
  /**
   * The header has only everyday words. Unless the request names the format, some row must match the pattern in `says`.
   */
  readonly evidence?: { readonly column: string; readonly says: RegExp };
}

export interface Format {
  /** A stable id, the API's `format`: `kraken-ledgers`. */
  readonly id: string;
  /** The name for people: `Kraken ledgers`. */
  readonly name: string;
  /** The account of rows without one, if the request does not name one either. */
  readonly source: string;
  /** The asset class if neither the row nor the account has one. Null: the list of known digital assets decides. */
  readonly assetClass: AssetClass | null;
  readonly layouts: readonly Layout[];
  /** The source lets users choose the date format, and the file does not show it. The rows or the request decide. */
  readonly asksDateOrder?: true;
  /** Layouts whose rows do not show their direction. The request must give it. */
  readonly asksSide?: readonly string[];
  /**
   * Each line names its section. The file has several headers, and the first two columns are always in the same place.
   */
  readonly sectioned?: boolean;
  /**
   * An action without an account (split, spin-off…) applies to every account. Otherwise it applies only to the source's
   * own.
   */
  readonly actionsReachEveryAccount?: boolean;
  /** Opens a reader. `header` is the row that matched `layout`; the rows before it are preamble. */
  open(layout: Layout, header: Row, context: ReadingContext): Reader;
  /** Reads the balance that a row contains after itself. Null for a row without one. */
  openBalances?(layout: Layout, header: Row, context: ReadingContext): (row: Row) => BalanceAfter | null;
}
