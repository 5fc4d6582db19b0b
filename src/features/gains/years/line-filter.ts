import { t } from 'elysia';
import { boxes } from '../../../engine/model.ts';
import { oneOf, type QueryOf } from '../../../http/schemas.ts';
import { spanParameters, toDayRange } from '../../../http/span.ts';
import { toImportId } from '../../ledger/transactions/list-filter.ts';
import { type LineFilter, lineSorts } from './years.queries.ts';

const filter = (description: string) => t.Optional(t.String({ maxLength: 200, description }));

/** Query parameters that filter and sort lines of Form 8949. */
export const lineParameters = {
  ...spanParameters,
  asset: filter('The asset sold.'),
  account: filter('The account of the line.'),
  term: t.Optional(oneOf(['short', 'long'])),
  box: t.Optional(oneOf(boxes)),
  code: t.Optional(
    t.String({
      pattern: '^[A-Z]$',
      'x-message': 'Enter one capital letter',
      description: 'A code letter in column (f), such as `W` for wash sales.',
    }),
  ),
  importId: filter('Lines whose sale or purchase is part of this import.'),
  q: filter('Part of an asset, its name, or an account.'),
  sort: t.Optional(oneOf(lineSorts, 'Sorted by day of recognition by default.')),
};

export function toLineFilter(parameters: QueryOf<typeof lineParameters>): LineFilter {
  return {
    ...toDayRange(parameters),
    asset: parameters.asset ?? null,
    account: parameters.account ?? null,
    term: parameters.term ?? null,
    box: parameters.box ?? null,
    code: parameters.code ?? null,
    importId: parameters.importId === undefined ? null : toImportId(parameters.importId),
    text: parameters.q === undefined || parameters.q === '' ? null : parameters.q,
  };
}
