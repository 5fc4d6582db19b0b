import type { Money } from '../../base/decimal.ts';
import { type Fold, roundCarrying } from '../book/fold.ts';

export const moneyPerCent = 1_000_000;

/** Rounds an exact amount (10⁻⁸ dollars, a double) to whole cents, as `roundCarrying`. */
export function centsOf(fold: Fold, remainder: string, amount: number): number {
  const cents = Math.round(amount / moneyPerCent);
  return cents * moneyPerCent === amount ? cents : Number(roundCarrying(fold, remainder, BigInt(amount) as Money));
}
