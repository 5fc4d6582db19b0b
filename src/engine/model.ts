import type { Day, Instant } from '../base/day.ts';
import type { Cents, Money, Quantity } from '../base/decimal.ts';

/**
 * The words of the house.
 *
 * *Bytes become rows, rows become drafts, drafts become transactions, transactions become events, events move books
 * and leave facts, facts become lines.*
 *
 *  - **Transaction**: a stored, immutable statement by the taxpayer. A **Draft** (formats) is one without id or owner.
 *  - **Event**: one thing that moves a book. A crypto-to-crypto trade is two.
 *  - **Lot**: open quantity with its basis, `acquired` (drives the order) and `heldSince` (drives the term).
 *  - **Book**: all open lots, shorts and open losses of things whose basis can flow into one another, for one
 *    taxpayer, across accounts: an asset with its options, successors and spin-offs.
 *  - **Fact**: the consequence of exactly one event: Disposal, WashSale, Income, Contract1256, Issue.
 *  - **Disposal**: one lot slice disposed of: one line of Form 8949.
 *  - **Issue**: what could not be known, with the transactions that led there.
 *  - **Rules**: the elections that change the answer.
 *  - **Checkpoint**: a Book after the last event of a day.
 */

export const transactionTypes = [
  'buy',
  'sell',
  'trade',
  'transfer',
  'deposit',
  'withdrawal',
  'short_sell',
  'cover',
  'buy_to_open',
  'sell_to_open',
  'buy_to_close',
  'sell_to_close',
  'expire',
  'exercise',
  'assign',
  'dividend',
  'interest',
  'staking',
  'mining',
  'airdrop',
  'reward',
  'wages',
  'other_income',
  'reinvest',
  'withholding',
  'split',
  'rename',
  'spinoff',
  'merger',
  'return_of_capital',
  'capital_gain_distribution',
  'mark',
  'reported_sale',
  'gift_in',
  'gift_out',
  'donate',
  'lost',
  'inherit',
  'spend',
  'fee',
  'opening_lot',
  'worthless',
] as const;
export type TransactionType = (typeof transactionTypes)[number];

export const assetClasses = [
  'stock',
  'fund',
  'option',
  'bond',
  'crypto',
  'tokenized_security',
  'nft',
  'future',
  'section_1256',
] as const;
export type AssetClass = (typeof assetClasses)[number];

export const boxes = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L'] as const;
/** A check box of Form 8949: A–F, and from tax year 2025 G–L for digital assets (i8949). */
export type Box = (typeof boxes)[number];

export type Term = 'short' | 'long';

/** `b3:10`: so many units of the lot that the row with that id opened. */
export interface LotChoice {
  readonly label: string;
  readonly quantity: Quantity;
}

/** New units per old: `3:1` is {numerator: 3, denominator: 1}, `0.7` is 7 to 10. Both positive. */
export interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * What a row of the Lotbook CSV can say (API.md section 4, same words). Amounts are positive, the type says the
 * direction; a reversal carries a negative amount. Empty text and null mean "not stated".
 */
export interface Statement {
  readonly type: TransactionType;
  /** The instant, or null where the source gave only a date. */
  readonly at: Instant | null;
  /** The day it is taxed on: `at` in the taxpayer's time zone, or the date itself. */
  readonly on: Day;
  /** The account the row names; empty for the actions that reach every account that holds the asset. */
  readonly account: string;
  readonly asset: string;
  /** As stated by the row or known by its format; null where the rules of API.md section 4 must decide. */
  readonly assetClass: AssetClass | null;
  readonly quantity: Quantity | null;
  /** Gross value in `currency`, before `fee`. */
  readonly amount: Money | null;
  readonly fee: Money | null;
  /** ISO 4217; `USD` by default. */
  readonly currency: string;
  readonly receivedAsset: string;
  readonly receivedQuantity: Quantity | null;
  readonly feeAsset: string;
  readonly feeQuantity: Quantity | null;
  readonly feeOwn: Money | null;
  readonly toAccount: string;
  readonly acquired: Day | null;
  readonly basis: Money | null;
  readonly fmv: Money | null;
  readonly ratio: Ratio | null;
  readonly lots: readonly LotChoice[];
  readonly identifiedAt: Instant | null;
  /** Shares: per contract for opening and closing trades, in total for exercise and assignment. */
  readonly shares: Quantity | null;
  readonly underlying: string;
  readonly right: 'call' | 'put' | null;
  readonly box: Box | null;
  readonly wash: Money | null;
  readonly term: Term | null;
  /** The source's own id. */
  readonly externalId: string;
  readonly note: string;
}

/** A stored statement. `assetClass` is resolved; two assets of one name differ by `assetKey`. */
export interface Transaction extends Statement {
  /** Made from the content and its occurrence, never from the order of import. */
  readonly id: string;
  /** Its place in the source, newest-first files counted from their end; the smallest where several sources tell it. */
  readonly line: number;
  readonly assetClass: AssetClass;
}

export const lotMethods = ['FIFO', 'LIFO', 'HIFO', 'LOFO', 'AVERAGE'] as const;
export type LotMethod = (typeof lotMethods)[number];

export interface AccountRules {
  readonly type: 'taxable' | 'ira' | 'roth_ira' | 'spouse';
  readonly assetClass?: AssetClass;
  readonly form?: '1099-B' | '1099-DA' | 'none';
  readonly basisReported?: boolean;
}

/** The elections that change the answer (DOMAIN.md section 9). Their hash stamps every checkpoint. */
export interface Rules {
  readonly method: LotMethod;
  readonly methodByAccount: Readonly<Record<string, LotMethod>>;
  /** From 1 January of `year` on, ascending by year. */
  readonly methodFrom: readonly { readonly year: number; readonly method: LotMethod }[];
  readonly digitalAssetScopeBefore2025: 'universal' | 'per_wallet';
  readonly washSales: 'securities_only' | 'securities_and_tokenized' | 'all_assets';
  /** What the matched shares take over from the sold ones: the days held, or the day of purchase (DOMAIN.md 4.3). Tacking where not stated. */
  readonly washPeriod?: 'tacking' | 'replacement';
  readonly accounts: Readonly<Record<string, AccountRules>>;
}

/** Which row caused a fact, and which of its consequences it is: identity that survives a replay. */
export interface Cause {
  readonly transactionId: string;
  readonly ordinal: number;
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

/** One lot slice disposed of. `adjustment` is not here: wash sales are facts of their own and join in the line. */
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
  /** Codes and adjustment that a broker's own line states (reported_sale); '' and 0 otherwise. */
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
