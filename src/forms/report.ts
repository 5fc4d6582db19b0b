import type { Day } from '../base/day.ts';
import type { Cents, Money } from '../base/decimal.ts';
import type { FundInterest } from '../engine/book/fund-interests.ts';
import type {
  Box,
  Contract1256,
  Disposal,
  Gift,
  Income,
  Issue,
  IssueKind,
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
 * The data for a report, and the interface of report formats.
 *
 * ReportBooks is plain data (Maps and bigints, no functions), so that it can be sent to a Worker by structured clone.
 * Equal ReportBooks produce identical bytes, so no format reads a clock.
 */

export const filingStatuses = ['single', 'mfj', 'mfs', 'hoh', 'qss'] as const;
export type FilingStatus = (typeof filingStatuses)[number];

export interface ReportBooks {
  readonly taxpayer: {
    /** The name as shown on the return: `Ann & Bob Lee`. Empty if unknown. */
    readonly name: string;
    /** The Social Security or other taxpayer identification number, with dashes. Empty if unknown. */
    readonly tin: string;
  };
  readonly year: number;
  /** The ledger revision that the numbers come from. */
  readonly revision: string;
  /** When that revision was created, in RFC 3339 format, or only the date. Files show no other creation date. */
  readonly asOf: string;
  readonly rules: Rules;
  readonly wholeDollars: boolean;
  readonly filingStatus: FilingStatus;
  /** The year's taxable income on Form 1040, which is the first line of the carryover worksheet. Null if unknown. */
  readonly taxableIncome: Money | null;
  /** Losses carried over from the prior year, as positive amounts (Schedule D lines 6 and 14). */
  readonly carryoverIn: { readonly short: Cents; readonly long: Cents };
  readonly summary: TaxYearSummary;
  /** The year's lines in canonical order. */
  readonly lines: readonly Line[];
  readonly washSales: readonly WashSale[];
  readonly incomes: readonly Income[];
  readonly contracts: readonly Contract1256[];
  /** Open issues that affect the year. If there are any, forms are drafts. */
  readonly issues: readonly Issue[];
  /** Lots that are open at the end of the year. */
  readonly openLots: readonly Lot[];
  /** The rows on the year's Forms 1099: sales, and totals of sales. */
  readonly reported: readonly Transaction[];
  /** Lines that defer a gain in an opportunity fund, or include it, in this or an earlier year. */
  readonly deferrals: readonly Disposal[];
  /** Opportunity fund interests held at the end of the year. */
  readonly fundInterests: readonly FundInterest[];
  /** Property given away or donated during the year. */
  readonly gifts: readonly ReportedGift[];
  /** Choices for writing forms, if the settings or the request contain any. */
  readonly choices?: FormChoices;
  /** The taxpayer's answers to issues of the year. Omitted if there are none. */
  readonly answers?: readonly StoredAnswer[];
  /** The source file and line of each transaction. */
  readonly sources: ReadonlyMap<string, { readonly file: string; readonly line: number }>;
}

/** An answer of the taxpayer to an issue, with the entered values as text. */
export interface StoredAnswer {
  readonly action: 'basis' | 'pair' | 'value' | 'class' | 'replace' | 'add' | 'accept';
  readonly issue: IssueKind;
  readonly on: Day;
  readonly asset: string;
  readonly account: string;
  /** The dollars at stake when it was answered. Null if unknown. */
  readonly dollars: Cents | null;
  readonly note: string;
  readonly basis?: string;
  readonly acquired?: string;
  readonly quantity?: string;
  readonly amount?: string;
  readonly assetClass?: string;
}

/** A gift, with the type of the transaction that acquired the property. Null if that is unknown. */
export interface ReportedGift extends Gift {
  readonly acquiredBy: TransactionType | null;
}

/** The lists in ReportBooks, in the order in which a saved report stores them. */
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

/** Reads lines that are not all in memory. A box may be read more than once. */
export interface LineSource {
  readBatches(box: Box): AsyncIterable<readonly Line[]>;
}

export interface ReportFormat {
  /** A stable id, used as `format` in the API. */
  readonly id: string;
  /** The display name. */
  readonly name: string;
  readonly mediaType: string;
  /** The choices that affect the file. */
  readonly takes: readonly ChoiceName[];
  fileName(books: ReportBooks): string;
  /** Returns the media type if it differs from `mediaType`, because several files are returned as one ZIP. */
  mediaTypeOf?(books: ReportBooks): string;
  /** The lists that the format reads. All others may be empty. */
  readonly reads: readonly ListName[];
  render(books: ReportBooks): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /**
   * Writes the same file from a stream of lines, with `lines` empty, so that a million lines take no more memory than
   * ten. Returns undefined if the choices require all lines at once.
   */
  stream?(books: ReportBooks, lines: LineSource): AsyncIterable<Uint8Array> | undefined;
  /**
   * Returns sentences for the user about data that the receiving program does not import, and steps to complete
   * manually.
   */
  warnings?(books: ReportBooks): readonly string[];
}

/** Returns the ids of the transactions that a report mentions. */
export function transactionsNamedBy(books: Omit<ReportBooks, 'sources'>): string[] {
  const ids = new Set<string>();
  // A lot's id begins with the id of the transaction that opened it.
  const opener = (lotId: string): string => lotId.split('/')[0] ?? '';
  for (const { disposal } of books.lines) ids.add(disposal.saleId).add(opener(disposal.lotId));
  for (const wash of books.washSales) ids.add(wash.replacementTransactionId);
  for (const income of books.incomes) ids.add(income.transactionId);
  for (const contract of books.contracts) ids.add(contract.transactionId);
  for (const issue of books.issues) for (const id of issue.transactions) ids.add(id);
  for (const lot of books.openLots) ids.add(opener(lot.id));
  for (const gift of books.gifts) ids.add(gift.transactionId).add(opener(gift.lotId));
  for (const row of books.reported) ids.add(row.id);
  return [...ids];
}

/** Returns a Social Security number or ITIN with dashes. An EIN, which is entered with its dash, stays as it is. */
export function formatTin(text: string): string {
  return text.replace(/^(\d{3})-?(\d{2})-?(\d{4})$/, '$1-$2-$3');
}
