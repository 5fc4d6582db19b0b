import { addYears, type Day, lastDayOf, yearOf } from '../../base/day.ts';
import type { AssetClass, Box, Term } from '../statement-values.ts';

/** A gain deferred in a qualified opportunity fund (IRC 1400Z-2). Money is in cents, quantities in 10⁻¹⁸ units. */
export interface Deferral {
  /** The origin of the lot that the investment opened. It stays the same if the lot is split. */
  readonly origin: string;
  readonly openedBy: string;
  readonly account: string;
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly invested: Day;
  /** The character of the gain, which inclusion does not change. */
  readonly term: Term;
  readonly box: Box;
  readonly gain: bigint;
  /** Units invested, before any split. */
  readonly quantity: bigint;
  /** Units already included. */
  ended: bigint;
}

/** The last year of investments under the rules before Pub. L. 119-21, section 70421 (c)(1). */
export const lastYearOfFirstRules = 2026;

/** December 31, 2026 (IRC 1400Z-2(b)(1)(B), as in force before 2027). */
export const deemedInclusion = lastDayOf(lastYearOfFirstRules);

export function followsFirstRules(invested: Day): boolean {
  return yearOf(invested) <= lastYearOfFirstRules;
}

/**
 * Returns the last day of a deferral: December 31, 2026, or five years after an investment made in 2027 or later (IRC
 * 1400Z-2(b)(1)(B), before and after Pub. L. 119-21).
 */
export function computeDueDay(invested: Day): Day {
  if (followsFirstRules(invested)) return deemedInclusion;
  return addYears(invested, 5);
}
