import type { Cents, Money } from '../base/decimal.ts';
import type { FundInterest } from '../engine/book/fund-interests.ts';
import type {
  Box,
  Contract1256,
  Disposal,
  Gift,
  Income,
  Issue,
  Line,
  Lot,
  Rules,
  TaxYearSummary,
  Transaction,
  TransactionType,
  WashSale,
} from '../engine/model.ts';
import type { ChoiceName, FormChoices } from './choices.ts';

/**
 * The contents of a report, and the interface of its formats.
 *
 * ReportBooks is plain data (Maps and bigints, no functions): it is sent to a Worker by structured clone. Two equal
 * ReportBooks give the same bytes, so nothing here is a clock and no format reads one.
 */

export const filingStatuses = ['single', 'mfj', 'mfs', 'hoh', 'qss'] as const;
export type FilingStatus = (typeof filingStatuses)[number];

export interface ReportBooks {
  readonly taxpayer: {
    /** As shown on the return: `Ann & Bob Lee`. Empty if unknown. */
    readonly name: string;
    /** Social security or other taxpayer identification number, with dashes. Empty if unknown. */
    readonly tin: string;
  };
  readonly year: number;
  /** The revision of the ledger that the numbers come from. */
  readonly revision: string;
  /** When that revision was made: RFC 3339, or the date alone. A file shows no other date as its own. */
  readonly asOf: string;
  readonly rules: Rules;
  readonly wholeDollars: boolean;
  readonly filingStatus: FilingStatus;
  /** Form 1040's taxable income of the year, with which the carryover worksheet begins. Null if unknown. */
  readonly taxableIncome: Money | null;
  /** Losses carried over from the year before, as positive amounts (Schedule D lines 6 and 14). */
  readonly carryoverIn: { readonly short: Cents; readonly long: Cents };
  readonly summary: TaxYearSummary;
  /** The year's lines in canonical order. */
  readonly lines: readonly Line[];
  readonly washSales: readonly WashSale[];
  readonly incomes: readonly Income[];
  readonly contracts: readonly Contract1256[];
  /** The open issues that affect the year. If there is one, forms are drafts. */
  readonly issues: readonly Issue[];
  /** Lots open at the end of the year. */
  readonly openLots: readonly Lot[];
  /** The rows of Forms 1099 of the year: sales, and totals of sales. */
  readonly reported: readonly Transaction[];
  /** The lines that defer a gain in an opportunity fund, or include it, in this year and earlier. */
  readonly deferrals: readonly Disposal[];
  /** The interests in opportunity funds held at the end of the year. */
  readonly fundInterests: readonly FundInterest[];
  /** Property given away or donated in the year. */
  readonly gifts: readonly ReportedGift[];
  /** Choices about writing forms, if set in the settings or the request. */
  readonly choices?: FormChoices;
  /** The file and line of each transaction. */
  readonly sources: ReadonlyMap<string, { readonly file: string; readonly line: number }>;
}

/** A gift with the type of the row that acquired it. Null if the row is unknown. */
export interface ReportedGift extends Gift {
  readonly acquiredBy: TransactionType | null;
}

/** The lists of ReportBooks, in the order in which a saved report keeps them. */
export const listNames = [
  'lines',
  'washSales',
  'incomes',
  'contracts',
  'issues',
  'openLots',
  'reported',
  'deferrals',
  'fundInterests',
  'gifts',
  'sources',
] as const satisfies readonly (keyof ReportBooks)[];
export type ListName = (typeof listNames)[number];

/** Lines that are not all in memory. A box may be read more than once. */
export interface LineSource {
  readBatches(box: Box): AsyncIterable<readonly Line[]>;
}

export interface ReportFormat {
  /** Stable; used in the API's `format`. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  readonly mediaType: string;
  /** The choices that change the file. */
  readonly takes: readonly ChoiceName[];
  fileName(books: ReportBooks): string;
  /** If different from `mediaType`: several files are returned as one ZIP. */
  mediaTypeOf?(books: ReportBooks): string;
  /** The lists that it reads. The others may be empty. */
  readonly reads: readonly ListName[];
  render(books: ReportBooks): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /**
   * The same file from a stream of lines; `lines` is empty. A million lines take no more memory than ten. Undefined if
   * the choices need all lines at once.
   */
  stream?(books: ReportBooks, lines: LineSource): AsyncIterable<Uint8Array> | undefined;
  /** Sentences for the user: data that the receiving program does not read, and steps to complete manually. */
  warnings?(books: ReportBooks): readonly string[];
}
