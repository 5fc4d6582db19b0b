import type { Day } from '../base/day.ts';
import type { Cents, Money, Quantity } from '../base/decimal.ts';
import type { AssetClass, Box, Term } from './statement.ts';
import type { TransactionType } from './transaction-types.ts';

/** What events leave behind, and what a year makes of it: facts, lines and summaries. The glossary is in `model.ts`. */

/**
 * One lot slice disposed of. What wash sales deny is not in its `adjustment`: they are facts of their own and join in the
 * line. Some have getters for members, which a spread leaves out: another like one is `disposalWith`.
 */
export interface Disposal {
  readonly kind: 'disposal';
  /** The day of the step that left it: a replay from day D drops the facts caused after D. */
  readonly causedOn: Day;
  /** `saleId/ordinal`. */
  readonly id: string;
  readonly saleId: string;
  readonly lotId: string;
  /** The day of recognition; its year is the tax year. */
  readonly on: Day;
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly account: string;
  readonly quantity: Quantity;
  readonly acquired: Day;
  readonly heldSince: Day;
  readonly inherited: boolean;
  /** Column (c): for a short sale the delivery, for a written option the day it was written. */
  readonly sold: Day;
  readonly proceeds: Cents;
  readonly basis: Cents;
  readonly term: Term;
  readonly box: Box;
  /** Why that box: a sentence. */
  readonly boxReason: string;
  readonly shortSale: boolean;
  /** An option that expired: the word EXPIRED stands in (d) for a holder, in (e) for a writer. */
  readonly expired: 'proceeds' | 'basis' | null;
  /** Codes and adjustment for what a broker's form shows otherwise (`reported_sale`); '' and 0 where there is nothing. */
  readonly code: string;
  readonly adjustment: Cents;
  /** True where the basis is not known and stands as zero (an Issue says so). */
  readonly basisUnknown: boolean;
  /** How the lot was chosen: named in time, named too late (so by the method), or by the method. */
  readonly identified: 'identified' | 'late' | 'default';
  /** A broker's line without a date of acquisition: column (b) prints VARIOUS, `acquired` repeats `sold`. */
  readonly acquiredVarious?: true;
  /** Text for column (a) where quantity and asset do not say it (`XYZF nondividend distribution`). */
  readonly description: string | null;
}

/** Part of a loss denied by IRC 1091, caused by the later of the loss and the replacement. */
export interface WashSale {
  readonly kind: 'wash';
  /** The day of the step that left it: a replay from day D drops the facts caused after D. */
  readonly causedOn: Day;
  /** `disposalId/replacementLotId`. */
  readonly id: string;
  readonly disposalId: string;
  /** The day of the disposal: its year is the year whose line changes. */
  readonly on: Day;
  readonly replacementLotId: string;
  readonly replacementTransactionId: string;
  readonly quantity: Quantity;
  readonly disallowed: Cents;
  /** Lost for good: the replacement is in an IRA (Rev. Rul. 2008-5). */
  readonly permanent: boolean;
}

export interface Income {
  readonly kind: 'income';
  /** The day of the step that left it: a replay from day D drops the facts caused after D. */
  readonly causedOn: Day;
  readonly id: string;
  readonly transactionId: string;
  readonly on: Day;
  readonly type: TransactionType;
  readonly asset: string;
  readonly account: string;
  readonly amount: Money;
}

/** A section 1256 contract's gain: Form 6781, never Form 8949; 60 % long, 40 % short. */
export interface Contract1256 {
  readonly kind: 'contract_1256';
  /** The day of the step that left it: a replay from day D drops the facts caused after D. */
  readonly causedOn: Day;
  readonly id: string;
  readonly transactionId: string;
  readonly on: Day;
  readonly asset: string;
  readonly account: string;
  readonly gain: Cents;
}

export const issueKinds = [
  'oversold',
  'basis_missing',
  'value_missing',
  'transfer_unpaired',
  'lot_not_found',
  'identified_late',
  'constructive_sale',
  'short_exceeded',
  'option_not_open',
  'option_expired',
  'gift_incomplete',
  'loss_event',
  'future_date',
  'unreconciled',
] as const;
export type IssueKind = (typeof issueKinds)[number];

export interface Issue {
  readonly kind: 'issue';
  /** The day of the step that left it: a replay from day D drops the facts caused after D. */
  readonly causedOn: Day;
  readonly id: string;
  readonly issue: IssueKind;
  readonly on: Day;
  readonly asset: string;
  readonly account: string;
  /** The row that could not be explained first, then those that led there. */
  readonly transactions: readonly string[];
  /** What the answer may be wrong by, at most. */
  readonly dollars: Cents;
  /** Plain words for the taxpayer. */
  readonly detail: string;
}

export type Fact = Disposal | WashSale | Income | Contract1256 | Issue;

/** A Disposal with its adjustments: one line of Form 8949 in cents. (h) = (d) − (e) + (g) always holds. */
export interface Line {
  readonly disposal: Disposal;
  /** Letters in alphabetical order, no separator (i8949, column (f)). */
  readonly code: string;
  readonly adjustment: Cents;
  readonly gain: Cents;
}

export interface Totals {
  readonly proceeds: Cents;
  readonly basis: Cents;
  readonly adjustment: Cents;
  readonly gain: Cents;
  readonly count: number;
}

/** The facts of one year, netted. Sums of its lines, to the cent. */
export interface TaxYearSummary {
  readonly year: number;
  readonly shortTerm: Totals;
  readonly longTerm: Totals;
  readonly total: Totals;
  readonly washSaleDisallowed: Cents;
  readonly washSalePermanent: Cents;
  readonly boxes: readonly (Totals & { readonly box: Box })[];
  readonly assets: readonly (Totals & { readonly asset: string; readonly assetClass: AssetClass })[];
  readonly income: readonly { readonly type: TransactionType; readonly amount: Money; readonly count: number }[];
  /** Section 1256: the net of Form 6781 and its 40 % and 60 % (Schedule D lines 4 and 11). */
  readonly contracts1256: { readonly gain: Cents; readonly short: Cents; readonly long: Cents; readonly count: number };
  readonly issues: number;
}

export interface Lot {
  /** `transactionId/ordinal` of what opened it, with a suffix a/b/… per split by a wash match or a transfer. */
  readonly id: string;
  readonly asset: string;
  readonly assetClass: AssetClass;
  /** `UNIVERSAL` for a lot of the pool before 2025. */
  readonly account: string;
  readonly quantity: Quantity;
  readonly basis: Cents;
  readonly acquired: Day;
  readonly heldSince: Day;
  /** Prints INHERITED for both dates, and is long-term (IRC 1223(9)). */
  readonly inherited: boolean;
}
