import type { Cents } from '../../../base/decimal.ts';
import type { FilingStatus } from '../../../forms/report.ts';

/**
 * The maximum taxable income for the 0% and 15% rates on net capital gain. Above these amounts, the rate is 20% (IRC
 * 1(h), (j)(5)).
 */
export interface GainBrackets {
  readonly zeroMax: Cents;
  readonly fifteenMax: Cents;
}

interface GainRatesRow {
  readonly source: string;
  /** Amounts in whole dollars. A surviving spouse uses the amounts for a joint return. */
  readonly single: readonly [zeroMax: number, fifteenMax: number];
  readonly mfj: readonly [zeroMax: number, fifteenMax: number];
  readonly mfs: readonly [zeroMax: number, fifteenMax: number];
  readonly hoh: readonly [zeroMax: number, fifteenMax: number];
}

/**
 * The amounts for each year and their source, section 3.03 or 4.03 ("Maximum Capital Gains Rate"). Add one row each
 * year.
 */
const rates: Readonly<Record<number, GainRatesRow>> = {
  2018: {
    source: 'Rev. Proc. 2018-18; IRC 1(j)(5)(B)',
    ...{ single: [38_600, 425_800], mfj: [77_200, 479_000], mfs: [38_600, 239_500], hoh: [51_700, 452_400] },
  },
  2019: {
    source: 'Rev. Proc. 2018-57',
    ...{ single: [39_375, 434_550], mfj: [78_750, 488_850], mfs: [39_375, 244_425], hoh: [52_750, 461_700] },
  },
  2020: {
    source: 'Rev. Proc. 2019-44',
    ...{ single: [40_000, 441_450], mfj: [80_000, 496_600], mfs: [40_000, 248_300], hoh: [53_600, 469_050] },
  },
  2021: {
    source: 'Rev. Proc. 2020-45',
    ...{ single: [40_400, 445_850], mfj: [80_800, 501_600], mfs: [40_400, 250_800], hoh: [54_100, 473_750] },
  },
  2022: {
    source: 'Rev. Proc. 2021-45',
    ...{ single: [41_675, 459_750], mfj: [83_350, 517_200], mfs: [41_675, 258_600], hoh: [55_800, 488_500] },
  },
  2023: {
    source: 'Rev. Proc. 2022-38',
    ...{ single: [44_625, 492_300], mfj: [89_250, 553_850], mfs: [44_625, 276_900], hoh: [59_750, 523_050] },
  },
  2024: {
    source: 'Rev. Proc. 2023-34',
    ...{ single: [47_025, 518_900], mfj: [94_050, 583_750], mfs: [47_025, 291_850], hoh: [63_000, 551_350] },
  },
  2025: {
    source: 'Rev. Proc. 2024-40',
    ...{ single: [48_350, 533_400], mfj: [96_700, 600_050], mfs: [48_350, 300_000], hoh: [64_750, 566_700] },
  },
  2026: {
    source: 'Rev. Proc. 2025-32',
    ...{ single: [49_450, 545_500], mfj: [98_900, 613_700], mfs: [49_450, 306_850], hoh: [66_200, 579_600] },
  },
};

/** Thresholds set by statute, which are not indexed for inflation (IRC 1411(b)). */
const investmentThresholds: Readonly<Record<FilingStatus, number>> = {
  single: 200_000,
  hoh: 200_000,
  mfj: 250_000,
  qss: 250_000,
  mfs: 125_000,
};

/** The first and last year in the table. */
export const firstRatesYear = Math.min(...Object.keys(rates).map(Number));
export const lastRatesYear = Math.max(...Object.keys(rates).map(Number));

/**
 * Returns the brackets for a year. A year after the last one in the table uses the latest amounts, and `ratesYear` is
 * their year. Amounts rise with inflation (IRC 1(j)(5)(C)), so the tax may be overstated but not understated. Returns
 * undefined for years before the table.
 */
export function findGainBrackets(
  year: number,
  status: FilingStatus,
): (GainBrackets & { readonly ratesYear: number; readonly source: string }) | undefined {
  const ratesYear = Math.min(year, lastRatesYear);
  const row = rates[ratesYear];
  if (row === undefined) return undefined;
  const [zeroMax, fifteenMax] = row[status === 'qss' ? 'mfj' : status];
  return { zeroMax: toCents(zeroMax), fifteenMax: toCents(fifteenMax), ratesYear, source: row.source };
}

/**
 * Returns the income threshold above which the 3.8% tax applies to net investment income, or to the excess over the
 * threshold if that is less.
 */
export function getInvestmentThreshold(status: FilingStatus): Cents {
  return toCents(investmentThresholds[status]);
}

function toCents(dollars: number): Cents {
  return (BigInt(dollars) * 100n) as Cents;
}
