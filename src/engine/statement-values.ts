import type { Quantity } from '../base/decimal.ts';

/** What the members of a statement hold beside days, names, money and quantities. */

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
