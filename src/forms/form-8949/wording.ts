import { printedRows } from '../pdf/printed.ts';

/**
 * The text printed on Form 8949, a work of the United States Government. `*bold*`, `_italic_`, `^bold italic^`. `to` is
 * the right end of the line on the official form. Heights are for Part I. Part II is 36 points higher.
 */
export interface PrintedLine {
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

export function buildFormWording(year: number, part: 1 | 2): Wording {
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
