import { type Canvas, pageWidth } from './pdf/canvas.ts';

/**
 * The last tax year whose final Form 8949 and Schedule D were compared with ours (`scripts/forms/compare.ts`). The
 * release that compares a later year raises it.
 */
export const lastYearCompared = 2025;

/**
 * The same for Form 8997, which is data without a facsimile. Its parts and columns were compared with the final form.
 */
export const lastYearOf8997Compared = 2025;

/** The notice for a year whose final Form 8949 and Schedule D were not compared. Empty for other years. */
export function previewNotice(year: number, compared: number = lastYearCompared): string {
  if (year <= compared) return '';
  return `Preview, not for filing: these are the forms of ${compared} with the year ${year}. The final forms of ${year} have not been compared yet.`;
}

/** The notice for a year whose final Form 8997 was not compared. Empty for other years. */
export function previewOf8997(year: number, compared: number = lastYearOf8997Compared): string {
  if (year <= compared) return '';
  return `Preview, not for filing: parts and columns are those of the draft for 2026. The final Form 8997 of ${year} and its instructions have not been compared yet.`;
}

/** The suffix between the year and the extension of a file name. */
export function previewSuffix(notice: string): string {
  return notice === '' ? '' : '-preview';
}

/** Draws the notice at the foot of every existing page, above the edge that printers leave white. */
export function drawPreview(canvas: Canvas, year: number): void {
  const notice = previewNotice(year);
  if (notice === '') return;
  for (let page = 1; page <= canvas.pageNumber; page++) {
    canvas.turnTo(page);
    canvas.text(pageWidth / 2, 22, notice, {
      size: 8,
      face: 'bold',
      color: [0.7, 0, 0],
      align: 'center',
      widthMax: 540,
    });
  }
}
