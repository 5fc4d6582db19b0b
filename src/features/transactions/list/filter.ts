import { type TSchema, t } from 'elysia';
import { transactionTypes } from '../../../engine/model.ts';
import { isUuid, parseDayParameter } from '../../../http/errors.ts';
import { day, oneOf, parameterValues, severalParameter, year, yearParameter } from '../../../http/schemas.ts';
import type { Filter } from './queries.ts';

const filter = (description: string) => t.Optional(t.String({ maxLength: 200, description }));

const descriptions = {
  asset: 'The asset given, received or paid as a fee.',
  type: 'The transaction type.',
  account: 'The account of the transaction, or the one it moves to.',
};

/** The filters for a list of transactions that take one value. They are used in queries and bodies. */
const single = {
  from: t.Optional(day),
  to: t.Optional(t.String({ description: 'The first day after the range (exclusive).' })),
  importId: filter('Only transactions from this import.'),
  needsReview: t.Optional(
    t.Boolean({ description: 'true: only transactions that need review. false: only the others.' }),
  ),
  q: filter('Part of the asset, its name, the account, type, note or source ID.'),
  ids: t.Optional(
    t.String({ maxLength: 40_000, description: 'Only transactions with these ids, separated by commas.' }),
  ),
};

/** The query parameters that filter a list of transactions. If a parameter has several values, any of them matches. */
export const filterParameters = {
  ...single,
  asset: t.Optional(severalParameter({ description: descriptions.asset })),
  type: t.Optional(severalParameter({ description: descriptions.type, words: transactionTypes })),
  account: t.Optional(severalParameter({ description: descriptions.account })),
  year: t.Optional(yearParameter),
};

const oneOrMore = <Item extends TSchema>(item: Item, description: string) =>
  t.Optional(t.Union([item, t.Array(item, { minItems: 1, maxItems: 50 })], { description }));

/** The same filters as properties of a request body. */
export const filterMembers = {
  ...single,
  asset: oneOrMore(t.String({ maxLength: 200 }), descriptions.asset),
  type: oneOrMore(oneOf(transactionTypes), descriptions.type),
  account: oneOrMore(t.String({ maxLength: 200 }), descriptions.account),
  year: t.Optional(year),
};

export interface FilterQuery {
  readonly from?: string;
  readonly to?: string;
  readonly asset?: string | readonly string[];
  readonly type?: string | readonly string[];
  readonly account?: string | readonly string[];
  readonly importId?: string;
  readonly year?: number;
  readonly needsReview?: boolean;
  readonly q?: string;
  readonly ids?: string;
}

/** Adds all values of repeated parameters to the query. */
export function addRepeatedParameters(request: Request, asked: FilterQuery): FilterQuery {
  const values = {
    asset: parameterValues(request, 'asset'),
    type: parameterValues(request, 'type', transactionTypes),
    account: parameterValues(request, 'account'),
  };
  return { ...asked, ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) };
}

export function toListFilter(asked: FilterQuery, today: string): Filter {
  const inYear = asked.year === undefined ? null : { from: `${asked.year}-01-01`, before: `${asked.year + 1}-01-01` };
  const [from, before] = [parseDayParameter('from', asked.from), parseDayParameter('to', asked.to)];
  return {
    from: later(from, inYear?.from ?? null),
    before: earlier(before, inYear?.before ?? null),
    assets: toValueList(asked.asset),
    accounts: toValueList(asked.account),
    types: toValueList(asked.type),
    importId: asked.importId === undefined ? null : toImportId(asked.importId),
    review: asked.needsReview === undefined ? null : { wanted: asked.needsReview, today },
    text: asked.q === undefined || asked.q === '' ? null : asked.q,
    // An invalid id matches nothing, like the id of another user's transaction.
    ids: asked.ids === undefined ? null : asked.ids.split(',').filter(isUuid),
  };
}

function toValueList(asked: string | readonly string[] | undefined): readonly string[] | null {
  return asked === undefined ? null : typeof asked === 'string' ? [asked] : asked;
}

/** Returns the import id, or an id that matches nothing if it is invalid, as for another user's import. */
export function toImportId(id: string): string {
  return isUuid(id) ? id : noImport;
}

const noImport = '00000000-0000-0000-0000-000000000000';

function later(a: string | null, b: string | null): string | null {
  return a === null ? b : b === null || a > b ? a : b;
}

function earlier(a: string | null, b: string | null): string | null {
  return a === null ? b : b === null || a < b ? a : b;
}
