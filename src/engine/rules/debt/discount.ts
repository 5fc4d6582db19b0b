import { type Day, formatDay, yearOf } from '../../../base/day.ts';
import { proportion } from '../../../base/decimal.ts';
import { least } from '../../book/amounts.ts';
import type { AssetClass } from '../../model.ts';

/** A debt instrument that is sold, redeemed or due. Amounts are in cents. */
export interface SoldDebt {
  readonly assetClass: AssetClass;
  readonly quantity: bigint;
  readonly proceeds: bigint;
  readonly basis: bigint;
  readonly acquired: Day;
  readonly sold: Day;
  readonly maturity: Day | null;
  /** The accrued market discount stated by a row, or null. */
  readonly stated: bigint | null;
  /** Whether rows state its original issue discount, or its premium, as it accrues. */
  readonly isAccruing: boolean;
}

/** The part of a gain that is interest. If `isDue` is true, a bill was paid at maturity, which is not a sale. */
export interface DiscountInterest {
  readonly interest: bigint;
  readonly isDue: boolean;
  /** The largest amount that may be interest, although no row states it. It includes `interest` if that is an estimate. */
  readonly unknown: bigint;
}

/**
 * Computes the part of the gain on a debt instrument that is interest. For a Treasury bill held to maturity it is all
 * of the gain. For a bill sold earlier it is the ratable share of the acquisition discount (IRC 454(b), 1271(a)(3)).
 * For other debt it is the accrued market discount (1276(a)(1)), either as stated or ratably from purchase to maturity
 * (1276(b)(1)). It is zero if the discount is less than a quarter percent of the face for each full year left
 * (1278(a)(2)(C)). However, a debt instrument bought below par may have been issued at a discount, and its basis then
 * increases each year (1272(d)(2)). If no row states the amount, an issue is raised.
 */
export function computeDiscountInterest(debt: SoldDebt): DiscountInterest {
  const gain = debt.proceeds - debt.basis;
  const isDue = isDueBill(debt);
  if (gain < 0n || (gain === 0n && !isDue)) return nothing;
  if (isDue) return { interest: gain, isDue, unknown: 0n };
  if (debt.stated !== null) return toDiscountInterest(least(gain, debt.stated));
  if (debt.isAccruing) return nothing;
  const face = inferFace(debt);
  const discount = face === null ? null : face - debt.basis;
  if (discount !== null && discount <= 0n) return nothing;
  const most = discount === null ? gain : least(gain, discount);
  if (debt.assetClass === 'treasury_bill') {
    if (debt.maturity === null || discount === null) return { ...nothing, unknown: most };
    return toDiscountInterest(least(gain, ratable(debt, discount, debt.maturity)));
  }
  if (face === null || discount === null) return { ...nothing, unknown: most };
  // A debt instrument held for this many years was due at least as many years after the purchase.
  if (discount * 400n < face * BigInt(fullYears(debt.acquired, debt.maturity ?? debt.sold))) return nothing;
  if (debt.maturity === null) return { ...nothing, unknown: most };
  const interest = least(gain, ratable(debt, discount, debt.maturity));
  return { interest, isDue: false, unknown: most };
}

/**
 * Returns the part of the basis above the face that no row amortizes. For a tax-exempt bond it is never a loss (IRC
 * 171(a)(2), 1016(a)(5)). For a taxable bond it is not a loss if amortization was elected (171(c)).
 */
export function computeUnamortizedPremium(debt: SoldDebt): bigint {
  const face = inferFace(debt);
  if (debt.assetClass !== 'bond' || debt.isAccruing || face === null || debt.basis < face) return 0n;
  return debt.basis - face;
}

const nothing: DiscountInterest = { interest: 0n, isDue: false, unknown: 0n };

function toDiscountInterest(interest: bigint): DiscountInterest {
  return { interest, isDue: false, unknown: 0n };
}

/**
 * Returns whether a Treasury bill was paid at maturity, which is known from its maturity date or because it paid its
 * face value. No bill is sold earlier for its face value.
 */
function isDueBill(debt: SoldDebt): boolean {
  if (debt.assetClass !== 'treasury_bill') return false;
  if (debt.maturity !== null) return debt.sold >= debt.maturity;
  const face = inferFace(debt);
  return face !== null && debt.proceeds >= face;
}

/** Returns the part of the discount for the days held, out of all days from purchase to maturity. */
function ratable({ acquired, sold }: SoldDebt, discount: bigint, maturity: Day): bigint {
  const days = maturity - acquired;
  if (days <= 0 || sold >= maturity) return discount;
  return proportion(discount, BigInt(sold - acquired), BigInt(days));
}

const unit = 10n ** 18n;
/**
 * The possible face values of a unit in dollars. A unit is one dollar of face, one hundred dollars, or a bond of one
 * thousand.
 */
const facesOfUnit = [1n, 100n, 1000n] as const;

/**
 * Infers the face value in cents from the unit cost, which is between half and one and a half times the face. At
 * maturity it is the amount paid.
 */
function inferFace({ quantity, basis, proceeds, sold, maturity }: SoldDebt): bigint | null {
  for (const dollars of facesOfUnit) {
    const face = proportion(dollars * 100n, quantity, unit);
    if (basis * 2n >= face && basis * 2n <= face * 3n) return face;
  }
  return maturity !== null && sold >= maturity ? proceeds : null;
}

function fullYears(from: Day, to: Day): number {
  const isBefore = formatDay(to).slice(5) < formatDay(from).slice(5);
  return Math.max(0, yearOf(to) - yearOf(from) - (isBefore ? 1 : 0));
}
