import type { AssetClass, Statement } from '../engine/model.ts';
import type { DateOrder } from './cells/times.ts';

/** The cells of one CSV record. `line` is the physical line on which it starts, 1-based. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
  /** The cell, counted from 0, in which text follows a closing quote: where that cell ends is a guess. */
  readonly flaw?: number;
}

/**
 * What a format understood of a row, or of several that belong together: a statement without id or owner.
 * `account` is '' where the row names none.
 */
export interface Draft extends Statement {
  /** The line it stands on; the first one where several rows make it. */
  readonly line: number;
  /** The zone that the row itself says its day is read in; without it the import's, or the taxpayer's. */
  readonly timeZone?: string;
}

/** A cell that cannot be read. A value, never thrown: the import goes on and the line is listed as rejected. */
export interface RowIssue {
  readonly line: number;
  /** The header of the column, or null where the whole row is meant. */
  readonly column: string | null;
  readonly code: string;
  readonly reason: string;
  /** The raw cells, for the file of rejected lines. */
  readonly cells: readonly string[];
}

/** What became of lines. Every line of a file ends in exactly one of these, so that the counts sum. */
export type Outcome =
  | { readonly kind: 'read'; readonly lines: readonly number[]; readonly drafts: readonly Draft[] }
  | { readonly kind: 'skipped'; readonly lines: readonly number[]; readonly reason: string }
  | { readonly kind: 'rejected'; readonly lines: readonly number[]; readonly issue: RowIssue };

/** What the request says of the whole file. */
export interface ReadingContext {
  /** IANA zone in which times without offset are read and all times are dated. */
  readonly timeZone: string;
  /** The rows before the header: titles, names of accounts. */
  readonly preamble: readonly Row[];
  /** The order of day and month, where the request or the file itself decided it: it stands above the format's own. */
  readonly dates?: DateOrder;
  /** Which way every row goes, where the request says so. */
  readonly side?: RowsSide;
}

/** Which way the rows of a file go that does not say. */
export const rowsSides = ['buy', 'sell', 'deposit', 'withdrawal'] as const;
export type RowsSide = (typeof rowsSides)[number];

/** A reader of one file, stateful where several rows make one trade. */
export interface Reader {
  read(row: Row): readonly Outcome[];
  /** After the last row: what still waits for its other half. */
  end(): readonly Outcome[];
}

/** A header row that a format answers to. */
export interface Layout {
  readonly id: string;
  /** Names that must all be there, in any order and case; the row may have more. */
  readonly required: readonly string[];
  /** The header says too little to identify the source: tried only where the request names the format. */
  readonly onlyWhenAsked?: true;
  /** The header's words are everyday ones: unless the request names the format, some row has to speak like the source. */
  readonly evidence?: { readonly column: string; readonly says: RegExp };
}

export interface Format {
  /** `kraken-ledgers`: stable, in the API's `format`. */
  readonly id: string;
  /** `Kraken ledgers`: for people. */
  readonly name: string;
  /** The account of rows that name none, where the request names none either. */
  readonly source: string;
  /** What an asset is where row and account do not say; null where the list of known digital assets decides. */
  readonly assetClass: AssetClass | null;
  readonly layouts: readonly Layout[];
  /** Its users choose how dates are written and the file does not say: the rows decide between day and month, or the request. */
  readonly asksDateOrder?: true;
  /** Layouts whose rows do not say which way they go: the request must. */
  readonly asksSide?: readonly string[];
  /** Its lines name their section: several headers, and the first two columns stand where they stand. */
  readonly sectioned?: boolean;
  /** An action on an asset (split, spin-off…) without an account reaches every account; else only the source's own. */
  readonly actionsReachEveryAccount?: boolean;
  /** `header` is the row that matched `layout`; the rows before it were preamble. */
  open(layout: Layout, header: Row, context: ReadingContext): Reader;
}
