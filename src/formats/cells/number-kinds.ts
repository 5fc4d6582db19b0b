import { moneyDecimals, quantityDecimals } from '../../base/decimal.ts';
import { limits } from '../../base/limits.ts';

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
