import { divideRounded, proportion } from '../../base/decimal.ts';
import type { Ratio } from '../model.ts';

export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Returns a function that divides a total by quantity. It rounds cumulatively, so that the parts sum to the total. */
export function dealer(total: bigint, quantity: bigint): (units: bigint) => bigint {
  let [reached, dealt] = [0n, 0n];
  return (units) => {
    reached += units;
    const upTo = quantity === 0n ? 0n : divideRounded(total * reached, quantity);
    const share = upTo - dealt;
    dealt = upTo;
    return share;
  };
}

export function scale(quantity: bigint, ratio: Ratio): bigint {
  return proportion(quantity, ratio.numerator, ratio.denominator);
}
