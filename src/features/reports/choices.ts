import { t } from 'elysia';
import { columnBChoices, digitalAssetChoices, type FormChoices, mergeChoices } from '../../forms/choices.ts';
import { partsMax } from '../../forms/exports/tabular.ts';
import { reportFormats } from '../../forms/index.ts';
import { oneOf, wholeParameter } from '../../http/schemas.ts';

const formatIds = reportFormats.map((format) => format.id);
const flag = (description: string) => t.Optional(t.Boolean({ description }));
const linesMaxMax = 1_000_000;

/** The query of a download: the format and its options. A format accepts only the options that it uses. */
export const choicesQuery = {
  format: t.Optional(
    oneOf(formatIds, 'Without it `Accept` decides (application/pdf, text/csv, application/json), else it is 8949.'),
  ),
  wholeDollars: flag('Amounts in whole dollars; without it as elected.'),
  columnB: t.Optional(
    oneOf(
      columnBChoices,
      'Date acquired of lots whose holding period is not their own: the day it began where that decides the term (default), that day always, or the trade date.',
    ),
  ),
  merge: t.Optional(
    oneOf(
      mergeChoices,
      'One row for parts of a lot sold on one day, or for all lots of a sale (VARIOUS where their dates differ). Default: a row a line.',
    ),
  ),
  digitalAssets: t.Optional(
    oneOf(
      digitalAssetChoices,
      'TXF has no code for boxes G to L: written as not reported (default), or left out. The warnings say which.',
    ),
  ),
  exception1: flag(
    'Totals of lines that need no Form 8949 (basis reported, no code, no adjustment) straight to Schedule D, lines 1a and 8a.',
  ),
  exception2: flag('A row of totals for each account and box, code M; the PDF of format 8949 carries the statement.'),
  linesMax: t.Optional(
    wholeParameter('linesMax', {
      minimum: 1,
      maximum: linesMaxMax,
      description:
        'Rows of one file. More rows make several files, in a ZIP; without it TaxAct gets 2,000 a file, TurboTax 4,000, and the others one file.',
    }),
  ),
  part: t.Optional(
    wholeParameter('part', { minimum: 1, maximum: partsMax, description: 'Of those files only this one, from 1.' }),
  ),
};

export function choicesOf({
  format: _format,
  client: _client,
  ...choices
}: FormChoices & { readonly format?: string; readonly client?: string }): FormChoices {
  return choices;
}
