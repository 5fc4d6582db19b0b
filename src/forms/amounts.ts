import { type Cents, divideRounded } from '../base/decimal.ts';

/** Formats dollars and cents for forms: `1,234.50`, or `(1,234.50)` if negative. */
export function printCents(cents: Cents): string {
  const magnitude = cents < 0n ? -cents : cents;
  const digits = magnitude.toString().padStart(3, '0');
  return parenthesized(cents < 0n, `${groupDigits(digits.slice(0, -2))}.${digits.slice(-2)}`);
}

/** Formats cents that are already rounded to whole dollars: `1,235`, or `(1,235)` if negative. */
export function printDollars(cents: Cents): string {
  const dollars = (cents < 0n ? -cents : cents) / 100n;
  return parenthesized(cents < 0n, groupDigits(dollars.toString()));
}

export function printAmount(cents: Cents, wholeDollars: boolean): string {
  return wholeDollars ? printDollars(cents) : printCents(cents);
}

/**
 * Rounds 1.49 to 1.00, 1.50 to 2.00 and (1.50) to (2.00): half away from zero (i8949, "Rounding Off to Whole Dollars").
 */
export function roundToDollars(cents: Cents): Cents {
  return (divideRounded(cents, 100n) * 100n) as Cents;
}

export function addCents(amounts: Iterable<Cents>): Cents {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum as Cents;
}

function parenthesized(negative: boolean, text: string): string {
  return negative ? `(${text})` : text;
}

/** `1,234` */
export function groupDigits(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}
