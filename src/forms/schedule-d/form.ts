import type { Cents } from '../../base/decimal.ts';
import { printAmount } from '../figures.ts';
import { drawDraft, type FormHead, ink } from '../form-8949/form.ts';
import type { Canvas } from '../pdf/canvas.ts';
import { drawPrinted } from '../pdf/printed.ts';
import { checkBoxes, drawScheduleDBack } from './blank-back.ts';
import { drawScheduleDFront } from './blank-front.ts';
import { amountColumns, getFieldBottoms, getFundBoxes, summaryBottoms, summaryColumn } from './layout.ts';
import type { ScheduleD } from './schedule-d.ts';
import type { CarryoverLine } from './worksheets.ts';

/** Draws Schedule D, Parts I to III, and a page of worksheets if any of them contains amounts. */
export function drawScheduleD(canvas: Canvas, head: FormHead, schedule: ScheduleD): void {
  drawFront(canvas, head, schedule);
  drawBack(canvas, head, schedule);
  if (schedule.lines['16'] < 0n || schedule.rateGain.collectibles !== 0n) drawWorksheets(canvas, head, schedule);
}

type Put = (bottom: number, [from, to]: readonly [number, number], amount: Cents) => void;

function drawFront(canvas: Canvas, head: FormHead, schedule: ScheduleD): void {
  canvas.page();
  drawDraft(canvas, head.draft);
  canvas.stamp(`schedule-d-${head.year}-1`, () => drawScheduleDFront(canvas, head.year));
  canvas.text(38, 675.4, head.name, { size: 9, face: 'bold', color: ink, widthMax: 412 });
  canvas.text(457, 675.4, head.tin, { size: 9, face: 'bold', color: ink, widthMax: 116 });
  if (schedule.fundsDisposed !== null) {
    const [yes, no] = getFundBoxes(head.year);
    const x = schedule.fundsDisposed ? yes : no;
    canvas.text(x + 4, 663.2, 'X', { size: 8, face: 'bold', color: ink, align: 'center' });
  }
  const put = putter(canvas, head.wholeDollars);
  const bottoms = getFieldBottoms(head.year);
  for (const row of schedule.rows) {
    if (row.count === 0) continue;
    put(bottoms[row.id], amountColumns.d, row.proceeds);
    put(bottoms[row.id], amountColumns.e, row.basis);
    if (row.id !== '1a' && row.id !== '8a') put(bottoms[row.id], amountColumns.g, row.adjustment);
    put(bottoms[row.id], amountColumns.h, row.gain);
  }
  const { lines } = schedule;
  for (const id of ['4', '11', '13'] as const) if (lines[id] !== 0n) put(bottoms[id], amountColumns.h, lines[id]);
  // The parentheses around a carryover are printed on the form.
  for (const id of ['6', '14'] as const) if (lines[id] !== 0n) put(bottoms[id], [507, 573], -lines[id] as Cents);
  for (const id of ['7', '15'] as const) put(bottoms[id], amountColumns.h, lines[id]);
}

function drawBack(canvas: Canvas, head: FormHead, { lines, rateGain }: ScheduleD): void {
  canvas.page();
  drawDraft(canvas, head.draft);
  canvas.stamp(`schedule-d-${head.year}-2`, () => drawScheduleDBack(canvas, head.year));
  const whose = [head.name, head.tin].filter((text) => text !== '').join('   ');
  canvas.text(574, 728.8, whose, { size: 9, face: 'bold', color: ink, align: 'right', widthMax: 420 });
  const put = putter(canvas, head.wholeDollars);
  put(summaryBottoms['16'], summaryColumn, lines['16']);
  // The answer on line 17 determines the next line, unless line 16 is a loss or zero.
  const bothGains = lines['15'] > 0n && lines['16'] > 0n;
  if (lines['16'] > 0n) {
    const bottom = checkBoxes[bothGains ? 0 : 1];
    canvas.text(70.8, bottom + 1.2, 'X', { size: 8, face: 'bold', color: ink, align: 'center' });
  }
  if (bothGains && rateGain.collectibles !== 0n) put(summaryBottoms['18'], summaryColumn, lines['18']);
  if (lines['16'] < 0n) put(summaryBottoms['21'], [492.6, 573], lines['21']);
}

function putter(canvas: Canvas, wholeDollars: boolean): Put {
  return (bottom, [from, to], amount) => {
    const text = printAmount(amount, wholeDollars);
    canvas.text(to - 2, bottom + 3.4, text, {
      size: 8,
      face: 'bold',
      color: ink,
      align: 'right',
      widthMax: to - from - 4,
    });
  };
}

/** Draws the worksheets for Schedule D. Taxpayers keep them and do not file them. */
function drawWorksheets(canvas: Canvas, head: FormHead, { carryover, rateGain }: ScheduleD): void {
  canvas.page();
  drawDraft(canvas, head.draft);
  canvas.text(36, 747.9, `Worksheets for Schedule D (Form 1040) ${head.year}`, { size: 7 });
  canvas.text(576, 747.9, 'Keep for your records', { size: 7, align: 'right' });
  canvas.line(36, 744, 576, 744, 1);
  canvas.text(36, 728, head.name, { size: 9, face: 'bold', color: ink, widthMax: 380 });
  canvas.text(576, 728, head.tin, { size: 9, face: 'bold', color: ink, align: 'right', widthMax: 130 });
  canvas.text(36, 696, `Capital Loss Carryover Worksheet: from ${head.year} to ${head.year + 1}`, {
    size: 11,
    face: 'bold',
  });
  const print = (amount: Cents): string => printAmount(amount, head.wholeDollars);
  carryoverWords.forEach(([line, text], index) => {
    const shown = line === 1 && !head.incomeKnown ? 'not known' : print(carryover.lines[line]);
    drawWorksheetLine(canvas, 676 - index * 18, String(line), text, shown);
  });
  if (!head.incomeKnown) {
    const note = 'Taxable income is not in your records. It is assumed to be large enough for the whole deduction.';
    canvas.text(36, 440, note, { size: 8, face: 'italic' });
  }
  canvas.text(36, 404, '28% Rate Gain Worksheet (line 18)', { size: 11, face: 'bold' });
  const rows: readonly [string, string, Cents][] = [
    ['1', 'Collectibles gain or (loss) from Form 8949, Part II (code C)', rateGain.collectibles],
    ['5', 'Long-term capital loss carryover', rateGain.carryover],
    ['6', 'Loss, if any, on line 7', rateGain.shortLoss],
    ['7', 'Combine the lines; not less than zero', rateGain.rateGain],
  ];
  rows.forEach(([line, text, amount], index) => {
    drawWorksheetLine(canvas, 384 - index * 18, line, text, print(amount));
  });
  const note =
    'Lines 2 to 4 need section 1202 exclusions, Forms 2439, 4684 and 6252, and Form 1099-DIV box 2d, which are not in your records.';
  canvas.text(36, 310, note, { size: 8, face: 'italic' });
}

const carryoverWords: readonly (readonly [line: CarryoverLine, text: string])[] = [
  [1, 'Taxable income; it may be negative'],
  [2, 'Loss on line 21, as a positive amount'],
  [3, 'Combine lines 1 and 2; not less than zero'],
  [4, 'The smaller of line 2 or line 3'],
  [5, 'Loss on line 7, as a positive amount'],
  [6, 'Gain, if any, on line 15'],
  [7, 'Add lines 4 and 6'],
  [8, '*Short-term capital loss carryover*: line 5 less line 7'],
  [9, 'Loss on line 15, as a positive amount'],
  [10, 'Gain, if any, on line 7'],
  [11, 'Line 4 less line 5; not less than zero'],
  [12, 'Add lines 10 and 11'],
  [13, '*Long-term capital loss carryover*: line 9 less line 12'],
];

function drawWorksheetLine(canvas: Canvas, y: number, line: string, words: string, amount: string): void {
  canvas.text(52, y, line, { size: 9, face: 'bold', align: 'right' });
  drawPrinted(canvas, 64.8, y, words, { size: 9 });
  canvas.text(574, y, amount, { size: 9, face: 'bold', color: ink, align: 'right', widthMax: 130 });
  canvas.line(36, y - 5, 576, y - 5, 0.25, [0.7, 0.7, 0.7]);
}
