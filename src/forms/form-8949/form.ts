import { printAmount } from '../figures.ts';
import { type FormRow, formatFormCells } from '../lines.ts';
import type { FormPage } from '../pages.ts';
import type { Canvas, Color } from '../pdf/canvas.ts';
import { drawBlank8949 } from './blank.ts';
import {
  boxBottom,
  boxLeft,
  boxSize,
  columnNames,
  columns,
  type FormColumn,
  fieldHeight,
  getFormLayout,
  nameBottom,
  rowPitch,
} from './layout.ts';

/** The dark blue used for the fields on the official form. */
export const ink: Color = [0, 0, 0.502];
const size = 8;
const padding = 2;

/** The content of every page of a filled form. */
export interface FormHead {
  readonly year: number;
  readonly name: string;
  readonly tin: string;
  readonly wholeDollars: boolean;
  /** Whether taxable income is known, so that the carryover worksheet is complete. */
  readonly incomeKnown: boolean;
  /** The reason why the form must not be filed yet. Empty for a final form. */
  readonly draft: string;
}

/** Draws one filled page of Form 8949. */
export function drawForm8949(canvas: Canvas, head: FormHead, page: FormPage): void {
  canvas.page();
  drawDraft(canvas, head.draft);
  canvas.stamp(`8949-${head.year}-${page.part}`, () => drawBlank8949(canvas, head.year, page.part));
  drawNames(canvas, head, page.part);
  drawCheckMark(canvas, head.year, page);
  const layout = getFormLayout(head.year, page.part);
  page.rows.forEach((row, index) => {
    drawRow(canvas, row, layout.rowsTop - (index + 1) * rowPitch, head);
  });
  const { proceeds, basis, adjustment, gain } = page.totals;
  for (const [column, amount] of [
    ['d', proceeds],
    ['e', basis],
    ['g', adjustment],
    ['h', gain],
  ] as const) {
    drawCell(canvas, column, layout.totalsBottom, printAmount(amount, head.wholeDollars));
  }
}

/** Prints DRAFT in the margin and across the page, so that the form is not filed by mistake. */
export function drawDraft(canvas: Canvas, why: string): void {
  if (why === '') return;
  canvas.text(150, 250, 'DRAFT', { size: 150, face: 'bold', color: [0.93, 0.93, 0.93], angle: 45 });
  canvas.text(36, 774, `DRAFT. ${why}`, { size: 7.5, face: 'bold', color: [0.7, 0, 0], widthMax: 540 });
}

function drawNames(canvas: Canvas, head: FormHead, part: 1 | 2): void {
  const { nameRight, tinLeft } = getFormLayout(head.year, part);
  const y = nameBottom(part) + 3.4;
  canvas.text(38, y, head.name, { size: 9, face: 'bold', color: ink, widthMax: nameRight - 40 });
  canvas.text(tinLeft + 4, y, head.tin, { size: 9, face: 'bold', color: ink, widthMax: 570 - tinLeft });
}

function drawCheckMark(canvas: Canvas, year: number, page: FormPage): void {
  const bottom = boxBottom(year, page.box);
  if (bottom === undefined) return;
  canvas.text(boxLeft + boxSize / 2, bottom + 1.2, 'X', { size, face: 'bold', color: ink, align: 'center' });
}

function drawRow(canvas: Canvas, row: FormRow, bottom: number, { wholeDollars, draft }: FormHead): void {
  const cells = formatFormCells(row, wholeDollars, draft !== '');
  columnNames.forEach((column, index) => {
    const text = cells[index] ?? '';
    if (column === 'a') drawDescription(canvas, text, bottom);
    else drawCell(canvas, column, bottom, text);
  });
}

/**
 * Draws up to two lines in the field for column (a). The last one is level with the other columns. Longer text is
 * printed smaller.
 */
function drawDescription(canvas: Canvas, text: string, bottom: number): void {
  const [from, to] = columns.a;
  const width = to - from - 2 * padding;
  let fitted = size;
  let lines = canvas.wrap(text, fitted, width, 'bold');
  while (lines.length > 2 && fitted > 5) {
    fitted -= 0.5;
    lines = canvas.wrap(text, fitted, width, 'bold');
  }
  const shown = lines.length > 2 ? [lines[0] ?? '', `${(lines[1] ?? '').slice(0, -1)}…`] : lines;
  shown.forEach((line, index) => {
    const y = bottom + 3.4 + (shown.length - 1 - index) * 9.4;
    canvas.text(from + padding, y, line, { size: fitted, face: 'bold', color: ink, widthMax: width });
  });
}

/** Draws text in the middle of a column, or at the right end of a column with amounts. */
function drawCell(canvas: Canvas, column: FormColumn, bottom: number, text: string): void {
  const [from, to] = columns[column];
  const y = bottom + (fieldHeight - size) / 2 + 1.4;
  const style = { size, face: 'bold', color: ink } as const;
  if (column === 'b' || column === 'c' || column === 'f')
    canvas.text((from + to) / 2, y, text, { ...style, align: 'center', widthMax: to - from - padding });
  else canvas.text(to - padding, y, text, { ...style, align: 'right', widthMax: to - from - 2 * padding });
}
