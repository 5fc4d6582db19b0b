import type { Cents, Money } from '../base/decimal.ts';
import type { Box, Contract1256, Income, Issue, Line, Lot, Rules, TaxYearSummary, WashSale } from '../engine/model.ts';
import type { ChoiceName, FormChoices } from './choices.ts';

/**
 * What a report is made of, and what makes one.
 *
 * ReportBooks is plain data (Maps and bigints, no functions): it crosses into a Worker by structured clone. Two equal
 * ReportBooks give the same bytes, so nothing here is a clock and no format reads one.
 */

export const filingStatuses = ['single', 'mfj', 'mfs', 'hoh', 'qss'] as const;
export type FilingStatus = (typeof filingStatuses)[number];

export interface ReportBooks {
  readonly taxpayer: {
    /** As it stands on the return: `Ann & Bob Lee`; '' where it is not known. */
    readonly name: string;
    /** Social security or other taxpayer identification number, dashes and all; '' where it is not known. */
    readonly tin: string;
  };
  readonly year: number;
  /** The state of the ledger that the numbers come from. */
  readonly revision: string;
  /** When that state came to be: RFC 3339, or the date alone. The only date a file may carry as its own. */
  readonly asOf: string;
  readonly rules: Rules;
  readonly wholeDollars: boolean;
  readonly filingStatus: FilingStatus;
  /** Form 1040's taxable income of the year, which the carryover worksheet begins with; null where it is not known. */
  readonly taxableIncome: Money | null;
  /** Losses carried in from the year before, as positive amounts (Schedule D lines 6 and 14). */
  readonly carryoverIn: { readonly short: Cents; readonly long: Cents };
  readonly summary: TaxYearSummary;
  /** The year's lines in canonical order. */
  readonly lines: readonly Line[];
  readonly washSales: readonly WashSale[];
  readonly incomes: readonly Income[];
  readonly contracts: readonly Contract1256[];
  /** The open issues that touch the year: while there is one, forms are drafts. */
  readonly issues: readonly Issue[];
  /** Lots that were open at the end of the year. */
  readonly openLots: readonly Lot[];
  /** How forms are written, where it is elected or asked for. */
  readonly choices?: FormChoices;
  /** Where each transaction was told. */
  readonly sources: ReadonlyMap<string, { readonly file: string; readonly line: number }>;
}

/** Its lists, in the order in which they are kept. */
export const listNames = [
  'lines',
  'washSales',
  'incomes',
  'contracts',
  'issues',
  'openLots',
  'sources',
] as const satisfies readonly (keyof ReportBooks)[];
export type ListName = (typeof listNames)[number];

/** Lines that are not all in memory, box by box: each box may be asked for once or more. */
export interface LineSource {
  batchesOf(box: Box): AsyncIterable<readonly Line[]>;
}

export interface ReportFormat {
  /** Stable, in the API's `format`. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly mediaType: string;
  /** The choices that make a difference to it. */
  readonly takes: readonly ChoiceName[];
  fileName(books: ReportBooks): string;
  /** Where it is another than `mediaType`: several files come as one ZIP. */
  mediaTypeOf?(books: ReportBooks): string;
  /** Of the books' lists those that it looks at: the others may be empty. */
  readonly reads: readonly ListName[];
  render(books: ReportBooks): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /**
   * The same file where the lines come as a stream and `lines` is empty, so that a million of them take no more memory
   * than ten. Undefined where the choices ask for all of them at once.
   */
  stream?(books: ReportBooks, lines: LineSource): AsyncIterable<Uint8Array> | undefined;
  /** What the receiver of the file will not understand, or what must be finished by hand: sentences. */
  warnings?(books: ReportBooks): readonly string[];
}
