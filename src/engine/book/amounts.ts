import { divideRounded, proportion } from '../../base/decimal.ts';
import type { Ratio } from '../model.ts';

export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/**
 * Returns a function that allocates a total by quantity. Each call returns the share of the next `units`. Shares are
 * rounded cumulatively, so they sum to the total.
 */
export function createAllocator(total: bigint, quantity: bigint): (units: bigint) => bigint {
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
