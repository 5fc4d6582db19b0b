import { formatMoney, type Money, parseMoney, priceTimesQuantity } from '../../base/decimal.ts';

/** What a row states of its money, without signs. Null where it does not. */
export interface StatedMoney {
  readonly side: 'buy' | 'sell';
  /** Before or after the fee: sources differ. */
  readonly amount: Money | null;
  /** With the fee of a purchase, without that of a sale. */
  readonly total: Money | null;
  readonly fee: Money | null;
  /** Price times units. */
  readonly computed: Money | null;
  /** How far the price's rounding may put the product off. */
  readonly tolerance: bigint;
}

/** The value before the fee, the fee, and what does not agree. */
export interface CheckedMoney {
  readonly gross: Money | null;
  readonly fee: Money | null;
  readonly disagreement: string | null;
}

/**
 * What is stated goes before what is computed, and both are compared. A difference that the fee explains is the fee; of
 * any other the row says so.
 */
export function checkedMoney({ side, amount, total, fee, computed, tolerance }: StatedMoney): CheckedMoney {
  const sign = side === 'buy' ? 1n : -1n;
  const close = (a: bigint, b: bigint): boolean => (a > b ? a - b : b - a) <= tolerance;
  const before = (value: Money, paid: Money | null): Money => (value - sign * (paid ?? 0n)) as Money;
  if (amount !== null && total !== null) {
    const difference = ((total - amount) * sign) as Money;
    if (fee === null && difference > 0n) return { gross: amount, fee: difference, disagreement: null };
    if ((fee ?? 0n) === difference) return { gross: amount, fee, disagreement: null };
    return { gross: before(total, fee), fee, disagreement: differ('the total', total, 'the amount', amount) };
  }
  const stated = amount ?? total;
  if (stated === null) return { gross: computed, fee, disagreement: null };
  const afterFee = before(stated, fee);
  const isNet = amount === null || (computed !== null && !close(stated, computed) && close(afterFee, computed));
  const gross = isNet ? afterFee : stated;
  if (computed === null || close(gross, computed)) return { gross, fee, disagreement: null };
  // Without a fee of its own the row holds it in its money.
  const hidden = ((stated - computed) * sign) as Money;
  const isFee = (fee ?? 0n) === 0n && hidden > 0n && hidden * feeShareMax <= computed;
  if (isFee) return { gross: computed, fee: hidden, disagreement: null };
  return { gross, fee, disagreement: differ('the stated value', gross, 'price times units', computed) };
}

/** A fee of more than a tenth is none. */
const feeShareMax = 10n;

function differ(one: string, value: Money, other: string, otherValue: Money): string {
  return `${one}, ${formatMoney(value)}, is not ${other}, ${formatMoney(otherValue)}`;
}

/** One cent, and as much as the last digit of the price makes for so many units. */
export function toleranceOf(price: string, units: string): bigint {
  const decimals = /\.(\d+)$/.exec(price)?.[1]?.length ?? 0;
  const lastDigit = decimals === 0 ? '1' : `0.${'0'.repeat(decimals - 1)}1`;
  // A price in whole units is exact.
  const rounding = decimals === 0 ? 0n : (priceTimesQuantity(lastDigit, units) ?? 0n);
  return rounding + (parseMoney('0.01') ?? 0n);
}
