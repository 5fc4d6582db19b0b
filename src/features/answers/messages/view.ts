import type { Day } from '../../../base/day.ts';
import type { Cents, Money, Quantity } from '../../../base/decimal.ts';
import type { AssetClass, Lot, TaxYearSummary, Totals, TransactionType } from '../../../engine/model.ts';
import type { Carryover } from '../../ledger/books/netting.ts';

/**
 * All data that an assistant may read about one taxpayer. The built-in assistant and a language model with tools both
 * read the books only through this interface.
 */
export interface BookView {
  /** Today, in the taxpayer's time zone. */
  readonly today: Day;
  /** Returns the years with activity, in ascending order. */
  years(): Promise<readonly number[]>;
  /** Returns every asset in the books, by its name in the taxpayer's files. */
  assets(): Promise<readonly string[]>;
  /** Returns the names of the accounts in the books. */
  accounts(): Promise<readonly string[]>;
  summary(year: number): Promise<TaxYearSummary>;
  /** Returns the losses carried into and out of the year, and the year's deduction, all as positive amounts. */
  carryover(year: number): Promise<Carryover>;
  loadGains(year: number, part: BooksPart): Promise<PartGains>;
  loadIncome(year: number, asset: string | null): Promise<readonly IncomeTotal[]>;
  washSales(year: number, limit: number): Promise<FirstAndCount<WashLine>>;
  /** Returns the holdings, one line per asset. */
  positions(part: BooksPart): Promise<readonly HeldPosition[]>;
  /** Returns open lots in the order of acquisition. */
  lots(part: BooksPart, limit: number): Promise<FirstAndCount<Lot>>;
  /** Returns open lots that are still short-term. The next one to become long-term comes first. */
  shortTermLots(part: BooksPart, limit: number): Promise<FirstAndCount<Lot>>;
  issues(limit: number): Promise<FirstAndCount<IssueLine>>;
  /** Calculates sales made today without storing them. Throws if a value is missing. */
  whatIf(sales: readonly SaleRequest[]): Promise<PlannedResult>;
  /** Returns the newest report for a year, or null. */
  report(year: number): Promise<ReportLine | null>;
  /** Returns the URL of an API page for these books, such as `/v1/tax/lots?asset=BTC`. */
  link(path: string, query?: Readonly<Record<string, string | number>>): string;
}

/** Limits an answer to one asset, one account or both. Null means all of them. */
export interface BooksPart {
  readonly asset: string | null;
  readonly account: string | null;
}

export const wholeBooks: BooksPart = { asset: null, account: null };

export interface SaleRequest {
  readonly asset: string;
  readonly account: string;
  readonly quantity: Quantity;
  /** Null uses the newest price or trade in the books. */
  readonly price: Money | null;
}

export interface PlannedResult {
  readonly proceeds: Money;
  readonly basis: Money;
  readonly shortTerm: Money;
  readonly longTerm: Money;
  /** The loss that a wash sale disallows. */
  readonly disallowed: Money;
  /** The units sold that are not held. */
  readonly oversold: Quantity;
  /** The days of the values that were taken from the books. */
  readonly valuedOn: readonly string[];
}

/** The data that every answer is written from. */
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

export interface PartGains {
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

interface ReportLine {
  readonly id: string;
  readonly stale: boolean;
}

/** A page that contains a number in the answer. */
export interface Citation {
  readonly title: string;
  readonly href: string;
}

export interface AssistantReply {
  readonly content: string;
  readonly citations: readonly Citation[];
  /**
   * Whether the question was not understood, or is answered with a question in return. Such a question does not count
   * toward the limit.
   */
  readonly isUnclear?: true;
  /** Whether a number was left out. Such a question does not count toward the limit either. */
  readonly hasLeftOut?: true;
}
