import { type Canvas, pageWidth } from './pdf/canvas.ts';

/**
 * The last tax year whose final Form 8949 and Schedule D were compared with ours (`scripts/forms/compare.ts`). The release
 * that compares those of a further year raises it.
 */
export const lastYearCompared = 2025;

/** The notice for a year whose final forms were not compared; '' for the others. */
export function previewNotice(year: number): string {
  if (year <= lastYearCompared) return '';
  return `Preview, not for filing: these are the forms of ${lastYearCompared} with the year ${year}. The final forms of ${year} were not compared yet.`;
}

/** Draws the notice at the foot of every page that there is, above the edge that printers leave white. */
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
