import type { ScheduleDRowId } from './schedule-d.ts';

/** Positions of the fields on Schedule D, in points from the lower left corner (f1040sd for 2024 and 2025). */
export const amountColumns = { d: [288, 359.2], e: [360, 431.2], g: [432, 503.2], h: [504, 576] } as const;

type FieldId = ScheduleDRowId | '4' | '5' | '6' | '7' | '11' | '12' | '13' | '14' | '15';

/** The bottom edges of the fields on page 1, through 2024 and from 2025. */
const fieldBottoms: Readonly<Record<FieldId, readonly [until2024: number, from2025: number]>> = {
  ...{ '1a': [516, 504], '1b': [492, 480], '2': [468, 456], '3': [444, 432], '4': [432, 420], '5': [408, 408] },
  ...{ '6': [384, 384], '7': [360, 360], '8a': [228, 216], '8b': [204, 192], '9': [180, 168], '10': [156, 144] },
  ...{ '11': [132, 120], '12': [120, 108], '13': [108, 96], '14': [84, 72], '15': [60, 48] },
};

/** Returns the bottom edges of the fields on page 1. */
export function getFieldBottoms(year: number): Readonly<Record<FieldId, number>> {
  const bottoms = Object.entries(fieldBottoms).map(([id, [before, after]]) => [id, year <= 2024 ? before : after]);
  return Object.fromEntries(bottoms) as Record<FieldId, number>;
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
