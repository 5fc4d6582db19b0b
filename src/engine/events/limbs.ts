import { proportion, type Quantity } from '../../base/decimal.ts';

/**
 * Quantities of 10⁻¹⁸ units as two limbs: the low 40 bits, and the bits above them. Both are whole numbers in doubles,
 * exact up to 2⁵³, which is enough for nine billion units. Larger quantities stay bigints. Addition and comparison take
 * a fifth of the time of bigints and create no garbage (`scripts/bench`, engine).
 */
export const limb = 2 ** 40;
const limbBits = 40n;
const wholeMax = 1n << 93n;

export interface Limbs {
  readonly high: number;
  readonly low: number;
}

export function fitsLimbs(quantity: bigint): boolean {
  return quantity >= 0n && quantity < wholeMax;
}

export function highOf(quantity: bigint): number {
  return Number(quantity >> limbBits);
}

export function lowOf(quantity: bigint): number {
  return Number(BigInt.asUintN(Number(limbBits), quantity));
}

/**
 * Returns a whole number below 10¹⁵, times a power of ten up to 10¹⁸, as limbs. It is computed from products of twenty
 * bits, each exact in a double. Returns null if two limbs are too few.
 */
export function scaledLimbs(whole: number, exponent: number): Limbs | null {
  const power = powers[exponent] as number;
  const w0 = whole % part;
  const w1 = Math.floor(whole / part) % part;
  const w2 = Math.floor(whole / limb);
  const p0 = power % part;
  const p1 = Math.floor(power / part) % part;
  const p2 = Math.floor(power / limb);
  const second = w0 * p1 + w1 * p0;
  const lowest = w0 * p0 + (second % part) * part;
  const above = w0 * p2 + w1 * p1 + w2 * p0 + (w1 * p2 + w2 * p1) * part + w2 * p2 * limb;
  const high = Math.floor(lowest / limb) + Math.floor(second / part) + above;
  return high < highEnd ? { high, low: lowest % limb } : null;
}

const part = 2 ** 20;
const highEnd = 2 ** 53;
/** Powers of ten, each exact in a double. */
const powers = Array.from({ length: 19 }, (_, exponent) => 10 ** exponent);

/**
 * Joins the limbs into one bigint through a 64-bit word, because each shift and sum of bigints would allocate another
 * one.
 */
export function joinLimbs(high: number, low: number): Quantity {
  const top = Math.floor(high / topLimb);
  word.setUint32(0, Math.floor(low / half) + (high - top * topLimb) * 256);
  word.setUint32(4, low);
  const below = word.getBigUint64(0);
  return (top === 0 ? below : (BigInt(top) << 64n) | below) as Quantity;
}

const half = 2 ** 32;
/** The bits of the high limb above its low 24 bits do not fit in the word. */
const topLimb = 2 ** 24;
const word = new DataView(new ArrayBuffer(8));

/**
 * Returns the share of a part in whole cents, rounded half away from zero like `proportion`. The quotient of doubles
 * has a relative error below 10⁻¹⁵. It is used unless that error could change the rounding. Otherwise bigints are used.
 * The low limb of the part may be negative.
 */
export function computeShare(cents: number, high: number, low: number, wholeHigh: number, wholeLow: number): number {
  const near = (cents * (high * limb + low)) / (wholeHigh * limb + wholeLow);
  // Adding zero turns −0 into 0.
  const share = Math.round(near) + 0;
  const isSure = Math.abs(Math.abs(near - share) - 0.5) > Math.abs(near) * 1e-14;
  if (isSure) return share;
  const part = (BigInt(high) << limbBits) + BigInt(low);
  return Number(proportion(BigInt(cents), part, joinLimbs(wholeHigh, wholeLow)));
}
