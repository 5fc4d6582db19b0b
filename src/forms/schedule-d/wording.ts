import type { ScheduleDLineId, ScheduleDRowId } from './schedule-d.ts';

/**
 * The text of the lines on page 1 of Schedule D. The wording is by the Internal Revenue Service, a work of the United
 * States Government.
 */
export interface RowWords {
  readonly id: ScheduleDRowId | Exclude<ScheduleDLineId, '16' | '18' | '21'> | '5' | '12';
  readonly text: readonly string[];
  readonly columns: boolean;
}

export function listRowWords(year: number, part: 1 | 2): readonly RowWords[] {
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
