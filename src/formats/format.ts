import type { Day, Instant } from '../base/day.ts';
import type { Money, Quantity } from '../base/decimal.ts';
import type { AssetClass, Statement } from '../engine/model.ts';
import type { DateOrder } from './cells/times.ts';
import type { StatedResultColumns } from './stated-result-columns.ts';

/** The cells of one CSV record. `line` is the physical line on which it starts, 1-based. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
  /** The cell, counted from 0, with text after a closing quote: its end is uncertain. */
  readonly flaw?: number;
}

/**
 * What a format reads from one or several rows: a statement without id or owner. `account` is '' where the row names
 * none.
 */
export interface Draft extends Statement {
  /** Its line. The first line where several rows make it. */
  readonly line: number;
  /** The zone that the row itself states for its day. Default: the import's or the taxpayer's. */
  readonly timeZone?: string;
  /** What its row states of itself that does not agree. The note has it too. */
  readonly warning?: string;
  /** The account that the row had before its file was known to name one outside of its rows. */
  readonly earlierAccount?: string;
}

/** An account of the books that files of a source brought. */
export interface KnownAccount {
  readonly account: string;
  /** The id of a format that has rows of it. */
  readonly format: string;
  /** What a file called it, if the books call it otherwise. */
  readonly stated?: string | null;
}

export interface DifferingResult {
  readonly stated: Money;
  readonly computed: Money;
  /** Without a sign. */
  readonly difference: Money;
}

/**
 * A cell that cannot be read. It is a value and is never thrown: the import continues and lists the line as rejected.
 */
export interface RowIssue {
  readonly line: number;
  /** The header of the column. Null for the whole row. */
  readonly column: string | null;
  readonly code: string;
  readonly reason: string;
  /** The raw cells, for the file of rejected lines. */
  readonly cells: readonly string[];
  /** The row was read, and states a result that differs from the computed one. */
  readonly result?: DifferingResult;
  /** The day of the row. Absent if no date in it can be read. */
  readonly on?: Day;
}

/**
 * The outcome of lines. Every line of a file has exactly one, so that the counts sum. A row that was read and states a
 * wrong result has one more: `rejected` without lines.
 */
export type Outcome =
  | {
      readonly kind: 'read';
      readonly lines: readonly number[];
      readonly drafts: readonly Draft[];
      /** The row states that an option delivered its shares (`tables/deliveries.ts`). */
      readonly delivers?: true;
    }
  | { readonly kind: 'skipped'; readonly lines: readonly number[]; readonly reason: string }
  | { readonly kind: 'rejected'; readonly lines: readonly number[]; readonly issue: RowIssue };

/** What the request states about the whole file. */
export interface ReadingContext {
  /** IANA zone in which times without offset are read and all times are dated. */
  readonly timeZone: string;
  /** The rows before the header: titles, names of accounts. */
  readonly preamble: readonly Row[];
  /** The order of day and month, where the request or the file decides it. It overrides the format's own. */
  readonly dates?: DateOrder;
  /** The direction of every row, where the request states it. */
  readonly side?: RowsSide;
}

/** The direction of rows in a file that does not state it. */
export const rowsSides = ['buy', 'sell', 'deposit', 'withdrawal'] as const;
export type RowsSide = (typeof rowsSides)[number];

/** A reader of one file. It has state where several rows make one trade. */
export interface Reader {
  read(row: Row): readonly Outcome[];
  /** After the last row: the outcomes of rows that still waited for others. */
  end(): readonly Outcome[];
  /** Whether a row has other columns than the header of the file: its price and its results are not compared. */
  isOfOtherHeader?(row: Row): boolean;
}

/** What an account holds of an asset after a row, as the row states it. */
export interface BalanceAfter {
  readonly on: Day;
  readonly at: Instant | null;
  readonly asset: string;
  /** The wallet, or the name of the staked units, with a balance of its own. */
  readonly part: string;
  /** What the row adds to the balance, less its fee. */
  readonly change: Quantity;
  /** Null where the cell cannot be read. */
  readonly balance: Quantity | null;
  /** How many decimals the balance is stated with. */
  readonly decimals: number;
}

/** A header row that a format recognizes. */
export interface Layout {
  readonly id: string;
  /** Column names that must all be there, in any order and case. The row may have more. */
  readonly required: readonly string[];
  /** The column of the price of a unit, in the currency of the row: the money of a trade is compared with it. */
  readonly price?: string;
  /** The results that its rows state: gains, totals. They are compared with those that the file makes. */
  readonly results?: StatedResultColumns;
  /** The header does not identify the source: it is tried only where the request names the format. */
  readonly onlyWhenAsked?: true;
  /** The header has everyday words only: unless the request names the format, some row must match `says`. */
  readonly evidence?: { readonly column: string; readonly says: RegExp };
}

export interface Format {
  /** A stable id, the API's `format`: `kraken-ledgers`. */
  readonly id: string;
  /** The name for people: `Kraken ledgers`. */
  readonly name: string;
  /** The account of rows that name none, where the request names none either. */
  readonly source: string;
  /** The asset class where neither row nor account state it. Null: the list of known digital assets decides. */
  readonly assetClass: AssetClass | null;
  readonly layouts: readonly Layout[];
  /** Users choose the date format of the source, and the file does not state it: the rows or the request decide. */
  readonly asksDateOrder?: true;
  /** Layouts whose rows do not state their direction: the request must. */
  readonly asksSide?: readonly string[];
  /**
   * Each line names its section. The file has several headers, and the first two columns are always in the same place.
   */
  readonly sectioned?: boolean;
  /** An action without an account (split, spin-off…) applies to every account. Otherwise only to the source's own. */
  readonly actionsReachEveryAccount?: boolean;
  /** Opens a reader. `header` is the row that matched `layout`; the rows before it were preamble. */
  open(layout: Layout, header: Row, context: ReadingContext): Reader;
  /** For rows that state the balance after them. Null for a row without one. */
  openBalances?(layout: Layout, header: Row, context: ReadingContext): (row: Row) => BalanceAfter | null;
}
