import { type Day, formatDay, yearOf } from '../../../base/day.ts';
import { proportion } from '../../../base/decimal.ts';
import { least } from '../../book/amounts.ts';
import type { AssetClass } from '../../model.ts';

/** A debt that is sold, redeemed or due. Amounts are in cents. */
export interface SoldDebt {
  readonly assetClass: AssetClass;
  readonly quantity: bigint;
  readonly proceeds: bigint;
  readonly basis: bigint;
  readonly acquired: Day;
  readonly sold: Day;
  readonly maturity: Day | null;
  /** The accrued market discount stated by a row. Null if none states it. */
  readonly stated: bigint | null;
  /** Whether rows state its original issue discount, or its premium, as it accrues. */
  readonly isAccruing: boolean;
}

/** The part of a gain that is interest. `isDue`: a bill paid at maturity, which is not a sale. */
export interface DiscountInterest {
  readonly interest: bigint;
  readonly isDue: boolean;
  /** The most that is or may be interest although nothing states it. It counts as `interest` until then. */
  readonly unknown: bigint;
}

/**
 * The part of the gain on a debt that is interest. For a Treasury bill held to maturity it is all of the gain; for one
 * sold earlier it is the ratable share of the acquisition discount (IRC 454(b), 1271(a)(3)). For another debt it is the
 * accrued market discount (1276(a)(1)): as stated, or ratably from the purchase to the maturity (1276(b)(1)), and zero
 * if the discount is less than a quarter percent of the face for each full year left (1278(a)(2)(C)). A purchase below
 * par may instead be of a debt issued at a discount, whose basis rises each year (1272(d)(2)). If no row states the
 * amount, a question is raised.
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
  // A debt held for this many years was due at least as many years after the purchase.
  if (discount * 400n < face * BigInt(fullYears(debt.acquired, debt.maturity ?? debt.sold))) return nothing;
  if (debt.maturity === null) return { ...nothing, unknown: most };
  const interest = least(gain, ratable(debt, discount, debt.maturity));
  return { interest, isDue: false, unknown: most };
}

/**
 * The part of the basis above the face that no row amortizes. For a tax-exempt bond it is never a loss (IRC 171(a)(2),
 * 1016(a)(5)); for a taxable bond it is not a loss under an election (171(c)).
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
 * Whether a Treasury bill was paid at maturity: by its date, or because it paid its face. No bill is sold earlier for
 * its face.
 */
function isDueBill(debt: SoldDebt): boolean {
  if (debt.assetClass !== 'treasury_bill') return false;
  if (debt.maturity !== null) return debt.sold >= debt.maturity;
  const face = inferFace(debt);
  return face !== null && debt.proceeds >= face;
}

/** The part of the discount for the days held, out of all days from the purchase to the maturity. */
function ratable({ acquired, sold }: SoldDebt, discount: bigint, maturity: Day): bigint {
  const days = maturity - acquired;
  if (days <= 0 || sold >= maturity) return discount;
  return proportion(discount, BigInt(sold - acquired), BigInt(days));
}

const unit = 10n ** 18n;
/** A unit of a debt is one dollar of face, one hundred, or a bond of one thousand. */
const facesOfUnit = [1n, 100n, 1000n] as const;

/**
 * The face in cents, inferred from the unit cost, which is between half and one and a half times the face. At maturity
 * it is the amount paid.
 */
function inferFace({ quantity, basis, proceeds, sold, maturity }: SoldDebt): bigint | null {
  for (const dollars of facesOfUnit) {
    const face = proportion(dollars * 100n, quantity, unit);
    if (basis * 2n >= face && basis * 2n <= face * 3n) return face;
  }
  return maturity !== null && sold >= maturity ? proceeds : null;
}

/** Full years from one day to another. */
function fullYears(from: Day, to: Day): number {
  const isBefore = formatDay(to).slice(5) < formatDay(from).slice(5);
  return Math.max(0, yearOf(to) - yearOf(from) - (isBefore ? 1 : 0));
}
