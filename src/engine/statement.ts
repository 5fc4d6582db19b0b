import type { Day, Instant } from '../base/day.ts';
import type { Money, Quantity } from '../base/decimal.ts';
import type { TransactionType } from './transaction-types.ts';

/** What a taxpayer states: the rows of the Lotbook CSV (API.md section 4), and the words that they are made of. */

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
  /** The account the row names; empty for the actions that concern every account that holds the asset. */
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
  /** Its place in the source, newest-first files counted from their end; the smallest where several sources state it. */
  readonly line: number;
  readonly assetClass: AssetClass;
  /** Said by hand of a withdrawal or a deposit: whatever is found that could be its other end is not. */
  readonly alone?: true;
}
