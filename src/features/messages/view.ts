import type { Day } from '../../base/day.ts';
import type { Cents, Money, Quantity } from '../../base/decimal.ts';
import type { AssetClass, Box, Lot, TaxYearSummary, Totals, TransactionType } from '../../engine/model.ts';
import type { Carryover } from '../books/summaries/carryover.ts';

/**
 * All data that an assistant may read: one taxpayer's books. Both assistants, the built-in one and a language model
 * with tools, read the books only through this.
 */
export interface BookView {
  /** Today, in the taxpayer's time zone. */
  readonly today: Day;
  /** The years with activity, ascending. */
  years(): Promise<readonly number[]>;
  /** Every asset in the books, by its name in the taxpayer's files. */
  assets(): Promise<readonly string[]>;
  summary(year: number): Promise<TaxYearSummary>;
  /** Losses carried into and out of the year, and the deduction of the year, all as positive amounts. */
  carryover(year: number): Promise<Carryover>;
  loadGains(year: number, asset: string): Promise<AssetGains>;
  loadIncome(year: number, asset: string | null): Promise<readonly IncomeTotal[]>;
  washSales(year: number, limit: number): Promise<FirstAndCount<WashLine>>;
  /** Returns the holdings, one line per asset, or only the named asset. */
  positions(asset: string | null): Promise<readonly HeldPosition[]>;
  /** Open lots in the order of acquisition. */
  lots(asset: string | null, limit: number): Promise<FirstAndCount<Lot>>;
  /** Open lots that are not long-term yet, the next to become long-term first. */
  shortTermLots(asset: string | null, limit: number): Promise<FirstAndCount<Lot>>;
  issues(limit: number): Promise<FirstAndCount<IssueLine>>;
  /** Calculates sales of today without storing them. Throws if a value is missing. */
  whatIf(sales: readonly SaleRequest[]): Promise<PlannedResult>;
  /** The newest report of a year, or null. */
  report(year: number): Promise<ReportLine | null>;
  /** The address of an API page for these books, such as `/v1/tax/lots?asset=BTC`. */
  link(path: string, query?: Readonly<Record<string, string | number>>): string;
}

export interface SaleRequest {
  readonly asset: string;
  readonly account: string;
  readonly quantity: Quantity;
  /** Null for the newest price or trade in the books. */
  readonly price: Money | null;
}

export interface PlannedResult {
  readonly proceeds: Money;
  readonly basis: Money;
  readonly shortTerm: Money;
  readonly longTerm: Money;
  /** Loss disallowed by a wash sale. */
  readonly disallowed: Money;
  /** Units that are not held. */
  readonly oversold: Quantity;
  /** The days of the values from the books. */
  readonly valuedOn: readonly string[];
}

/** The input of every kind of answer. */
export interface ReplyContext {
  readonly view: BookView;
  readonly years: readonly number[];
  readonly thisYear: number;
}

/** The first items of a list, and its length. */
export interface FirstAndCount<T> {
  readonly first: readonly T[];
  readonly count: number;
}

export interface AssetGains {
  readonly quantity: Quantity;
  readonly shortTerm: Totals;
  readonly longTerm: Totals;
}

export interface IncomeTotal {
  readonly type: TransactionType;
  readonly amount: Money;
  readonly count: number;
}

export interface WashLine {
  readonly asset: string;
  readonly on: Day;
  readonly quantity: Quantity;
  readonly disallowed: Cents;
  readonly permanent: boolean;
}

export interface HeldPosition {
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly quantity: Quantity;
  readonly basis: Cents;
  readonly lots: number;
  /** The acquisition date of its latest lot. */
  readonly lastAcquired: Day;
}

export interface IssueLine {
  readonly on: Day;
  readonly asset: string;
  /** The amount at stake; null if unlimited. */
  readonly dollars: Cents | null;
  readonly detail: string;
}

export interface ReportLine {
  readonly id: string;
  readonly stale: boolean;
}

/** A page where a number of an answer can be looked up. */
export interface Citation {
  readonly title: string;
  readonly href: string;
}

export interface AssistantReply {
  readonly content: string;
  readonly citations: readonly Citation[];
  /** Whether the question was not understood or is answered with a question. Such questions are not counted. */
  readonly isUnclear?: true;
  /** Whether a number was left out. Such questions are not counted, either. */
  readonly hasLeftOut?: true;
}

/** The meaning of each box of Form 8949 (i8949, "Check box A…L"). */
export const boxMeanings: Readonly<Record<Box, string>> = {
  A: 'short-term, on a 1099-B, basis reported',
  B: 'short-term, on a 1099-B, basis not reported',
  C: 'short-term, not on a 1099-B',
  D: 'long-term, on a 1099-B, basis reported',
  E: 'long-term, on a 1099-B, basis not reported',
  F: 'long-term, not on a 1099-B',
  G: 'short-term digital assets, on a 1099-DA, basis reported',
  H: 'short-term digital assets, on a 1099-DA, basis not reported',
  I: 'short-term digital assets, on no 1099',
  J: 'long-term digital assets, on a 1099-DA, basis reported',
  K: 'long-term digital assets, on a 1099-DA, basis not reported',
  L: 'long-term digital assets, on no 1099',
};
