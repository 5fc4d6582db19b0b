import { t } from 'elysia';
import { boxes } from '../../engine/model.ts';
import { day, oneOf, yearParameter } from '../../http/schemas.ts';
import { importAsked } from '../transactions/list/filter.ts';
import { type LineFilter, lineSorts } from './queries.ts';
import { spanOf } from './span.ts';

const filter = (description: string) => t.Optional(t.String({ maxLength: 200, description }));

/** The parameters by which lines of Form 8949 are narrowed and sorted. */
export const lineParameters = {
  year: t.Optional(yearParameter),
  from: t.Optional(day),
  to: t.Optional(t.String({ description: 'A day; it is not included.' })),
  asset: filter('The asset that was disposed of.'),
  account: filter('The account of the line.'),
  term: t.Optional(oneOf(['short', 'long'])),
  box: t.Optional(oneOf(boxes)),
  code: t.Optional(t.String({ pattern: '^[A-Z]$', description: 'A letter of column (f): `W` for wash sales.' })),
  importId: filter('Lines whose sale or purchase stands in this import.'),
  q: filter('A part of asset or account.'),
  sort: t.Optional(oneOf(lineSorts, 'By the day of recognition, unless it says otherwise.')),
};

export interface LinesAsked {
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

export function lineFilterOf(asked: LinesAsked): LineFilter {
  return {
    ...spanOf(asked),
    asset: asked.asset ?? null,
    account: asked.account ?? null,
    term: asked.term ?? null,
    box: asked.box ?? null,
    code: asked.code ?? null,
    importId: asked.importId === undefined ? null : importAsked(asked.importId),
    text: asked.q === undefined || asked.q === '' ? null : asked.q,
  };
}
