import { type Canvas, type Color, pageWidth } from '../pdf/canvas.ts';
import { drawPartLabel, drawPrinted, printedRows } from '../pdf/printed.ts';
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

/**
 * The text printed on Form 8949, a work of the United States Government. `*bold*`, `_italic_`, `^bold italic^`. `to` is
 * the right end of the line on the official form. Heights are for Part I. Part II is 36 points higher.
 */
interface PrintedLine {
  readonly x: number;
  readonly y: number;
  readonly to: number;
  readonly size: number;
  readonly text: string;
}

interface Wording {
  readonly before: readonly PrintedLine[];
  readonly part: readonly PrintedLine[];
  readonly check: readonly PrintedLine[];
  readonly boxes: readonly PrintedLine[];
  readonly totals: readonly PrintedLine[];
  readonly note: readonly PrintedLine[];
}

function buildFormWording(year: number, part: 1 | 2): Wording {
  return year <= 2024 ? wordingUntil2024(part) : wordingFrom2025(part);
}

/**
 * The term within a sentence, the part's boxes, the number of the Schedule D lines a and b, and the term at the start
 * of a sentence.
 */
type PartWords = readonly [string, readonly [string, string, string, string, string, string], 1 | 8, string];
const SHORT: PartWords = ['short-term', ['A', 'B', 'C', 'G', 'H', 'I'], 1, 'Short-term'];
const LONG: PartWords = ['long-term', ['D', 'E', 'F', 'J', 'K', 'L'], 8, 'Long-term'];

/** The first two lines of each part, with their right ends. */
const openings = {
  1: [
    '544.2 *Short-Term.* Transactions involving capital assets you held 1 year or less are generally short-term (see',
    '322.5 instructions). For long-term transactions, see page 2.',
  ],
  2: [
    '554.8 *Long-Term.* Transactions involving capital assets you held more than 1 year are generally long-term (see',
    '326.1 instructions). For short-term transactions, see page 1.',
  ],
} as const;

function wordingUntil2024(part: 1 | 2): Wording {
  const [short, [first, second, third], line, other] = part === 1 ? SHORT : LONG;
  const isShort = part === 1;
  return {
    before: lines(36, 8.2)`
      673.6 556 _Before you check Box ${first}, ${second}, or ${third} below, see whether you received any Form(s) 1099-B or substitute statement(s) from your broker. A substitute_
      663.6 565 _statement will have the same information as Form 1099-B. Either will show whether your basis (usually your cost) was reported to the IRS by your_
      653.6 216 _broker and may even tell you which box to check._`,
    part: lines(86.2, 10)`
      637.8 ${openings[part][0]}
      626.8 ${openings[part][1]}
      613.8 ${isShort ? 536.1 : 573.5} *Note:* You may aggregate all ${short} transactions reported on Form(s) 1099-B showing basis was${isShort ? '' : ' reported'}
      602.8 ${isShort ? 528.1 : 562.6} ${isShort ? 'reported ' : ''}to the IRS and for which no adjustments or codes are required. Enter the totals directly on${isShort ? '' : ' Schedule D, line'}
      591.8 ${isShort ? 534.8 : 459.4} ${isShort ? 'Schedule D, line ' : ''}${line}a; you aren’t required to report these transactions on Form 8949 (see instructions).`,
    check: lines(36, 9)`
      577.6 ${isShort ? 538.2 : 536.8} *You* ^must^ *check Box ${first}, ${second},* ^or^ *${third} below. Check only one box.* If more than one box applies for your ${short} transactions,
      567.6 ${completeLine(part, short)}
      557.6 ${completeEnd}`,
    boxes: lines(62, 9)`
      543   515.2 *(${first})* ${other} transactions reported on Form(s) 1099-B showing basis was reported to the IRS (see *Note* above)
      531   456   *(${second})* ${other} transactions reported on Form(s) 1099-B showing basis *wasn’t* reported to the IRS
      519.1 320.4 *(${third})* ${other} transactions not reported to you on Form 1099-B`,
    totals: lines(52.4, 7.4)`
      90.1 266.4 *Totals.* Add the amounts in columns (d), (e), (g), and (h) (subtract
      81.1 266.4 negative amounts). Enter each total here and include on your
      72.1 266.4 Schedule D, *line ${line}b* (if *Box ${first}* above is checked), *line ${isShort ? 2 : 9}* (if *Box ${second}*
      63.1 240   above is checked), or *line ${isShort ? 3 : 10}* (if *Box ${third}* above is checked)`,
    note: lines(36, 8)`
      50   576   *Note:* If you checked Box ${first} above but the basis reported to the IRS was incorrect, enter in column (e) the basis as reported to the IRS, and enter an
      40.5 524.3 adjustment in column (g) to correct the basis. See _Column (g)_ in the separate instructions for how to figure the amount of the adjustment.`,
  };
}

function wordingFrom2025(part: 1 | 2): Wording {
  const [short, [a, b, c, g, h, i], line, other] = part === 1 ? SHORT : LONG;
  const all = `${a}, ${b}, ${c}, ${g}, ${h}, or ${i}`;
  const isShort = part === 1;
  return {
    before: lines(36, 9)`
      673.8 575.5 _Before you check Box ${all} below, see whether you received any Form(s) 1099-B, Form(s) 1099-DA, or substitute statement(s)_
      663   564.5 _from your broker. A substitute statement will have the same information as Form 1099-B or Form 1099-DA. They will show whether your_
      652.2 449   _basis (usually your cost) was reported to the IRS by your broker and may even tell you which box to check._`,
    part: lines(86.4, 10)`
      638.8 ${openings[part][0]}
      626.8 ${openings[part][1]}
      612.8 ${isShort ? 547.6 : 544.1} *Note:* You may aggregate all ${short} transactions reported on Form(s) 1099-B and Form(s) 1099-DA
      601.8 566.3 showing basis was reported to the IRS and for which no adjustments or codes are required. Enter the totals
      590.8 524.6 directly on Schedule D, line ${line}a; you aren’t required to report these transactions on Form 8949 (see
      579.8 143.6 instructions).`,
    check: lines(36, 9)`
      565.8 ${isShort ? 569.6 : 565.7} *You* ^must^ *check Box ${all} below. Check only one box.* If more than one box applies for your ${short} transactions,
      555   ${completeLine(part, short)}
      544.2 ${completeEnd}`,
    boxes: lines(63, 9)`
      531   520.2 *(${a})* ${other} transactions reported on *Form(s) 1099-B* showing basis *was* reported to the IRS (see *Note* above)
      519   465.3 *(${b})* ${other} transactions reported on *Form(s) 1099-B* showing basis *was not* reported to the IRS
      507.1 548.9 *(${c})* ${other} transactions, other than digital asset transactions, not reported to you on *Form 1099-B* or *Form 1099-DA*
      495   527.4 *(${g})* ${other} transactions reported on *Form(s) 1099-DA* showing basis *was* reported to the IRS (see *Note* above)
      483   472.2 *(${h})* ${other} transactions reported on *Form(s) 1099-DA* showing basis *was not* reported to the IRS
      471   444.5 *(${i})* ${other} digital asset transactions not reported to you on *Form 1099-DA* or *Form 1099-B*`,
    totals: lines(54, 8.9)`
      118.7 266.4 *Totals.* Add the amounts in columns (d), (e), (g), and (h)
      107.9 266.4 (subtract negative amounts). Enter each total here and
      97.1  266.4 include on your Schedule D, *line ${line}b* (if *Box ${a}* or *Box ${g}*
      86.3  266.4 above is checked), *line ${isShort ? 2 : 9}* (if *Box ${b}* or *Box ${h}* above is
      75.5  266   checked), or *line ${isShort ? 3 : 10}* (if *Box ${c}* or *Box ${i}* above is checked)`,
    note: lines(36, 8)`
      62   566.6 *Note:* If you checked Box ${a} or Box ${g} above but the basis reported to the IRS was incorrect, enter in column (e) the basis as reported to the IRS, and
      52.4 555.7 enter an adjustment in column (g) to correct the basis. See _Column (g)_ in the separate instructions for how to figure the amount of the adjustment.`,
  };
}

function completeLine(part: 1 | 2, short: string): string {
  return `${part === 1 ? 562.8 : 560.8} complete a separate Form 8949, page ${part}, for each applicable box. If you have more ${short} transactions than will fit on this page`;
}

const completeEnd = '422.3 for one or more of the boxes, complete as many forms with the same box checked as you need.';

/** Returns a tag for lines at `x`, each with its height, its right end and its text. */
function lines(x: number, size: number): (...table: Parameters<typeof printedRows>) => PrintedLine[] {
  return (...table) => printedRows(...table).map(([y, to, text]) => ({ x, y, to, size, text }));
}

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
