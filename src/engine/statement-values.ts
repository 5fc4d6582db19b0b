import type { Quantity } from '../base/decimal.ts';

export const assetClasses = [
  'stock',
  'fund',
  'option',
  'bond',
  'treasury_bill',
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

/** `b3:10` is 10 units of the lot opened by the row with the id `b3`. */
export interface LotChoice {
  readonly label: string;
  readonly quantity: Quantity;
}

/**
 * New units per old unit: `3:1` is {numerator: 3, denominator: 1}, and `0.7` is 7 over 10. Both numbers are positive.
 */
export interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}
