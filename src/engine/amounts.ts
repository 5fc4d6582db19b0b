import { divideRounded } from '../base/decimal.ts';

export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Deals a total out by quantity, rounded cumulatively, so that the parts sum to it. */
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
