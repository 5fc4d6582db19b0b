import type { Box } from '../../engine/model.ts';
import { formPartOf } from '../pages.ts';

/**
 * Positions on the printed Form 8949, in points from the lower left corner. They were measured from the IRS's blank
 * forms (f8949 for 2022, 2024 and 2025): the PDF fields and the rules between them. Part II is page 2 of the form and
 * is 36 points higher.
 */
export interface FormLayout {
  readonly rows: number;
  /** The top of the first row. */
  readonly rowsTop: number;
  /** The top of the column headings. */
  readonly headingsTop: number;
  /** The bottom of the totals on line 2, whose fields are the 12 points above it. */
  readonly totalsBottom: number;
  /** The left edge of the taxpayer number's field. */
  readonly tinLeft: number;
  readonly nameRight: number;
  /** The lower left corners of the check boxes, which are 8 points square. */
  readonly boxes: ReadonlyMap<Box, number>;
}

export type FormColumn = 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h';
export const columnNames: readonly FormColumn[] = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** The left and right edges of each column's field. */
export const columns: Readonly<Record<FormColumn, readonly [left: number, right: number]>> = {
  a: [36, 172.05],
  b: [172.8, 223.2],
  c: [223.2, 273.6],
  d: [273.6, 337.65],
  e: [338.4, 402.45],
  f: [403.2, 446.4],
  g: [446.4, 510.45],
  h: [511.2, 576],
};

export const rowPitch = 24;
/** Columns (b) to (h) and line 2 have fields that are half a row high. Column (a) uses the full row for two lines. */
export const fieldHeight = 12;
export const boxLeft = 50.4;
export const boxSize = 8;
export const pageTwoRise = 36;

type Layouts = Readonly<Record<1 | 2, FormLayout>>;

/** `boxes` has the boxes of each part with their heights. The other heights are those of Part I. */
function layouts(
  { rows, rowsTop, headingsTop, totalsBottom, tinLeft, nameRight }: Omit<FormLayout, 'boxes'>,
  boxes: readonly [part1: Partial<Record<Box, number>>, part2: Partial<Record<Box, number>>],
): Layouts {
  const layout = (part: 1 | 2): FormLayout => {
    const rise = part === 1 ? 0 : pageTwoRise;
    const own = new Map(Object.entries(boxes[part - 1] ?? {}) as [Box, number][]);
    return {
      ...{ rows, tinLeft, nameRight, boxes: own },
      ...{ rowsTop: rowsTop + rise, headingsTop: headingsTop + rise, totalsBottom: totalsBottom + rise },
    };
  };
  return { 1: layout(1), 2: layout(2) };
}

const until2024 = layouts(
  { rows: 14, rowsTop: 443.97, headingsTop: 516, totalsBottom: 59.97, tinLeft: 360, nameRight: 359.25 },
  [
    { A: 542.22, B: 530.22, C: 518.27 },
    { D: 578.22, E: 566.22, F: 554.22 },
  ],
);

const from2025 = layouts(
  { rows: 11, rowsTop: 395.97, headingsTop: 468, totalsBottom: 71.97, tinLeft: 368.2, nameRight: 366.45 },
  [
    { A: 530.22, B: 518.22, C: 506.27, G: 494.22, H: 482.22, I: 470.22 },
    { D: 566.22, E: 554.22, F: 542.22, J: 530.22, K: 518.22, L: 506.22 },
  ],
);

/** Returns the layout for a year. The 2025 layout is used until a newer one is known. */
export function getFormLayout(year: number, part: 1 | 2): FormLayout {
  return (year <= 2024 ? until2024 : from2025)[part];
}

/** Returns the bottom of the fields for name and number, which are on every page and 14 points high. */
export function nameBottom(part: 1 | 2): number {
  return part === 1 ? 683.97 : 719.97;
}

export function boxBottom(year: number, box: Box): number | undefined {
  return getFormLayout(year, formPartOf(box)).boxes.get(box);
}
