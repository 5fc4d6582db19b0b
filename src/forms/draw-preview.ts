import { type Canvas, pageWidth } from './pdf/canvas.ts';
import { previewNotice } from './preview.ts';

/** Draws the notice at the bottom of every existing page, above the edge that printers leave white. */
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
