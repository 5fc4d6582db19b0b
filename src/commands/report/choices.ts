import { Refusal } from '../../base/refusal.ts';
import { columnBChoices, digitalAssetChoices, type FormChoices, mergeChoices } from '../../forms/choices.ts';
import { withChoices } from '../../forms/format-choices.ts';
import type { ReportBooks, ReportFormat } from '../../forms/report.ts';
import { CommandError } from '../command.ts';
import { notOneOf, readWholeNumber } from '../options.ts';

/** The choices for a download as options of the command, with the names in the API. */
export const choiceOptions = [
  'whole-dollars',
  'column-b',
  'merge',
  'digital-assets',
  'exception1',
  'exception2',
  'lines-max',
  'part',
] as const;

export const choiceUsage = `  --whole-dollars yes   amounts in whole dollars
  --column-b CHOICE     ${columnBChoices.join(', ')}: the date acquired of lots with a tacked period
  --merge CHOICE        ${mergeChoices.join(', ')}: one row for parts of a lot sold on a day, or for all lots of a sale
  --digital-assets WHAT ${digitalAssetChoices.join(', ')}: in TXF, which has no code for them
  --exception1 yes      totals of lines that need no Form 8949 directly on Schedule D
  --exception2 yes      a row of totals for each account and box, code M, with a statement
  --lines-max NUMBER    maximum rows per file; more are split into several files in a ZIP
  --part NUMBER         only this one of those files
`;

export function readChoices(options: ReadonlyMap<string, string>): FormChoices {
  const choices = {
    wholeDollars: yesOrNo(options, 'whole-dollars'),
    columnB: readChoice(options, 'column-b', columnBChoices),
    merge: readChoice(options, 'merge', mergeChoices),
    digitalAssets: readChoice(options, 'digital-assets', digitalAssetChoices),
    exception1: yesOrNo(options, 'exception1'),
    exception2: yesOrNo(options, 'exception2'),
    linesMax: readWholeNumber(options, 'lines-max'),
    part: readWholeNumber(options, 'part'),
  };
  return Object.fromEntries(Object.entries(choices).filter(([, choice]) => choice !== undefined));
}

/** Returns the books with the choices. Reports a choice that the format does not support in a sentence. */
export function chosen(books: ReportBooks, format: ReportFormat, choices: FormChoices): ReportBooks {
  try {
    const made = withChoices(books, format, choices);
    format.fileName(made);
    return made;
  } catch (error) {
    throw error instanceof Refusal ? new CommandError(error.detail) : error;
  }
}

function readChoice<Word extends string>(
  options: ReadonlyMap<string, string>,
  name: (typeof choiceOptions)[number],
  words: readonly Word[],
): Word | undefined {
  const value = options.get(name);
  const word = words.find((one) => one === value);
  if (value !== undefined && word === undefined) throw notOneOf(name, words);
  return word;
}

function yesOrNo(options: ReadonlyMap<string, string>, name: (typeof choiceOptions)[number]): boolean | undefined {
  const word = readChoice(options, name, ['yes', 'no']);
  return word === undefined ? undefined : word === 'yes';
}
