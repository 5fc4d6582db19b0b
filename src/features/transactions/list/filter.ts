import { t } from 'elysia';
import { transactionTypes } from '../../../engine/model.ts';
import { dayAsked, isUuid } from '../../../http/errors.ts';
import { day, oneOf, yearParameter } from '../../../http/schemas.ts';
import type { Filter } from './queries.ts';

const filter = (description: string) => t.Optional(t.String({ maxLength: 200, description }));

/** The parameters by which a list of transactions is narrowed. */
export const filterParameters = {
  from: t.Optional(day),
  to: t.Optional(t.String({ description: 'A day; it is not included.' })),
  asset: filter('Given, received or paid as a fee.'),
  type: t.Optional(oneOf(transactionTypes)),
  account: filter('Of the row, or the one it moves to.'),
  importId: filter('Rows that come from this import.'),
  year: t.Optional(yearParameter),
  needsReview: t.Optional(t.Boolean({ description: 'Only rows that somebody should look at, or only the others.' })),
  q: filter('A part of asset, account, type, note or the source’s id.'),
  ids: t.Optional(t.String({ maxLength: 40_000, description: 'Only rows with these ids, separated by commas.' })),
};

export interface FilterAsked {
  readonly from?: string;
  readonly to?: string;
  readonly asset?: string;
  readonly type?: string;
  readonly account?: string;
  readonly importId?: string;
  readonly year?: number;
  readonly needsReview?: boolean;
  readonly q?: string;
  readonly ids?: string;
}

export function filterOf(asked: FilterAsked, today: string): Filter {
  const inYear = asked.year === undefined ? null : { from: `${asked.year}-01-01`, before: `${asked.year + 1}-01-01` };
  const [from, before] = [dayAsked('from', asked.from), dayAsked('to', asked.to)];
  return {
    from: later(from, inYear?.from ?? null),
    before: earlier(before, inYear?.before ?? null),
    asset: asked.asset ?? null,
    account: asked.account ?? null,
    type: asked.type ?? null,
    importId: asked.importId === undefined ? null : importAsked(asked.importId),
    review: asked.needsReview === undefined ? null : { wanted: asked.needsReview, today },
    text: asked.q === undefined || asked.q === '' ? null : asked.q,
    // An id that is none finds nothing, as one of somebody else's does.
    ids: asked.ids === undefined ? null : asked.ids.split(',').filter(isUuid),
  };
}

/** A filter by an import that is not there, however it is called, finds nothing, as one by somebody else's does. */
export function importAsked(id: string): string {
  return isUuid(id) ? id : noImport;
}

const noImport = '00000000-0000-0000-0000-000000000000';

function later(a: string | null, b: string | null): string | null {
  return a === null ? b : b === null || a > b ? a : b;
}

function earlier(a: string | null, b: string | null): string | null {
  return a === null ? b : b === null || a < b ? a : b;
}
