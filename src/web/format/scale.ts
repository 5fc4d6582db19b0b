import { abs, type DecimalText, scaled } from './amounts.ts';

/**
 * Converts exact amounts to positions on an axis, as thousandths of the largest magnitude, -1000 to 1000. Charts draw
 * the positions, so no amount becomes a float.
 */
export function scaleAmounts(amounts: readonly DecimalText[]): number[] {
  const units = amounts.map(scaled);
  const largest = units.map(abs).sort(compare).at(-1) ?? 0n;
  if (largest === 0n) return amounts.map(() => 0);
  return units.map((each) => Number((each * 1000n) / largest));
}

/** Returns the round amounts of an axis that includes zero and all amounts, ascending and at equal distances. */
export function axisTicks(amounts: readonly DecimalText[]): DecimalText[] {
  const dollars = [0n, ...amounts.map(awayFromZero)].sort(compare);
  const [lowest, highest] = [dollars[0] ?? 0n, dollars.at(-1) ?? 0n];
  const step = roundStep(highest - lowest);
  const [first, last] = [-roundUp(-lowest, step), roundUp(highest, step)];
  const ticks: DecimalText[] = [];
  for (let tick = first; tick <= last; tick += step) ticks.push(tick.toString());
  return ticks;
}

/** Returns 1, 2 or 5 times a power of ten that divides the span into at most four steps. */
function roundStep(span: bigint): bigint {
  for (let power = 1n; ; power *= 10n) {
    const step = [power, 2n * power, 5n * power].find((each) => each * 4n >= span);
    if (step !== undefined) return step;
  }
}

/** Rounds an amount of zero or more up to a multiple of the step. */
const roundUp = (amount: bigint, step: bigint): bigint => ((amount + step - 1n) / step) * step;

/** Rounds to whole dollars, away from zero. */
function awayFromZero(text: DecimalText): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  const dollars = BigInt(whole);
  if (/^0*$/.test(fraction)) return dollars;
  return text.startsWith('-') ? dollars - 1n : dollars + 1n;
}

/** Returns the position of the smallest amount, or the first one of equal amounts. */
export function smallestAt(amounts: readonly DecimalText[]): number {
  const units = amounts.map(scaled);
  return units.reduce((best, each, at) => (each < (units[best] ?? each) ? at : best), 0);
}

/** Compares two amounts because Math.max does not accept bigint. */
const compare = (a: bigint, b: bigint): number => (a < b ? -1 : 1);
