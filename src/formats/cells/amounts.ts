import { type Money, parseQuantity, proportion, type Quantity } from '../../base/decimal.ts';
import { limits } from '../../base/limits.ts';
import type { Ratio } from '../../engine/model.ts';

/** Returns the absolute value. Null means "not stated" and stays null, here and in the functions below. */

export function magnitude<T extends bigint>(value: T | null): T | null {
  return value === null || value >= 0n ? value : ((0n - value) as T);
}

export function negateAmount<T extends bigint>(value: T | null): T | null {
  return value === null ? null : ((0n - value) as T);
}

/** Adds the values that are not null. Returns null if all are null. */
export function sum<T extends bigint>(...values: readonly (T | null)[]): T | null {
  const stated = values.filter((value) => value !== null);
  return stated.length === 0 ? null : (stated.reduce((total: bigint, value) => total + value, 0n) as T);
}

/** Returns a fee as a positive number, or null. */
export function toFee(value: Money | null): Money | null {
  return value === null || value === 0n ? null : magnitude(value);
}

export function noneIfZero<T extends bigint>(value: T | null): T | null {
  return value === 0n ? null : value;
}

/** Prorates a value to `part` of `whole` units. */
export function computeShare(value: Money | null, part: Quantity, whole: Quantity): Money | null {
  return value === null || whole === 0n ? null : (proportion(value, part, whole) as Money);
}

/** Returns new units per old unit, in lowest terms. */
export function toRatio(newUnits: bigint, oldUnits: bigint): Ratio {
  const divisor = greatestCommonDivisor(newUnits, oldUnits);
  return { numerator: newUnits / divisor, denominator: oldUnits / divisor };
}

/**
 * Parses `4:1` or `4-for-1`, meaning new units per old units. Returns undefined if the text is not a ratio of positive
 * numbers.
 */
export function readRatio(text: string): Ratio | undefined {
  if (text.length > limits.valueCharacters) return undefined;
  const [, fresh = '', old = ''] = /^([\d.]+)(?::|-for-)([\d.]+)$/i.exec(text.trim()) ?? [];
  const [after, before] = [parseQuantity(fresh) ?? 0n, parseQuantity(old) ?? 0n];
  return after > 0n && before > 0n ? toRatio(after, before) : undefined;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}
