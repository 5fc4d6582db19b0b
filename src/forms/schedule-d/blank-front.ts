import type { Canvas, Color } from '../pdf/canvas.ts';
import { drawPartLabel, drawPrinted } from '../pdf/printed.ts';
import { amountColumns, getFieldBottoms, getFundBoxes } from './layout.ts';
import type { ScheduleDLineId, ScheduleDRowId } from './schedule-d.ts';

/**
 * The text printed on page 1 of Schedule D (Form 1040), at the same heights as on the official form (f1040sd for 2024
 * and 2025). The wording is by the Internal Revenue Service, a work of the United States Government.
 */

const [left, right] = [36, 576] as const;
const shade: Color = [0.75, 0.75, 0.75];

export function drawScheduleDFront(canvas: Canvas, year: number): void {
  drawHead(canvas, year);
  drawPart(canvas, year, 1, 648);
  drawPart(canvas, year, 2, 360);
  const bottom = getFieldBottoms(year)['15'];
  canvas.line(left, bottom, right, bottom, 1);
  const notice = 'For Paperwork Reduction Act Notice, see your tax return instructions.';
  canvas.text(left, bottom - 9.6, notice, { size: 8, face: 'bold', stretchTo: 266 });
  canvas.text(359.4, bottom - 9.6, 'Cat. No. 11338H', { size: 7, align: 'center' });
  canvas.text(right, bottom - 9.6, `Schedule D (Form 1040) ${year}`, { size: 7.5, face: 'bold', align: 'right' });
}

function drawHead(canvas: Canvas, year: number): void {
  canvas.text(36, 748.9, 'SCHEDULE D', { size: 10, face: 'bold' });
  canvas.text(36, 737.9, '(Form 1040)', { size: 10, face: 'bold' });
  canvas.text(36, 708.4, 'Department of the Treasury', { size: 6.8 });
  canvas.text(36, 700, 'Internal Revenue Service', { size: 6.8 });
  canvas.text(306, 745.8, 'Capital Gains and Losses', { size: 13.6, face: 'bold', align: 'center' });
  drawPrinted(canvas, 306, 727.7, '*Attach to Form 1040, 1040-SR, or 1040-NR.*', { size: 8, align: 'center' });
  drawPrinted(canvas, 306, 716.7, '*Use Form 8949 to list your transactions for lines 1b, 2, 3, 8b, 9, and 10.*', {
    size: 8,
    align: 'center',
  });
  drawPrinted(canvas, 306, 705.7, '*Go to* ^www.irs.gov/ScheduleD^ *for instructions and the latest information.*', {
    size: 8,
    align: 'center',
  });
  canvas.text(532.8, 747.4, 'OMB No. 1545-0074', { size: 7, align: 'center' });
  canvas.text(532.8, 723.7, String(year), { size: 20, face: 'bold', align: 'center', stretchTo: 50 });
  canvas.text(501.6, 710, 'Attachment', { size: 7 });
  canvas.text(501.6, 702.4, 'Sequence No.', { size: 7 });
  canvas.text(548, 702.4, '12', { size: 10, face: 'bold' });
  canvas.line(122.4, 756, 122.4, 696, 1);
  canvas.line(489.6, 756, 489.6, 696, 1);
  canvas.line(489.6, 744, right, 744);
  canvas.line(left, 696, right, 696, 1);
  canvas.text(36, 688, 'Name(s) shown on return', { size: 6.8 });
  canvas.text(457, 688, 'Your social security number', { size: 6.8, face: 'bold' });
  canvas.line(453.6, 696, 453.6, 672);
  canvas.line(left, 672, right, 672, 0.75);
  canvas.text(36, 662.6, 'Did you dispose of any investment(s) in a qualified opportunity fund during the tax year?', {
    size: 9,
    stretchTo: 353,
  });
  canvas.text(
    36,
    651.4,
    'If “Yes,” attach Form 8949 and see its instructions for additional requirements for reporting your gain or loss.',
    { size: 9, stretchTo: 436 },
  );
  const [yes, no] = getFundBoxes(year);
  for (const [x, word] of [
    [yes, 'Yes'],
    [no, 'No'],
  ] as const) {
    canvas.strokeRect(x, 662, 8, 8);
    canvas.text(x + 12, 662.6, word, { size: 9, face: 'bold' });
  }
}

function drawPart(canvas: Canvas, year: number, part: 1 | 2, top: number): void {
  canvas.line(left, top, right, top, 0.75);
  drawPartLabel(canvas, top - 18, part === 1 ? 'Part I' : 'Part II');
  const title =
    part === 1
      ? '*Short-Term Capital Gains and Losses—Generally Assets Held One Year or Less* (see instructions)'
      : '*Long-Term Capital Gains and Losses—Generally Assets Held More Than One Year* (see instructions)';
  drawPrinted(canvas, 86.4, top - 15.7, title, { size: 10, to: part === 1 ? 545.7 : 557 });
  drawColumnHeads(canvas, part, top - 24);
  const bottoms = getFieldBottoms(year);
  let upper = top - 72;
  for (const row of listRowWords(year, part)) {
    const lower = bottoms[row.id];
    if (row.columns) drawAmountRow(canvas, row, upper, lower);
    else drawLineRow(canvas, row, upper, lower);
    upper = lower;
  }
}

function drawColumnHeads(canvas: Canvas, part: 1 | 2, top: number): void {
  canvas.line(left, top, right, top);
  canvas.line(left, top - 48, right, top - 48);
  const notes = [
    'See instructions for how to figure the amounts to enter on',
    'the lines below.',
    'This form may be easier to complete if you round off cents',
    'to whole dollars.',
  ];
  notes.forEach((note, index) => {
    canvas.text(36, top - 11.3 - index * 9 - (index > 1 ? 4 : 0), note, { size: 8.6 });
  });
  const forms = `Form(s) 8949, Part ${part === 1 ? 'I' : 'II'},`;
  const heads: readonly [keyof typeof amountColumns, number, string][] = [
    ['d', 18.2, '*(d)*|Proceeds|(sales price)'],
    ['e', 18.2, '*(e)*|Cost|(or other basis)'],
    ['g', 9.8, `*(g)*|Adjustments|to gain or loss from|${forms}|line 2, column (g)`],
    ['h', 9.8, '*(h) Gain or (loss)*|Subtract column (e)|from column (d) and|combine the result|with column (g)'],
  ];
  for (const [column, drop, lines] of heads) {
    const [from, to] = amountColumns[column];
    canvas.line(from, top, from, top - 48);
    lines.split('|').forEach((line, index) => {
      drawPrinted(canvas, (from + to) / 2, top - drop - index * 8.4, line, { size: 6.7, align: 'center' });
    });
  }
}

function drawAmountRow(canvas: Canvas, row: RowWords, upper: number, lower: number): void {
  const direct = row.id === '1a' || row.id === '8a';
  const [from, to] = amountColumns.g;
  if (direct) canvas.fillRect(from, lower, to - from + 0.8, upper - lower, shade);
  canvas.text(45.4, upper - 10.2, row.id, { size: 9, face: 'bold' });
  row.text.forEach((line, index) => {
    drawPrinted(canvas, 64.8, upper - 10.2 - index * 10.8, line, { size: 8.6 });
  });
  for (const [x] of Object.values(amountColumns)) canvas.line(x, upper, x, lower);
  canvas.line(left, lower, right, lower);
}

function drawLineRow(canvas: Canvas, row: RowWords, upper: number, lower: number): void {
  const first = upper - 9.6;
  canvas.text(45.4, first, row.id, { size: 9, face: 'bold' });
  row.text.forEach((line, index) => {
    drawPrinted(canvas, 64.8, first - index * 10.8, line, { size: 8.5 });
  });
  canvas.text(493.2, lower + 2.6, row.id, { size: 9, face: 'bold', align: 'center' });
  for (const x of [482.4, 504]) canvas.line(x, upper, x, lower);
  canvas.line(482.4, lower, right, lower);
  if (row.id !== '6' && row.id !== '14') return;
  canvas.text(504.7, lower + 3, '(', { size: 9 });
  canvas.text(575.8, lower + 3, ')', { size: 9, align: 'right' });
}

/**
 * The text of the lines on page 1 of Schedule D. The wording is by the Internal Revenue Service, a work of the United
 * States Government.
 */
interface RowWords {
  readonly id: ScheduleDRowId | Exclude<ScheduleDLineId, '16' | '18' | '21'> | '5' | '12';
  readonly text: readonly string[];
  readonly columns: boolean;
}

function listRowWords(year: number, part: 1 | 2): readonly RowWords[] {
  const [term, first, second, third, a, b, c] =
    part === 1
      ? (['short-term', '1b', '2', '3', ['A', 'G'], ['B', 'H'], ['C', 'I']] as const)
      : (['long-term', '8b', '9', '10', ['D', 'J'], ['E', 'K'], ['F', 'L']] as const);
  const boxRow = (id: RowWords['id'], [old, added]: readonly [string, string]): RowWords => ({
    id,
    columns: true,
    text: [
      'Totals for all transactions reported on Form(s) 8949',
      `with *Box ${old}*${year <= 2024 ? '' : ` or *Box ${added}*`} checked`,
    ],
  });
  const rows = [
    {
      id: part === 1 ? ('1a' as const) : ('8a' as const),
      columns: true,
      text: (year <= 2024 ? directUntil2024 : directFrom2025)(term, first),
    },
    boxRow(first, a),
    boxRow(second, b),
    boxRow(third, c),
  ];
  return [...rows, ...(part === 1 ? shortLines : longLines)];
}

function directFrom2025(term: string, first: string): readonly string[] {
  return [
    `Totals for all ${term} transactions reported on`,
    'Form 1099-B or Form 1099-DA for which basis was',
    'reported to the IRS and for which you have no',
    'adjustments (see instructions). However, if you',
    'choose to report all these transactions on Form 8949,',
    `leave this line blank and go to line ${first}`,
  ];
}

/** Returns the text for lines 1a and 8a through 2024, when they were five lines high. */
function directUntil2024(term: string, first: string): readonly string[] {
  return [
    `Totals for all ${term} transactions reported on Form`,
    '1099-B for which basis was reported to the IRS and for',
    'which you have no adjustments (see instructions).',
    'However, if you choose to report all these transactions',
    `on Form 8949, leave this line blank and go to line ${first}`,
  ];
}

const shortLines: readonly RowWords[] = [
  lineRow('4', 'Short-term gain from Form 6252 and short-term gain or (loss) from Forms 4684, 6781, and 8824'),
  lineRow('5', partnershipText('short-term')),
  lineRow('6', ...carryoverText('Short-term', '8')),
  lineRow(
    '7',
    '*Net short-term capital gain or (loss).* Combine lines 1a through 6 in column (h). If you have any',
    'long-term capital gains or losses, go to Part II below. Otherwise, go to Part III on the back',
  ),
];

const longLines: readonly RowWords[] = [
  lineRow(
    '11',
    'Gain from Form 4797, Part I; long-term gain from Forms 2439 and 6252; and long-term gain or (loss)',
    'from Forms 4684, 6781, and 8824',
  ),
  lineRow('12', partnershipText('long-term')),
  lineRow('13', 'Capital gain distributions. See the instructions'),
  lineRow('14', ...carryoverText('Long-term', '13')),
  lineRow(
    '15',
    '*Net long-term capital gain or (loss).* Combine lines 8a through 14 in column (h). Then, go to Part III',
    'on the back',
  ),
];

function lineRow(id: RowWords['id'], ...text: readonly string[]): RowWords {
  return { id, columns: false, text };
}

function partnershipText(term: string): string {
  return `Net ${term} gain or (loss) from partnerships, S corporations, estates, and trusts from Schedule(s) K-1`;
}

function carryoverText(term: string, line: string): readonly string[] {
  return [
    `${term} capital loss carryover. Enter the amount, if any, from line ${line} of your *Capital Loss*`,
    '*Carryover Worksheet* in the instructions',
  ];
}
