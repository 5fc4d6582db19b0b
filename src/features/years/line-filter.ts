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
  q: filter('Part of an asset, its name, or an account.'),
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

export function toLineFilter(asked: LinesQuery): LineFilter {
  return {
    ...toDayRange(asked),
    asset: asked.asset ?? null,
    account: asked.account ?? null,
    term: asked.term ?? null,
    box: asked.box ?? null,
    code: asked.code ?? null,
    importId: asked.importId === undefined ? null : toImportId(asked.importId),
    text: asked.q === undefined || asked.q === '' ? null : asked.q,
  };
}
