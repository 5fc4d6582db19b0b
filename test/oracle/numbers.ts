import Decimal from 'decimal.js';
import type { Day } from '../../src/base/day.ts';
import type { Transaction } from '../../src/engine/model.ts';

/** Decimal dollars and units for the oracle, with 120 digits so that no sum or quotient is truncated. */
export const Exact = Decimal.clone({ precision: 120, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -60, toExpPos: 60 });
export type Exact = Decimal;

export const nothing = new Exact(0);

const millisecondsPerDay = 86_400_000;

export function dollars(money: bigint | null): Exact {
  return new Exact((money ?? 0n).toString()).div('1e8');
}

/** Returns true if amounts are in a currency without a rate: something was paid, but its dollar value is unknown. */
export function isUnvalued({ currency, amount, fee }: Pick<Transaction, 'currency' | 'amount' | 'fee'>): boolean {
  return currency !== '' && currency !== 'USD' && ((amount ?? 0n) !== 0n || (fee ?? 0n) !== 0n);
}

export function units(quantity: bigint | null): Exact {
  return new Exact((quantity ?? 0n).toString()).div('1e18');
}

/** Rounds to cents. Half a cent or more is rounded away from zero (i8949, "Rounding Off"). */
export function cents(value: Exact): Exact {
  return value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
}

/** Quantities have 18 decimals. */
export function wholeUnits(value: Exact): Exact {
  return value.toDecimalPlaces(18, Decimal.ROUND_HALF_UP);
}

export function least(...values: Exact[]): Exact {
  return Exact.min(...values);
}

export function most(...values: Exact[]): Exact {
  return Exact.max(...values);
}

export function sum(values: readonly Exact[]): Exact {
  return values.reduce((total, value) => total.plus(value), nothing);
}

/**
 * Returns a portion of a total. Portion k = round(total × cum k) − round(total × cum k−1), which conserves cents
 * (DECISIONS.md, "Parts of an amount are rounded cumulatively").
 */
export function portion(total: Exact, before: Exact, part: Exact, whole: Exact): Exact {
  if (whole.isZero()) return nothing;
  const upTo = (cumulative: Exact): Exact => cents(total.times(cumulative).div(whole));
  return upTo(before.plus(part)).minus(upTo(before));
}

/** Splits a total over several parts, to the cent. */
export function spread(total: Exact, parts: readonly Exact[], whole: Exact): Exact[] {
  let before = nothing;
  return parts.map((part) => {
    const share = portion(total, before, part, whole);
    before = before.plus(part);
    return share;
  });
}

/** Works like `spread`, for quantities with 18 decimals. */
export function spreadUnits(total: Exact, parts: readonly Exact[]): Exact[] {
  const whole = sum(parts);
  let before = nothing;
  return parts.map((part) => {
    const upTo = (cumulative: Exact): Exact => wholeUnits(total.times(cumulative).div(whole));
    const share = upTo(before.plus(part)).minus(upTo(before));
    before = before.plus(part);
    return share;
  });
}

/**
 * Returns true if held for more than one calendar year from the day after the acquisition, including the day of sale
 * (IRC 1222; Pub. 550, "Holding Period"). Written from the rule, not from base/day.ts: same month and day of the next
 * year, February 29 → March 1.
 */
export function isLongTerm(heldSince: Day, sold: Day): boolean {
  const start = new Date((heldSince + 1) * millisecondsPerDay);
  const month = start.getUTCMonth();
  const dayOfMonth = start.getUTCDate();
  const leapDay = month === 1 && dayOfMonth === 29;
  const next = leapDay
    ? Date.UTC(start.getUTCFullYear() + 1, 2, 1)
    : Date.UTC(start.getUTCFullYear() + 1, month, dayOfMonth);
  return sold * millisecondsPerDay >= next;
}

export function yearOfDay(day: Day): number {
  return new Date(day * millisecondsPerDay).getUTCFullYear();
}

export function lastOfDecember(day: Day): Day {
  return (Date.UTC(yearOfDay(day), 11, 31) / millisecondsPerDay) as Day;
}

export const newYear2025 = (Date.UTC(2025, 0, 1) / millisecondsPerDay) as Day;
