import type { Cents } from '../../base/decimal.ts';
import { printAmount } from '../amounts.ts';
import { drawDraft, type FormHead, ink } from '../form-8949/form.ts';
import type { Canvas } from '../pdf/canvas.ts';
import { checkBoxes, drawScheduleDBack } from './blank-back.ts';
import { drawScheduleDFront } from './blank-front.ts';
import { drawWorksheets } from './form-worksheets.ts';
import { amountColumns, getFieldBottoms, getFundBoxes, summaryBottoms, summaryColumn } from './layout.ts';
import type { ScheduleD } from './schedule-d.ts';

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
