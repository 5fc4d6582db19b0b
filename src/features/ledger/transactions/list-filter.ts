import { type TSchema, t } from 'elysia';
import { transactionTypes } from '../../../engine/model.ts';
import { isUuid } from '../../../http/errors.ts';
import { oneOf, parameterValues, type QueryOf, severalParameter, year, yearParameter } from '../../../http/schemas.ts';
import { spanParameters, toDayRange } from '../../../http/span.ts';
import type { Filter } from './list.queries.ts';

const filter = (description: string) => t.Optional(t.String({ maxLength: 200, description }));

const descriptions = {
  asset: 'The asset given, received or paid as a fee.',
  type: 'The transaction type.',
  account: 'The account of the transaction, or the one it moves to.',
};

const { from, to } = spanParameters;

/** The filters for a list of transactions that take one value. They are used in queries and bodies. */
const single = {
  from,
  to,
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

export interface FilterQuery extends QueryOf<typeof single> {
  readonly asset?: string | readonly string[];
  readonly type?: string | readonly string[];
  readonly account?: string | readonly string[];
  readonly year?: number;
}

/** Adds all values of repeated parameters to the query. */
export function addRepeatedParameters(request: Request, parameters: FilterQuery): FilterQuery {
  const values = {
    asset: parameterValues(request, 'asset'),
    type: parameterValues(request, 'type', transactionTypes),
    account: parameterValues(request, 'account'),
  };
  return { ...parameters, ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) };
}

export function toListFilter(parameters: FilterQuery, today: string): Filter {
  return {
    ...toDayRange(parameters),
    assets: toValueList(parameters.asset),
    accounts: toValueList(parameters.account),
    types: toValueList(parameters.type),
    importId: parameters.importId === undefined ? null : toImportId(parameters.importId),
    review: parameters.needsReview === undefined ? null : { wanted: parameters.needsReview, today },
    text: parameters.q === undefined || parameters.q === '' ? null : parameters.q,
    // An invalid id matches nothing, like the id of another user's transaction.
    ids: parameters.ids === undefined ? null : parameters.ids.split(',').filter(isUuid),
  };
}

function toValueList(value: string | readonly string[] | undefined): readonly string[] | null {
  return value === undefined ? null : typeof value === 'string' ? [value] : value;
}

/** Returns the import id, or an id that matches nothing if it is invalid, as for another user's import. */
export function toImportId(id: string): string {
  return isUuid(id) ? id : noImport;
}

const noImport = '00000000-0000-0000-0000-000000000000';
