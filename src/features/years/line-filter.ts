import { t } from 'elysia';
import { boxes } from '../../engine/model.ts';
import { day, oneOf, yearParameter } from '../../http/schemas.ts';
import { toImportId } from '../transactions/list/filter.ts';
import { type LineFilter, lineSorts } from './queries.ts';
import { toDayRange } from './span.ts';

const filter = (description: string) => t.Optional(t.String({ maxLength: 200, description }));

/** Query parameters that filter and sort lines of Form 8949. */
export const lineParameters = {
  year: t.Optional(yearParameter),
  from: t.Optional(day),
  to: t.Optional(t.String({ description: 'A day (exclusive).' })),
  asset: filter('The asset sold.'),
  account: filter('The account of the line.'),
  term: t.Optional(oneOf(['short', 'long'])),
  box: t.Optional(oneOf(boxes)),
  code: t.Optional(
    t.String({ pattern: '^[A-Z]$', description: 'A code letter in column (f), such as `W` for wash sales.' }),
  ),
  importId: filter('Lines whose sale or purchase is part of this import.'),
  q: filter('Part of an asset or account name.'),
  sort: t.Optional(oneOf(lineSorts, 'Sorted by day of recognition by default.')),
};

export interface LinesQuery {
  readonly year?: number;
  readonly from?: string;
  readonly to?: string;
  readonly asset?: string;
  readonly account?: string;
  readonly term?: 'short' | 'long';
  readonly box?: string;
  readonly code?: string;
  readonly importId?: string;
  readonly q?: string;
}

export function toLineFilter(parameters: LinesQuery): LineFilter {
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
