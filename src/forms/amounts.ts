import { type Cents, divideRounded } from '../base/decimal.ts';

/** `1,234.50`, and `(1,234.50)` if negative: the format of dollars and cents on forms. */
export function printCents(cents: Cents): string {
  const magnitude = cents < 0n ? -cents : cents;
  const digits = magnitude.toString().padStart(3, '0');
  return parenthesized(cents < 0n, `${groupDigits(digits.slice(0, -2))}.${digits.slice(-2)}`);
}

/** `1,235`, and `(1,235)` if negative. The cents are already whole dollars. */
export function printDollars(cents: Cents): string {
  const dollars = (cents < 0n ? -cents : cents) / 100n;
  return parenthesized(cents < 0n, groupDigits(dollars.toString()));
}

export function printAmount(cents: Cents, wholeDollars: boolean): string {
  return wholeDollars ? printDollars(cents) : printCents(cents);
}

/**
 * 1.49 → 1.00, 1.50 → 2.00, (1.50) → (2.00): half rounds up on the magnitude (i8949, "Rounding Off to Whole Dollars").
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
