import { type Canvas, type Color, pageWidth } from '../pdf/canvas.ts';
import { drawPartLabel, drawPrinted } from '../pdf/printed.ts';
import {
  boxLeft,
  boxSize,
  columns,
  type FormColumn,
  type FormLayout,
  getFormLayout,
  pageTwoRise,
  rowPitch,
} from './layout.ts';
import { buildFormWording, type PrintedLine } from './wording.ts';

const left = 36;
const right = 576;
const shade: Color = [0.75, 0.75, 0.75];

/** Draws the blank form for a year and part, like the official paper form. */
export function drawBlank8949(canvas: Canvas, year: number, part: 1 | 2): void {
  const layout = getFormLayout(year, part);
  const rise = part === 1 ? 0 : pageTwoRise;
  if (part === 1) drawHead(canvas, year, layout);
  else drawSecondHead(canvas, year, layout);
  drawWords(canvas, year, part, rise);
  for (const bottom of layout.boxes.values()) canvas.strokeRect(boxLeft, bottom, boxSize, boxSize);
  drawHeadings(canvas, layout.headingsTop);
  drawGrid(canvas, layout);
  drawFoot(canvas, year, part, layout.totalsBottom);
}

function drawHead(canvas: Canvas, year: number, layout: FormLayout): void {
  canvas.text(36, 738.6, 'Form', { size: 7 });
  canvas.text(54.3, 738.6, '8949', { size: 24, face: 'bold', stretchTo: 50 });
  canvas.text(36, 720.2, 'Department of the Treasury', { size: 6.8 });
  canvas.text(36, 712, 'Internal Revenue Service', { size: 6.8 });
  const center = (122.4 + 489.6) / 2;
  drawPrinted(canvas, center, 741.2, '*Sales and Other Dispositions of Capital Assets*', {
    size: 13.6,
    align: 'center',
  });
  const file = '*File with your Schedule D to list your transactions for lines 1b, 2, 3, 8b, 9, and 10 of Schedule D.*';
  drawPrinted(canvas, 129.2, 726.1, file, { size: 8, to: 482.8 });
  const goTo = '*Go to* ^www.irs.gov/Form8949^ *for instructions and the latest information.*';
  drawPrinted(canvas, 170, 714.7, goTo, { size: 8, to: 441.5 });
  canvas.text(532.8, 748.4, 'OMB No. 1545-0074', { size: 7, align: 'center' });
  canvas.text(532.8, 727, String(year), { size: 20, face: 'bold', align: 'center', stretchTo: 50 });
  canvas.text(501.6, 718, 'Attachment', { size: 7 });
  drawPrinted(canvas, 501.6, 711.2, 'Sequence No.', { size: 7, to: 546 });
  canvas.text(548, 711.2, '12A', { size: 10, face: 'bold' });
  canvas.line(122.4, 756, 122.4, 708, 1);
  canvas.line(489.6, 756, 489.6, 708, 1);
  canvas.line(489.6, 744, right, 744);
  canvas.line(left, 708, right, 708, 1);
  drawNameFields(canvas, 'Name(s) shown on return', layout, 708);
}

function drawSecondHead(canvas: Canvas, year: number, layout: FormLayout): void {
  canvas.text(36, 747.9, `Form 8949 (${year})`, { size: 7 });
  canvas.text(424.8, 747.9, 'Attachment Sequence No.', { size: 7 });
  canvas.text(509.3, 747.9, '12A', { size: 10, face: 'bold' });
  canvas.text(552.4, 747.9, 'Page', { size: 7 });
  canvas.text(576, 747.9, '2', { size: 10, face: 'bold', align: 'right' });
  canvas.line(left, 744, right, 744, 1);
  const words =
    'Name(s) shown on return. Name and SSN or taxpayer identification no. not required if shown on other side';
  drawNameFields(canvas, words, layout, 744);
}

function drawNameFields(canvas: Canvas, words: string, layout: FormLayout, top: number): void {
  canvas.text(36, top - 8.4, words, { size: 6.8, widthMax: layout.nameRight - 38 });
  const number = 'Social security number or taxpayer identification number';
  canvas.text(layout.tinLeft + 3.4, top - 8.4, number, { size: 6.8, face: 'bold' });
  canvas.line(layout.tinLeft - 0.5, top, layout.tinLeft - 0.5, top - 24);
  canvas.line(left, top - 24, right, top - 24, 0.75);
}

function drawWords(canvas: Canvas, year: number, part: 1 | 2, rise: number): void {
  const wording = buildFormWording(year, part);
  const print = (lines: readonly PrintedLine[]): void => {
    for (const { x, y, to, size, text } of lines) drawPrinted(canvas, x, y + rise, text, { size, to });
  };
  print(wording.before);
  canvas.line(left, 648 + rise, right, 648 + rise, 0.75);
  drawPartLabel(canvas, 636 + rise, part === 1 ? 'Part I' : 'Part II');
  print(wording.part);
  const rule = (year <= 2024 ? 588 : 576) + rise;
  canvas.line(left, rule, right, rule);
  print(wording.check);
  print(wording.boxes);
  print(wording.totals);
  print(wording.note);
}

/** The words in the column headings, one line per bar, and the distance of their first line from the top. */
const headings: Readonly<Record<FormColumn, readonly [drop: number, lines: string]>> = {
  a: [29.7, '*(a)*|Description of property|(Example: 100 sh. XYZ Co.)'],
  b: [29.7, '*(b)*|Date acquired|(Mo., day, yr.)'],
  c: [25.5, '*(c)*|Date sold or|disposed of|(Mo., day, yr.)'],
  d: [25.5, '*(d)*|Proceeds|(sales price)|(see instructions)'],
  e: [17.1, '*(e)*|Cost or other basis|See the *Note* below|and see _Column (e)_|in the separate|instructions.'],
  f: [47.7, '*(f)*|Code(s) from|instructions'],
  g: [47.7, '*(g)*|Amount of|adjustment'],
  h: [17.1, '*(h)*|*Gain or (loss)*|Subtract column (e)|from column (d) and|combine the result|with column (g).'],
};

const adjustmentHeading = [
  '*Adjustment, if any, to gain or loss*',
  'If you enter an amount in column (g),',
  'enter a code in column (f).',
  '*See the separate instructions.*',
];

function drawHeadings(canvas: Canvas, top: number): void {
  const rowsTop = top - 72;
  canvas.line(left, top, right, top);
  canvas.line(left, rowsTop, right, rowsTop);
  canvas.line(columns.f[0], top - 36, columns.h[0], top - 36);
  canvas.text(44.4, top - 15.5, '1', { size: 9, face: 'bold' });
  for (const [name, [drop, lines]] of Object.entries(headings) as [FormColumn, (typeof headings)[FormColumn]][]) {
    const [from, to] = columns[name];
    const center = name === 'a' ? 111.6 : (from + to) / 2;
    lines.split('|').forEach((line, index) => {
      drawPrinted(canvas, center, top - drop - index * 8.4, line, { size: 6.7, align: 'center' });
    });
  }
  adjustmentHeading.forEach((line, index) => {
    drawPrinted(canvas, (columns.f[0] + columns.g[1]) / 2, top - 8.2 - index * 8, line, { size: 6.2, align: 'center' });
  });
  for (const name of ['b', 'c', 'd', 'e', 'f', 'h'] as const) {
    canvas.line(columns[name][0], top, columns[name][0], rowsTop);
  }
  canvas.line(columns.g[0], top - 36, columns.g[0], rowsTop);
}

function drawGrid(canvas: Canvas, layout: FormLayout): void {
  const bottom = layout.rowsTop - layout.rows * rowPitch;
  for (let row = 1; row <= layout.rows; row++) {
    const y = layout.rowsTop - row * rowPitch;
    canvas.line(left, y, right, y);
  }
  canvas.fillRect(columns.f[0], layout.totalsBottom, columns.g[0] - columns.f[0], bottom - layout.totalsBottom, shade);
  for (const name of ['b', 'c'] as const) canvas.line(columns[name][0], layout.rowsTop, columns[name][0], bottom);
  for (const name of ['d', 'e', 'f', 'g', 'h'] as const) {
    canvas.line(columns[name][0], layout.rowsTop, columns[name][0], layout.totalsBottom);
  }
  canvas.text(43.4, bottom - (layout.rows === 14 ? 17.9 : 13.3), '2', { size: 9, face: 'bold' });
  canvas.line(left, layout.totalsBottom, right, layout.totalsBottom);
}

function drawFoot(canvas: Canvas, year: number, part: 1 | 2, totalsBottom: number): void {
  const rule = totalsBottom - 24;
  canvas.line(left, rule, right, rule, 1);
  const baseline = rule - 9.6;
  if (part === 1) {
    const words = 'For Paperwork Reduction Act Notice, see your tax return instructions.';
    canvas.text(36, baseline, words, { size: 8, face: 'bold', stretchTo: 266 });
    canvas.text(pageWidth * 0.63, baseline, 'Cat. No. 37768Z', { size: 7, align: 'center' });
  }
  canvas.text(530.6, baseline, 'Form', { size: 7, align: 'right' });
  canvas.text(532.6, baseline, '8949', { size: 10, face: 'bold' });
  canvas.text(576, baseline, `(${year})`, { size: 7, align: 'right' });
}
