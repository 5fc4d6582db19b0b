import type { Day, Instant } from '../base/day.ts';
import type { Money, Quantity } from '../base/decimal.ts';
import type { TransactionType } from './transaction-types.ts';

/** The statement of a taxpayer: a row of the Lotbook CSV (API.md section 4), and the types of its members. */

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
  'currency',
] as const;
export type AssetClass = (typeof assetClasses)[number];

export const boxes = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L'] as const;
/** A check box of Form 8949: A–F, and from tax year 2025 G–L for digital assets (i8949). */
export type Box = (typeof boxes)[number];

export type Term = 'short' | 'long';

/** `b3:10`: 10 units of the lot that the row with the id `b3` opened. */
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
 * What a row of the Lotbook CSV can state (API.md section 4, same names). Amounts are positive: the type gives the
 * direction. A reversal has a negative amount. Empty text and null mean "not stated".
 */
export interface Statement {
  readonly type: TransactionType;
  /** The instant. Null where the source has only a date. */
  readonly at: Instant | null;
  /** The day on which it is taxed: that of `at` in the taxpayer's time zone, or the stated date. */
  readonly on: Day;
  /** The account that the row names. Empty for an action on every account that holds the asset. */
  readonly account: string;
  readonly asset: string;
  /** As stated by the row or known from its format. Null: the rules of API.md section 4 decide. */
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

/** A stored statement. Its `assetClass` is resolved. Two assets of one name have different asset keys. */
export interface Transaction extends Statement {
  /** Derived from the content and its occurrence number, never from the order of import. */
  readonly id: string;
  /**
   * Its place in the source. In newest-first files lines count from the end. The smallest of several sources. A fraction
   * orders rows of one line by what they mean.
   */
  readonly line: number;
  readonly assetClass: AssetClass;
  /** The taxpayer states that this withdrawal or deposit has no other leg: nothing is paired with it. */
  readonly alone?: true;
  /** Its time is read in a time zone that its import states, where the year depends on it. */
  readonly zoned?: true;
}
