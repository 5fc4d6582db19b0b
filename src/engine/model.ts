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
  /** Said by hand of a withdrawal or a deposit: whatever is found that could be its other end is not. */
  readonly alone?: true;
}

export const lotMethods = ['FIFO', 'LIFO', 'HIFO', 'LOFO', 'AVERAGE'] as const;
export type LotMethod = (typeof lotMethods)[number];

export interface AccountRules {
  readonly type: 'taxable' | 'ira' | 'roth_ira' | 'spouse';
  readonly assetClass?: AssetClass;
  readonly form?: '1099-B' | '1099-DA' | 'none';
  readonly basisReported?: boolean;
  /** Accounts of one wallet keep their digital assets together; each is a wallet of its own where none is stated (P13). */
  readonly wallet?: string;
}

export const washScopes = ['securities_only', 'securities_and_tokenized', 'all_assets'] as const;
export type WashScope = (typeof washScopes)[number];

/** Methods that a standing order can name: average basis is an election of its own (26 CFR 1.1012-1(e)(9)). */
export const orderMethods = ['FIFO', 'LIFO', 'HIFO', 'LOFO'] as const;

/** Identifies lots ahead of the sales (26 CFR 1.1012-1(c)(8), (j)(3)(ii)): those that come after it was made. */
export interface StandingOrder {
  /** All accounts, or all assets, where none is named. */
  readonly account?: string;
  readonly asset?: string;
  readonly method: (typeof orderMethods)[number];
  /** RFC 3339, or a date. */
  readonly madeAt: string;
  /** The first day of sale that it is meant for, where that is not the day it was made. */
  readonly from?: string;
}

/** The elections that change the answer (DOMAIN.md section 9). Their hash stamps every checkpoint. */
export interface Rules {
  readonly method: LotMethod;
  readonly methodByAccount: Readonly<Record<string, LotMethod>>;
  /** From 1 January of `year` on, ascending by year. */
  readonly methodFrom: readonly { readonly year: number; readonly method: LotMethod }[];
  readonly digitalAssetScopeBefore2025: 'universal' | 'per_wallet';
  readonly washSales: WashScope;
  /** Other scopes for sales from a day on, ascending: the law may change (P1). Days as text, here and below. */
  readonly washSalesFrom?: readonly { readonly date: string; readonly washSales: WashScope }[];
  /** Accounts beside the taxpayer's own whose purchases replace what he sold (P2). All of them where not stated. */
  readonly washAccounts?: readonly Exclude<AccountRules['type'], 'taxable'>[];
  /** Whether shares bought in the window and sold on a day before the loss replace it (P3). They do not where not stated. */
  readonly washSoldBefore?: 'exclude' | 'include';
  /** What the matched shares take over from the sold ones: the days held, or the day of purchase (DOMAIN.md 4.3). Tacking where not stated. */
  readonly washPeriod?: 'tacking' | 'replacement';
  /** Of one purchase, what a wash sale adjusted leaves before the rest or after it (P6). Before where not stated. */
  readonly fragmentOrder?: 'wash_adjusted_first' | 'wash_adjusted_last';
  /** A gift sold between its two bases: the proceeds as basis, or the donor's basis with code L (P7). */
  readonly giftBetweenBases?: 'basis_is_proceeds' | 'donor_basis';
  /** Units that paid for a transfer of their own kind: disposed of, or their basis joins that of the units moved (P8). */
  readonly transferFees?: 'disposal' | 'joins_basis';
  /** Lots named too late: the method chooses, or they count all the same, with the warning (P14). */
  readonly lateIdentification?: 'method' | 'accepted';
  /** A merger with cash: (d) the cash and (e) the cash less the gain, or all that came, the basis and a code (P15). */
  readonly mergerRows?: 'cash_less_gain' | 'all_received';
  readonly standingOrders?: readonly StandingOrder[];
  /** The taxpayer's, by whose days lots are identified in time or too late. UTC where not stated (P12). */
  readonly timeZone?: string;
  readonly accounts: Readonly<Record<string, AccountRules>>;
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

export * from './facts.ts';
