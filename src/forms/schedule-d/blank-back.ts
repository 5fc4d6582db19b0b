import type { Canvas, Color } from '../pdf/canvas.ts';
import { drawPartLabel, drawPrinted, printedRows } from '../pdf/printed.ts';

/** Draws Part III of Schedule D, like the official page 2. */
export function drawScheduleDBack(canvas: Canvas, year: number): void {
  canvas.text(36, 748.2, `Schedule D (Form 1040) ${year}`, { size: 7 });
  canvas.text(576, 747.9, '2', { size: 10, face: 'bold', align: 'right' });
  canvas.text(568.4, 747.9, 'Page', { size: 7, align: 'right' });
  canvas.line(left, 744, right, 744, 1);
  drawPartLabel(canvas, 726, 'Part III', 9.6);
  canvas.text(86.4, 728.3, 'Summary', { size: 10, face: 'bold' });
  canvas.line(left, 720, right, 720);
  drawAmountColumn(canvas);
  for (const [y, id] of numbers) canvas.text(45.4, y, id, { size: 9, face: 'bold', align: 'center' });
  for (const [x, y, words] of listBackTexts(year <= 2024 ? '7' : '7a')) drawPrinted(canvas, x, y, words, { size: 8.7 });
  for (const bottom of checkBoxes) canvas.strokeRect(66.8, bottom, 8, 8);
  canvas.text(490.2, 363.1, '(', { size: 9 });
  canvas.text(575.6, 363.1, ')', { size: 9, align: 'right' });
  canvas.line(left, 228, right, 228, 1);
  canvas.text(right, 218.4, `Schedule D (Form 1040) ${year}`, { size: 7, face: 'bold', align: 'right' });
}

/** The lower edges of the check boxes: line 17 yes and no, 20 yes and no, 22 yes and no. */
export const checkBoxes = [578, 566, 458, 422, 278, 242] as const;

const [left, right] = [36, 576] as const;
const shade: Color = [0.75, 0.75, 0.75];
const numbers: readonly (readonly [number, string])[] = [
  [698.6, '16'],
  [590.6, '17'],
  [541.4, '18'],
  [505.4, '19'],
  [470.6, '20'],
  [386.6, '21'],
  [302.6, '22'],
];

/** Draws the column of line numbers, shaded if a line has no amount, and the fields next to it. */
function drawAmountColumn(canvas: Canvas): void {
  for (const [lower, upper] of [
    [540, 696],
    [504, 528],
    [372, 492],
  ] as const) {
    canvas.fillRect(468, lower, 21.6, upper - lower, shade);
  }
  canvas.fillRect(468, 228, 108, 132, shade);
  canvas.line(468, 720, 468, 228);
  canvas.line(489.6, 720, 489.6, 360);
  for (const [bottom, id] of [
    [696, '16'],
    [528, '18'],
    [492, '19'],
    [360, '21'],
  ] as const) {
    canvas.text(478.8, bottom + 2.6, id, { size: 9, face: 'bold', align: 'center' });
    canvas.line(468, bottom, right, bottom);
  }
}

function listBackTexts(formLine: '7' | '7a') {
  return printedRows`
    64.8 698.6 Combine lines 7 and 15 and enter the result
    64.8 673.4 • If line 16 is a *gain*, enter the amount from line 16 on Form 1040, 1040-SR, or 1040-NR, line ${formLine}.
    71.8 662.6 Then, go to line 17 below.
    64.8 649.4 • If line 16 is a *loss*, skip lines 17 through 20 below. Then, go to line 21. Also be sure to complete
    71.8 638.6 line 22.
    64.8 625.4 • If line 16 is *zero*, skip lines 17 through 21 below and enter -0- on Form 1040, 1040-SR, or
    71.8 614.6 1040-NR, line ${formLine}. Then, go to line 22.
    64.8 590.6 Are lines 15 and 16 *both* gains?
    79.2 578.6 *Yes.* Go to line 18.
    79.2 566.6 *No.* Skip lines 18 through 21, and go to line 22.
    64.8 541.4 If you are required to complete the *28% Rate Gain Worksheet* (see instructions), enter the
    64.8 530.6 amount, if any, from line 7 of that worksheet
    64.8 505.4 If you are required to complete the *Unrecaptured Section 1250 Gain Worksheet* (see
    64.8 494.6 instructions), enter the amount, if any, from line 18 of that worksheet
    64.8 470.6 Are lines 18 and 19 both zero or blank and you are not filing Form 4952?
    79.2 458.4 *Yes.* Complete the *Qualified Dividends and Capital Gain Tax Worksheet* in the instructions
    79.2 447.6 for Form 1040, line 16. *Don’t* complete lines 21 and 22 below.
    79.2 421.4 *No.* Complete the *Schedule D Tax Worksheet* in the instructions. *Don’t* complete lines 21
    79.2 410.6 and 22 below.
    64.8 386.6 If line 16 is a loss, enter here and on Form 1040, 1040-SR, or 1040-NR, line ${formLine}, the *smaller* of:
    64.8 365.6 • The loss on line 16; or
    64.8 352.8 • ($3,000), or if married filing separately, ($1,500)
    64.8 329.5 *Note:* When figuring which amount is smaller, treat both amounts as positive numbers.
    64.8 302.6 Do you have qualified dividends on Form 1040, 1040-SR, or 1040-NR, line 3a?
    79.2 278.4 *Yes.* Complete the *Qualified Dividends and Capital Gain Tax Worksheet* in the instructions
    79.2 267.6 for Form 1040, line 16.
    79.2 242.6 *No.* Complete the rest of Form 1040, 1040-SR, or 1040-NR.`;
}
