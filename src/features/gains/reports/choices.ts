import { t } from 'elysia';
import { columnBChoices, digitalAssetChoices, type FormChoices, mergeChoices } from '../../../forms/choices.ts';
import { partsMax } from '../../../forms/exports/tabular.ts';
import { reportFormats } from '../../../forms/index.ts';
import { oneOf, wholeParameter } from '../../../http/schemas.ts';

const formatIds = reportFormats.map((format) => format.id);
const flag = (description: string) => t.Optional(t.Boolean({ description }));
const linesMaxMax = 1_000_000;

/**
 * The query parameters of a download: the format and its options. Each format accepts only the options that it uses.
 */
export const choicesQuery = {
  format: t.Optional(
    oneOf(
      formatIds,
      'The default depends on `Accept` (application/pdf, text/csv, application/json) and is otherwise 8949.',
    ),
  ),
  wholeDollars: flag('Amounts in whole dollars. The default is the election in the settings.'),
  columnB: t.Optional(
    oneOf(
      columnBChoices,
      'Which date acquired to show for lots with a tacked holding period: the start of the holding period if it decides the term (default), always that day, or the trade date.',
    ),
  ),
  merge: t.Optional(
    oneOf(
      mergeChoices,
      'One row for the parts of a lot sold on one day, or for all lots of a sale (VARIOUS if their dates differ). Default: one row per line.',
    ),
  ),
  digitalAssets: t.Optional(
    oneOf(
      digitalAssetChoices,
      'TXF has no code for boxes G to L: written as not reported (default), or left out. The warnings list them.',
    ),
  ),
  exception1: flag(
    'Reports totals of lines that need no Form 8949 (basis reported, no code, no adjustment) directly on Schedule D, lines 1a and 8a.',
  ),
  exception2: flag(
    'One row of totals for each account and box, code M. The PDF of format 8949 includes the statement.',
  ),
  linesMax: t.Optional(
    wholeParameter('linesMax', {
      minimum: 1,
      maximum: linesMaxMax,
      description:
        'Maximum rows per file. More rows are split into several files in a ZIP. The default is 2,000 for TaxAct, 4,000 for TurboTax, and one file for the others.',
    }),
  ),
  part: t.Optional(
    wholeParameter('part', {
      minimum: 1,
      maximum: partsMax,
      description: 'Returns only the file with this number, counted from 1.',
    }),
  ),
};

export function pickFormChoices({
  format: _format,
  client: _client,
  ...choices
}: FormChoices & { readonly format?: string; readonly client?: string }): FormChoices {
  return choices;
}
