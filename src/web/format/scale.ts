import type { DecimalText } from './amounts.ts';

/**
 * Converts exact amounts to positions on an axis, as thousandths of the largest magnitude, -1000 to 1000. Charts draw
 * the positions, so no amount becomes a float.
 */
export function scaleAmounts(amounts: readonly DecimalText[]): number[] {
  const decimals = Math.max(0, ...amounts.map((text) => text.split('.')[1]?.length ?? 0));
  const units = amounts.map((text) => toSmallestUnits(text, decimals));
  const largest = units.map(magnitude).sort(compare).at(-1) ?? 0n;
  if (largest === 0n) return amounts.map(() => 0);
  return units.map((each) => Number((each * 1000n) / largest));
}

/** Returns the amount with the largest magnitude, without its sign. */
export function findLargest(amounts: readonly DecimalText[]): DecimalText {
  const at = scaleAmounts(amounts).findIndex((each) => Math.abs(each) === 1000);
  return (amounts[at] ?? '0').replace(/^-/, '');
}

/** Returns the position of the smallest amount, or the first one of equal amounts. */
export function smallestAt(amounts: readonly DecimalText[]): number {
  const decimals = Math.max(0, ...amounts.map((text) => text.split('.')[1]?.length ?? 0));
  const units = amounts.map((text) => toSmallestUnits(text, decimals));
  return units.reduce((best, each, at) => (each < (units[best] ?? each) ? at : best), 0);
}

function toSmallestUnits(text: DecimalText, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** Compares two amounts because Math.max does not accept bigint. */
function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : 1;
}

function magnitude(units: bigint): bigint {
  return units < 0n ? -units : units;
}
