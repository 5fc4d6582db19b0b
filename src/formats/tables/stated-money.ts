import {
  formatMoney,
  formatQuantity,
  type Money,
  parseMoney,
  priceTimesQuantity,
  type Quantity,
} from '../../base/decimal.ts';
import type { Cells } from '../cells/cells.ts';
import { readMoneyRounded, toPlainNumber } from '../cells/fields.ts';

/** The amounts in a row, without signs. Null if missing. */
export interface StatedMoney {
  readonly side: 'buy' | 'sell';
  /** The amount in the row, before or after the fee, because sources differ. */
  readonly amount: Money | null;
  /** The amount including a purchase's fee, or net of a sale's. */
  readonly total: Money | null;
  readonly fee: Money | null;
  /** Price times units. */
  readonly computed: Money | null;
  /** The error that rounding the price may cause in the product. */
  readonly tolerance: bigint;
}

/** The value before the fee, the fee, and any contradiction. */
interface CheckedMoney {
  readonly gross: Money | null;
  readonly fee: Money | null;
  readonly disagreement: string | null;
}

/**
 * Compares the amounts in the row with the computed one. The row's amounts win. A difference that the fee explains is
 * the fee. Any other difference causes a warning.
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
  // Without a separate fee, the row's money includes it.
  const hidden = ((stated - computed) * sign) as Money;
  const isFee = (fee ?? 0n) === 0n && hidden > 0n && hidden * feeShareMax <= computed;
  if (isFee) return { gross: computed, fee: hidden, disagreement: null };
  return { gross, fee, disagreement: differ('the value in the file', gross, 'price times units', computed) };
}

/** A difference of more than a tenth is not a fee. */
const feeShareMax = 10n;

function differ(one: string, value: Money, other: string, otherValue: Money): string {
  return `${one}, ${formatMoney(value)}, does not equal ${other}, ${formatMoney(otherValue)}`;
}

/**
 * Warns if the value before the fee is not price times units and no fee explains the difference. Bonds are priced per
 * hundred and contracts per share.
 */
export function checkPrice(cells: Cells, column: string, trade: PricedTrade): void {
  const disagreement = disagreementWith(cells.text(column), trade);
  if (disagreement !== null) cells.warn(disagreement);
}

/**
 * Describes how the value contradicts the price, as written in the cell. Returns null if a fee or the price's scale
 * explains the difference.
 */
export function disagreementWith(priceText: string, { gross, units, fee, side }: PricedTrade): string | null {
  const price = gross === null || units === null ? '' : (toPlainNumber(priceText) ?? '').replace('-', '');
  const quantity = formatQuantity(units ?? (0n as Quantity));
  const computed = /[1-9]/.test(price) ? priceTimesQuantity(price, quantity) : undefined;
  if (computed === undefined || computed === 0n || gross === null) return null;
  const tolerance = computeTolerance(price, quantity);
  let first: string | null = null;
  for (const value of [computed, computed * 100n, computed / 100n] as Money[]) {
    const { disagreement } = checkedMoney({ side, amount: gross, total: null, fee, computed: value, tolerance });
    if (disagreement === null) return null;
    first ??= disagreement;
  }
  return first;
}

/** The values in a purchase or sale row, without signs. */
interface PricedTrade {
  readonly side: 'buy' | 'sell';
  readonly units: Quantity | null;
  /** The amount before the fee. */
  readonly gross: Money | null;
  readonly fee: Money | null;
}

/** Warns if a value that the row contains twice differs, ignoring signs. */
export function checkAgain(cells: Cells, column: string, expected: Money | null, what: string): void {
  const again = readMoneyRounded(toPlainNumber(cells.text(column)) ?? '') ?? 0n;
  const size = again < 0n ? -again : again;
  if (expected === null || size === 0n) return;
  const stated = (expected < 0n ? -expected : expected) as Money;
  const difference = size > stated ? size - stated : stated - size;
  if (difference > 2n * cent) cells.warn(differ(`the ${column}`, size as Money, what, stated));
}

/** The name that `checkAgain` uses for a value with its fee. */
export const inNet = 'the amount with its fee';

export function lessFee(value: Money | null, fee: Money | null): Money | null {
  return value === null ? null : ((value - (fee ?? 0n)) as Money);
}

/** Returns one cent, plus the effect of the price's last digit on this number of units. */
export function computeTolerance(price: string, units: string): bigint {
  const decimals = /\.(\d+)$/.exec(price)?.[1]?.length ?? 0;
  const lastDigit = decimals === 0 ? '1' : `0.${'0'.repeat(decimals - 1)}1`;
  // A price in whole units is exact.
  const rounding = decimals === 0 ? 0n : (priceTimesQuantity(lastDigit, units) ?? 0n);
  return rounding + cent;
}

const cent = parseMoney('0.01') ?? 0n;
