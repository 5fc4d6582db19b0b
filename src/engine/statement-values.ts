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

/** The meaning of each box of Form 8949 (i8949, "Check box A…L"). */
export const boxNames: Readonly<Record<Box, string>> = {
  A: 'short-term, 1099-B, basis reported to the IRS',
  B: 'short-term, 1099-B, basis not reported to the IRS',
  C: 'short-term, no 1099-B',
  D: 'long-term, 1099-B, basis reported to the IRS',
  E: 'long-term, 1099-B, basis not reported to the IRS',
  F: 'long-term, no 1099-B',
  G: 'short-term, 1099-DA, basis reported to the IRS',
  H: 'short-term, 1099-DA, basis not reported to the IRS',
  I: 'short-term, digital asset, no form',
  J: 'long-term, 1099-DA, basis reported to the IRS',
  K: 'long-term, 1099-DA, basis not reported to the IRS',
  L: 'long-term, digital asset, no form',
};

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
