import { moneyDecimals, quantityDecimals } from '../../base/decimal.ts';
import { limits } from '../../base/limits.ts';
import { type NumberStyle, numberIn } from './fields.ts';

/** How a kind of number is called, and what it may have at most. */
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

export const tooLong = `this has more than ${limits.noteCharacters.toLocaleString('en-US')} characters`;

/** A number in the style of its source, or why it is none. */
export function numberOf<T extends bigint>(
  text: string,
  read: (plain: string) => T | undefined,
  { kind, style }: { readonly kind: NumberKind; readonly style: NumberStyle | undefined },
): T | { readonly code: string; readonly reason: string } {
  // Nearly all numbers are plain and the same in every style, except with a decimal comma: they are read directly.
  const direct = style === 'decimal comma' ? undefined : read(text);
  if (direct !== undefined) return direct;
  const plain = numberIn(text, style);
  if (plain === undefined) return { code: 'bad_number', reason: `this is no ${kind.kind} in a shape we know` };
  const { digits, decimals } = kind;
  const most = `a ${kind.kind} has at most ${digits} digits before the point and ${decimals} after it`;
  return read(plain) ?? { code: 'too_many_digits', reason: most };
}
