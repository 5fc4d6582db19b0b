import { type Day, yearOf } from '../base/day.ts';
import type { Cents, Money, Quantity } from '../base/decimal.ts';
import type { IssueKind } from './issue-kinds.ts';
import type { AssetClass, Box, Term } from './statement-values.ts';
import type { TransactionType } from './transaction-types.ts';

/**
 * The disposal of one lot slice. Wash sales are separate facts. The loss that they disallow is added in the line, not
 * in `adjustment` here. Some implementations have getters, which a spread omits, so copy with `disposalWith`.
 */
export interface Disposal {
  readonly kind: 'disposal';
  /** The day of the events that caused the fact. A replay from day D drops facts caused after D. */
  readonly causedOn: Day;
  /** `saleId/ordinal`. */
  readonly id: string;
  readonly saleId: string;
  readonly lotId: string;
  /** The day of recognition. Its year is the tax year. */
  readonly on: Day;
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly account: string;
  readonly quantity: Quantity;
  readonly acquired: Day;
  readonly heldSince: Day;
  readonly inherited: boolean;
  /**
   * Column (c): the delivery day for a short sale, the day of writing for a written option, otherwise the day of sale.
   */
  readonly sold: Day;
  readonly proceeds: Cents;
  readonly basis: Cents;
  readonly term: Term;
  readonly box: Box;
  /** One sentence that explains the choice of box. */
  readonly boxReason: string;
  /** Set if the law exempts the sale from Forms 1099-B and 1099-DA. `boxReason` then names the exemption. */
  readonly formExempt?: true | undefined;
  readonly shortSale: boolean;
  /** Set for an expired option. The form prints EXPIRED in (d) for a holder, in (e) for a writer. */
  readonly expired: 'proceeds' | 'basis' | null;
  /**
   * Code and adjustment, without wash sales that the engine finds. They cover differences from the broker's form (B, E,
   * T), a wash sale on a form (W), a gift sold between its two bases (L), and a deferred gain or loss (O). Otherwise ''
   * and 0.
   */
  readonly code: string;
  readonly adjustment: Cents;
  /** Whether the basis is unknown, so that zero is used. An issue reports it. */
  readonly basisUnknown: boolean;
  /**
   * Set if the purchase is unknown. `acquired` then repeats `sold` or the arrival day, and `term` only determines the
   * Part of the form.
   */
  readonly purchaseUnknown?: true;
  /** How the lot was selected: identified in time, identified too late, or by the method. */
  readonly identified: 'identified' | 'late' | 'default';
  /** Set if the broker's form has no acquisition date. Column (b) prints VARIOUS, and `acquired` repeats `sold`. */
  readonly acquiredVarious?: true;
  /**
   * The Form 1099 rows that report some of its units, each as `units id` (`parseFormUnits`). Absent if there are none.
   */
  readonly formRows?: readonly string[];
  /** The text for column (a) if quantity and asset do not describe the line (`XYZF nondividend distribution`). */
  readonly description: string | null;
  /** The value of an interest in an opportunity fund on the day its gain is included. Absent if unknown. */
  readonly fundValue?: Cents;
}

/** The part of a loss that IRC 1091 disallows. Its cause is the loss or the replacement, whichever is later. */
export interface WashSale {
  readonly kind: 'wash';
  /** The day of the events that caused the fact. A replay from day D drops facts caused after D. */
  readonly causedOn: Day;
  /** `disposalId/replacementLotId`. */
  readonly id: string;
  readonly disposalId: string;
  /** The day of the disposal. The line in that year changes. */
  readonly on: Day;
  readonly replacementLotId: string;
  readonly replacementTransactionId: string;
  readonly quantity: Quantity;
  readonly disallowed: Cents;
  /** Whether the loss is permanently disallowed, because the replacement is in an IRA (Rev. Rul. 2008-5). */
  readonly permanent: boolean;
}

export interface Income {
  readonly kind: 'income';
  /** The day of the events that caused the fact. A replay from day D drops facts caused after D. */
  readonly causedOn: Day;
  readonly id: string;
  readonly transactionId: string;
  readonly on: Day;
  readonly type: TransactionType;
  readonly asset: string;
  readonly account: string;
  readonly amount: Money;
}

/**
 * Gain or loss on a section 1256 contract. It is reported on Form 6781, never on Form 8949: 60% long-term, 40%
 * short-term.
 */
export interface Contract1256 {
  readonly kind: 'contract_1256';
  /** The day of the events that caused the fact. A replay from day D drops facts caused after D. */
  readonly causedOn: Day;
  readonly id: string;
  readonly transactionId: string;
  readonly on: Day;
  readonly asset: string;
  readonly account: string;
  readonly gain: Cents;
}

export interface Issue {
  readonly kind: 'issue';
  /** The day of the events that caused the fact. A replay from day D drops facts caused after D. */
  readonly causedOn: Day;
  readonly id: string;
  readonly issue: IssueKind;
  readonly on: Day;
  /** Other tax years whose forms are drafts because of the issue, ascending. */
  readonly otherYears?: readonly number[] | undefined;
  readonly asset: string;
  readonly account: string;
  /** The unexplained transaction first, then the transactions that led to it. */
  readonly transactions: readonly string[];
  /** The largest possible error in the result, in cents. Null if there is no limit. */
  readonly dollars: Cents | null;
  /** The units in question. If they grow, an accepted issue opens again. Absent if the issue is not about units. */
  readonly units?: Quantity | undefined;
  /** The last day of an open wash sale window. */
  readonly closesOn?: Day | undefined;
  /** A sentence that explains the issue to the taxpayer. Nothing is decided by its words. */
  readonly detail: string;
}

/**
 * One lot slice that was given away or donated. It is not a sale, so it has no Form 8949 row. It contains the data for
 * Form 8283 and for the recipient of a gift (IRC 1015(a)).
 */
export interface Gift {
  readonly kind: 'gift';
  /** The day of the events that caused the fact. A replay from day D drops facts caused after D. */
  readonly causedOn: Day;
  /** `transactionId/ordinal.gift0`, then `.gift1` and so on. */
  readonly id: string;
  readonly transactionId: string;
  readonly lotId: string;
  readonly on: Day;
  readonly type: 'gift_out' | 'donate';
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly account: string;
  readonly quantity: Quantity;
  readonly acquired: Day;
  readonly heldSince: Day;
  readonly inherited: boolean;
  readonly basis: Cents;
  /** Whether the basis is unknown, so that zero is used. The units may not have been held at all. */
  readonly basisUnknown: boolean;
  readonly term: Term;
  /** The fair market value of these units on that day. Null if the row does not state it. */
  readonly value: Cents | null;
}

export type Fact = Disposal | WashSale | Income | Contract1256 | Issue | Gift;

/** Returns whether a fact counts in the totals of a year. Gifts do not. */
export function isSummed(fact: Fact): fact is Exclude<Fact, Gift> {
  return fact.kind !== 'gift';
}

/** Returns the tax years whose forms are drafts because of an issue. */
export function yearsOfIssue({ on, otherYears = [] }: Pick<Issue, 'on' | 'otherYears'>): number[] {
  return [yearOf(on), ...otherYears];
}

/** A disposal with its adjustments: one line of Form 8949 in cents. (h) is always (d) − (e) + (g). */
export interface Line {
  readonly disposal: Disposal;
  /** Letters in alphabetical order without a separator (i8949, column (f)). */
  readonly code: string;
  /** Column (g): the adjustment of the disposal and the loss disallowed by wash sales. */
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

/** The number of lines in one account and box. */
export interface AccountBox {
  readonly account: string;
  readonly box: Box;
  readonly count: number;
}

/** The totals of one year. They equal the sums of its lines to the cent. */
export interface TaxYearSummary {
  readonly year: number;
  readonly shortTerm: Totals;
  readonly longTerm: Totals;
  readonly total: Totals;
  /** The lines with unknown basis, which use a basis of zero. This part of the total is provisional. */
  readonly missingBasis: Totals;
  readonly washSaleDisallowed: Cents;
  readonly washSalePermanent: Cents;
  readonly boxes: readonly (Totals & { readonly box: Box })[];
  readonly assets: readonly (Totals & { readonly asset: string; readonly assetClass: AssetClass })[];
  /** The boxes used by each account's lines, by account and box. */
  readonly accountBoxes: readonly AccountBox[];
  readonly income: readonly { readonly type: TransactionType; readonly amount: Money; readonly count: number }[];
  /** Section 1256 contracts: the net amount of Form 6781, and the 40% and 60% parts (Schedule D lines 4 and 11). */
  readonly contracts1256: { readonly gain: Cents; readonly short: Cents; readonly long: Cents; readonly count: number };
  readonly issues: number;
}

export interface Lot {
  /**
   * `transactionId/ordinal` of the event that opened the lot. Each time a wash sale or transfer splits it, the new
   * lot's id gets a suffix a, b, …
   */
  readonly id: string;
  readonly asset: string;
  readonly assetClass: AssetClass;
  /** `UNIVERSAL` for a lot in the universal pool, which is used before 2025. */
  readonly account: string;
  readonly quantity: Quantity;
  readonly basis: Cents;
  readonly acquired: Day;
  readonly heldSince: Day;
  /** Whether the form prints INHERITED for both dates. Such a lot is long-term (IRC 1223(9)). */
  readonly inherited: boolean;
  /** Set if no row explains how the units arrived. Both dates and the basis are then unknown. */
  readonly purchaseUnknown?: true;
}
