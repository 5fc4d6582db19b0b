import type { Day } from '../../base/day.ts';
import type { Cents, Money, Quantity } from '../../base/decimal.ts';
import type { AssetClass, Box, Lot, TaxYearSummary, Totals, TransactionType } from '../../engine/model.ts';
import type { Carryover } from '../books/summaries/carryover.ts';

/**
 * All that an assistant may read: one taxpayer's books. Both assistants, the built-in one and a language model with tools,
 * read the books only through this.
 */
export interface BookView {
  /** Today, in the taxpayer's time zone. */
  readonly today: Day;
  /** The years with activity, ascending. */
  years(): Promise<readonly number[]>;
  /** Every asset that the books know, by the name that the taxpayer's files use. */
  assets(): Promise<readonly string[]>;
  summary(year: number): Promise<TaxYearSummary>;
  /** Losses carried into the year and out of it, and the deduction of the year, all as positive amounts. */
  carryover(year: number): Promise<Carryover>;
  gainsOf(year: number, asset: string): Promise<AssetGains>;
  incomeOf(year: number, asset: string | null): Promise<readonly IncomeTotal[]>;
  washSales(year: number, limit: number): Promise<FirstAndCount<WashLine>>;
  /** What is held, one line an asset; one asset only where it is named. */
  positions(asset: string | null): Promise<readonly HeldPosition[]>;
  /** Open lots in the order in which they were acquired. */
  lots(asset: string | null, limit: number): Promise<FirstAndCount<Lot>>;
  /** Open lots that are not long-term yet, the next to turn first. */
  shortTermLots(asset: string | null, limit: number): Promise<FirstAndCount<Lot>>;
  issues(limit: number): Promise<FirstAndCount<IssueLine>>;
  /** Sales that are calculated and not stored, of today. Refuses where a value is missing. */
  whatIf(sales: readonly AskedSale[]): Promise<PlannedResult>;
  /** The newest report of a year, or null. */
  report(year: number): Promise<ReportLine | null>;
  /** The address of a page of the API on these books, as `/v1/tax/lots?asset=BTC`. */
  link(path: string, query?: Readonly<Record<string, string | number>>): string;
}

export interface AskedSale {
  readonly asset: string;
  readonly account: string;
  readonly quantity: Quantity;
  /** Null: the newest price or trade that the books know. */
  readonly price: Money | null;
}

export interface PlannedResult {
  readonly proceeds: Money;
  readonly basis: Money;
  readonly shortTerm: Money;
  readonly longTerm: Money;
  /** Loss that a wash sale disallows. */
  readonly disallowed: Money;
  /** Units that are not held. */
  readonly oversold: Quantity;
  /** The days of the values that the books gave. */
  readonly valuedOn: readonly string[];
}

/** What every kind of answer needs. */
export interface AnswerContext {
  readonly view: BookView;
  readonly years: readonly number[];
  readonly thisYear: number;
}

/** The first items of a list, and how many it has. */
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
  /** The acquisition day of its latest lot. */
  readonly lastAcquired: Day;
}

export interface IssueLine {
  readonly on: Day;
  readonly asset: string;
  /** At stake; null where nothing limits it. */
  readonly dollars: Cents | null;
  readonly detail: string;
}

export interface ReportLine {
  readonly id: string;
  readonly stale: boolean;
}

/** Where a number of an answer can be looked up. */
export interface Citation {
  readonly title: string;
  readonly href: string;
}

export interface Answer {
  readonly content: string;
  readonly citations: readonly Citation[];
  /** Whether the question was not understood, or is answered with a question: it is not counted then. */
  readonly isUnclear?: true;
  /** A number in it was left out: it is not counted, either. */
  readonly hasLeftOut?: true;
}

/** What a box of Form 8949 means (i8949, "Check box A…L"). */
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
