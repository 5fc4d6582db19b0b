import type { ScheduleDRowId } from './schedule-d.ts';

/** Positions of the fields on Schedule D, in points from the lower left corner (f1040sd for 2024 and 2025). */
export const amountColumns = { d: [288, 359.2], e: [360, 431.2], g: [432, 503.2], h: [504, 576] } as const;

/** Returns the bottom edges of the fields on page 1. */
export function getFieldBottoms(
  year: number,
): Readonly<Record<ScheduleDRowId | '4' | '5' | '6' | '7' | '11' | '12' | '13' | '14' | '15', number>> {
  return year <= 2024
    ? {
        '1a': 516,
        '1b': 492,
        '2': 468,
        '3': 444,
        '4': 432,
        '5': 408,
        '6': 384,
        '7': 360,
        '8a': 228,
        '8b': 204,
        '9': 180,
        '10': 156,
        '11': 132,
        '12': 120,
        '13': 108,
        '14': 84,
        '15': 60,
      }
    : {
        '1a': 504,
        '1b': 480,
        '2': 456,
        '3': 432,
        '4': 420,
        '5': 408,
        '6': 384,
        '7': 360,
        '8a': 216,
        '8b': 192,
        '9': 168,
        '10': 144,
        '11': 120,
        '12': 108,
        '13': 96,
        '14': 72,
        '15': 48,
      };
}

/**
 * Returns the left edges of the check boxes for the opportunity fund question, which are 662 points high on the page.
 */
export function getFundBoxes(year: number): readonly [yes: number, no: number] {
  return year <= 2024 ? [403.2, 446.4] : [496.8, 540];
}

/** The bottom edges of the fields on page 2. */
export const summaryBottoms = { '16': 696, '18': 528, '21': 360 } as const;
/** The left and right edges of the fields on page 2. */
export const summaryColumn = [489.6, 576] as const;
