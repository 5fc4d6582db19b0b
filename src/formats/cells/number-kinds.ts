import { moneyDecimals, quantityDecimals } from '../../base/decimal.ts';
import { limits } from '../../base/limits.ts';
import { type NumberStyle, toPlainNumber } from './fields.ts';
import { type Rejection, rejections } from './reasons.ts';

/** The name and the maximum size of a kind of number. */
export interface NumberKind {
  readonly kind: 'money' | 'quantity';
  readonly digits: number;
  readonly decimals: number;
}

export const moneyNumber: NumberKind = { kind: 'money', digits: limits.moneyDigits, decimals: moneyDecimals };
export const quantityNumber: NumberKind = {
  kind: 'quantity',
  digits: limits.quantityDigits,
  decimals: quantityDecimals,
};

/** Parses a number in its source's style, or returns the reason why it cannot be read. */
export function readNumberOfKind<T extends bigint>(
  text: string,
  read: (plain: string) => T | undefined,
  { kind, style }: { readonly kind: NumberKind; readonly style: NumberStyle | undefined },
): T | Rejection {
  // Most numbers are plain, and they read the same in every style except `decimal comma`, so they take a fast path.
  const direct = style === 'decimal comma' ? undefined : read(text);
  if (direct !== undefined) return direct;
  const plain = toPlainNumber(text, style);
  if (plain === undefined) return rejections.unreadableNumber(kind.kind);
  return read(plain) ?? rejections.tooManyDigits(kind);
}
