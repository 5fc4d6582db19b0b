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

export interface Wording {
  readonly before: readonly PrintedLine[];
  readonly part: readonly PrintedLine[];
  readonly check: readonly PrintedLine[];
  readonly boxes: readonly PrintedLine[];
  readonly totals: readonly PrintedLine[];
  readonly note: readonly PrintedLine[];
}

export function buildFormWording(year: number, part: 1 | 2): Wording {
  return year <= 2024
    ? { ...introUntil2024(part), ...tableUntil2024(part) }
    : { ...introFrom2025(part), ...tableFrom2025(part) };
}

/** Returns the text above the check boxes. */
function introUntil2024(part: 1 | 2): Pick<Wording, 'before' | 'part' | 'check'> {
  const [short, [first, second, third], line] = part === 1 ? SHORT : LONG;
  return {
    before: lines(36, [673.6, 663.6, 653.6], 8.2, [
      [
        556,
        `_Before you check Box ${first}, ${second}, or ${third} below, see whether you received any Form(s) 1099-B or substitute statement(s) from your broker. A substitute_`,
      ],
      [
        565,
        '_statement will have the same information as Form 1099-B. Either will show whether your basis (usually your cost) was reported to the IRS by your_',
      ],
      [216, '_broker and may even tell you which box to check._'],
    ]),
    part: lines(
      86.2,
      [637.8, 626.8, 613.8, 602.8, 591.8],
      10,
      partWords(part, [
        [
          part === 1 ? 536.1 : 573.5,
          `*Note:* You may aggregate all ${short} transactions reported on Form(s) 1099-B showing basis was${part === 1 ? '' : ' reported'}`,
        ],
        [
          part === 1 ? 528.1 : 562.6,
          `${part === 1 ? 'reported ' : ''}to the IRS and for which no adjustments or codes are required. Enter the totals directly on${part === 1 ? '' : ' Schedule D, line'}`,
        ],
        [
          part === 1 ? 534.8 : 459.4,
          `${part === 1 ? 'Schedule D, line ' : ''}${line}a; you aren’t required to report these transactions on Form 8949 (see instructions).`,
        ],
      ]),
    ),
    check: lines(36, [577.6, 567.6, 557.6], 9, [
      [
        part === 1 ? 538.2 : 536.8,
        `*You* ^must^ *check Box ${first}, ${second},* ^or^ *${third} below. Check only one box.* If more than one box applies for your ${short} transactions,`,
      ],
      ...completeWords(part, short),
    ]),
  };
}

/** Returns the text for the check boxes and below the rows. */
function tableUntil2024(part: 1 | 2): Pick<Wording, 'boxes' | 'totals' | 'note'> {
  const [, [first, second, third], line, other] = part === 1 ? SHORT : LONG;
  return {
    boxes: lines(62, [543, 531, 519.1], 9, [
      [
        515.2,
        `*(${first})* ${other} transactions reported on Form(s) 1099-B showing basis was reported to the IRS (see *Note* above)`,
      ],
      [
        456,
        `*(${second})* ${other} transactions reported on Form(s) 1099-B showing basis *wasn’t* reported to the IRS`,
      ],
      [320.4, `*(${third})* ${other} transactions not reported to you on Form 1099-B`],
    ]),
    totals: lines(52.4, [90.1, 81.1, 72.1, 63.1], 7.4, [
      [266.4, '*Totals.* Add the amounts in columns (d), (e), (g), and (h) (subtract'],
      [266.4, 'negative amounts). Enter each total here and include on your'],
      [
        266.4,
        `Schedule D, *line ${line}b* (if *Box ${first}* above is checked), *line ${part === 1 ? 2 : 9}* (if *Box ${second}*`,
      ],
      [240, `above is checked), or *line ${part === 1 ? 3 : 10}* (if *Box ${third}* above is checked)`],
    ]),
    note: lines(36, [50, 40.5], 8, [
      [
        576,
        `*Note:* If you checked Box ${first} above but the basis reported to the IRS was incorrect, enter in column (e) the basis as reported to the IRS, and enter an`,
      ],
      [
        524.3,
        'adjustment in column (g) to correct the basis. See _Column (g)_ in the separate instructions for how to figure the amount of the adjustment.',
      ],
    ]),
  };
}

/** Returns the text above the check boxes. */
function introFrom2025(part: 1 | 2): Pick<Wording, 'before' | 'part' | 'check'> {
  const [short, [a, b, c, g, h, i], line] = part === 1 ? SHORT : LONG;
  const all = `${a}, ${b}, ${c}, ${g}, ${h}, or ${i}`;
  return {
    before: lines(36, [673.8, 663, 652.2], 9, [
      [
        575.5,
        `_Before you check Box ${all} below, see whether you received any Form(s) 1099-B, Form(s) 1099-DA, or substitute statement(s)_`,
      ],
      [
        564.5,
        '_from your broker. A substitute statement will have the same information as Form 1099-B or Form 1099-DA. They will show whether your_',
      ],
      [
        449,
        '_basis (usually your cost) was reported to the IRS by your broker and may even tell you which box to check._',
      ],
    ]),
    part: lines(
      86.4,
      [638.8, 626.8, 612.8, 601.8, 590.8, 579.8],
      10,
      partWords(part, [
        [
          part === 1 ? 547.6 : 544.1,
          `*Note:* You may aggregate all ${short} transactions reported on Form(s) 1099-B and Form(s) 1099-DA`,
        ],
        [
          566.3,
          'showing basis was reported to the IRS and for which no adjustments or codes are required. Enter the totals',
        ],
        [
          524.6,
          `directly on Schedule D, line ${line}a; you aren’t required to report these transactions on Form 8949 (see`,
        ],
        [143.6, 'instructions).'],
      ]),
    ),
    check: lines(36, [565.8, 555, 544.2], 9, [
      [
        part === 1 ? 569.6 : 565.7,
        `*You* ^must^ *check Box ${all} below. Check only one box.* If more than one box applies for your ${short} transactions,`,
      ],
      ...completeWords(part, short),
    ]),
  };
}

/** Returns the text for the check boxes and below the rows. */
function tableFrom2025(part: 1 | 2): Pick<Wording, 'boxes' | 'totals' | 'note'> {
  const [, [a, b, c, g, h, i], line, other] = part === 1 ? SHORT : LONG;
  return {
    boxes: lines(63, [531, 519, 507.1, 495, 483, 471], 9, [
      [
        520.2,
        `*(${a})* ${other} transactions reported on *Form(s) 1099-B* showing basis *was* reported to the IRS (see *Note* above)`,
      ],
      [
        465.3,
        `*(${b})* ${other} transactions reported on *Form(s) 1099-B* showing basis *was not* reported to the IRS`,
      ],
      [
        548.9,
        `*(${c})* ${other} transactions, other than digital asset transactions, not reported to you on *Form 1099-B* or *Form 1099-DA*`,
      ],
      [
        527.4,
        `*(${g})* ${other} transactions reported on *Form(s) 1099-DA* showing basis *was* reported to the IRS (see *Note* above)`,
      ],
      [
        472.2,
        `*(${h})* ${other} transactions reported on *Form(s) 1099-DA* showing basis *was not* reported to the IRS`,
      ],
      [444.5, `*(${i})* ${other} digital asset transactions not reported to you on *Form 1099-DA* or *Form 1099-B*`],
    ]),
    totals: lines(54, [118.7, 107.9, 97.1, 86.3, 75.5], 8.9, [
      [266.4, '*Totals.* Add the amounts in columns (d), (e), (g), and (h)'],
      [266.4, '(subtract negative amounts). Enter each total here and'],
      [266.4, `include on your Schedule D, *line ${line}b* (if *Box ${a}* or *Box ${g}*`],
      [266.4, `above is checked), *line ${part === 1 ? 2 : 9}* (if *Box ${b}* or *Box ${h}* above is`],
      [266, `checked), or *line ${part === 1 ? 3 : 10}* (if *Box ${c}* or *Box ${i}* above is checked)`],
    ]),
    note: lines(36, [62, 52.4], 8, [
      [
        566.6,
        `*Note:* If you checked Box ${a} or Box ${g} above but the basis reported to the IRS was incorrect, enter in column (e) the basis as reported to the IRS, and`,
      ],
      [
        555.7,
        'enter an adjustment in column (g) to correct the basis. See _Column (g)_ in the separate instructions for how to figure the amount of the adjustment.',
      ],
    ]),
  };
}

/**
 * The term within a sentence, the part's boxes, the number of the Schedule D lines a and b, and the term at the start
 * of a sentence.
 */
type PartWords = readonly [string, readonly [string, string, string, string, string, string], 1 | 8, string];
const SHORT: PartWords = ['short-term', ['A', 'B', 'C', 'G', 'H', 'I'], 1, 'Short-term'];
const LONG: PartWords = ['long-term', ['D', 'E', 'F', 'J', 'K', 'L'], 8, 'Long-term'];

type Worded = readonly [to: number, text: string];

function partWords(part: 1 | 2, note: readonly Worded[]): readonly Worded[] {
  const opening: readonly Worded[] =
    part === 1
      ? [
          [
            544.2,
            '*Short-Term.* Transactions involving capital assets you held 1 year or less are generally short-term (see',
          ],
          [322.5, 'instructions). For long-term transactions, see page 2.'],
        ]
      : [
          [
            554.8,
            '*Long-Term.* Transactions involving capital assets you held more than 1 year are generally long-term (see',
          ],
          [326.1, 'instructions). For short-term transactions, see page 1.'],
        ];
  return [...opening, ...note];
}

function completeWords(part: 1 | 2, short: string): readonly Worded[] {
  return [
    [
      part === 1 ? 562.8 : 560.8,
      `complete a separate Form 8949, page ${part}, for each applicable box. If you have more ${short} transactions than will fit on this page`,
    ],
    [422.3, 'for one or more of the boxes, complete as many forms with the same box checked as you need.'],
  ];
}

function lines(x: number, heights: readonly number[], size: number, texts: readonly Worded[]): PrintedLine[] {
  return texts.map(([to, text], index) => ({ x, y: heights[index] ?? 0, to, size, text }));
}
