import { transactionTypes } from '../../../engine/transaction-types.ts';
import { api, type DataOf, type ItemOf, unwrapResponse } from '../../api/api.ts';
import type { DayGroup } from './days.ts';

/** A row of the list. */
export type ListedTransaction = ItemOf<typeof api.transactions.get>;
/** A transaction with its sources and effects. */
export type TransactionStory = DataOf<ReturnType<typeof api.transactions>['get']>;

type DaysQuery = NonNullable<NonNullable<Parameters<typeof api.transactions.days.get>[0]>['query']>;
/** The filters of the list, under the same names in the URL. `to` is exclusive. */
export type ListFilter = Omit<DaysQuery, 'client'>;

export const filterNames = [
  'q',
  'from',
  'to',
  'type',
  'asset',
  'account',
  'importId',
  'needsReview',
  'ids',
] as const satisfies readonly (keyof ListFilter)[];
type FilterName = (typeof filterNames)[number];
/** Changes to the filters. An empty value removes one, and `all` removes the limit to a tax year. */
export type FilterChange = Readonly<Partial<Record<FilterName | 'years', string | readonly string[]>>>;

/** Reads the filters from the URL. Unknown values are ignored, so a mistyped URL still shows a list. */
export function readListFilter(address: URLSearchParams, year: number | null): ListFilter {
  const query: Readonly<Record<string, string>> = Object.fromEntries(address);
  const several = (name: 'asset' | 'account') => {
    const values = address.getAll(name).filter(Boolean);
    return values.length === 0 ? {} : { [name]: values };
  };
  const day = (name: 'from' | 'to') => (/^\d{4}-\d\d-\d\d$/.test(query[name] ?? '') ? { [name]: query[name] } : {});
  const text = (name: FilterName) => (query[name] ? { [name]: query[name] } : {});
  const types = transactionTypes.filter((each) => address.getAll('type').includes(each));
  return {
    ...text('q'),
    ...(year === null ? {} : { year }),
    ...day('from'),
    ...day('to'),
    ...(types.length === 0 ? {} : { type: types }),
    ...several('asset'),
    ...several('account'),
    ...text('importId'),
    ...(query.needsReview === 'true' || query.needsReview === 'false'
      ? { needsReview: query.needsReview === 'true' }
      : {}),
    ...text('ids'),
  };
}

const listSorts = ['-date', 'date', '-amount', 'amount', 'asset', '-asset'] as const;
export type ListSort = (typeof listSorts)[number];

/** Returns the sort order, which is newest first by default. */
export function readSort(address: URLSearchParams): ListSort {
  return listSorts.find((each) => each === address.get('sort')) ?? '-date';
}

/** Returns the groups of the list in order: its days, or one group for everything if it is not sorted by date. */
export async function readDays(filter: ListFilter, sort: ListSort): Promise<readonly DayGroup[]> {
  const { count, days } = await unwrapResponse(api.transactions.days.get({ query: filter }));
  if (isByDate(sort)) return sort === 'date' ? days : days.toReversed();
  return count === 0 ? [] : [{ date: null, count }];
}

export const isByDate = (sort: ListSort): boolean => sort === 'date' || sort === '-date';

interface RowsQuery {
  readonly filter: ListFilter;
  readonly sort: ListSort;
  /** The day at which the list starts, in its order. Null starts at the beginning. */
  readonly date: string | null;
  readonly offset: number;
  readonly limit: number;
}

export function readRows({ filter, sort, date, offset, limit }: RowsQuery) {
  const bound = date === null ? {} : sort === 'date' ? { from: date } : { to: dayAfter(date) };
  return api.transactions.get({ query: { ...filter, ...bound, sort, offset, limit } });
}

/** Returns the first ids in the list. */
export async function readIds(filter: ListFilter, sort: ListSort, limit: number): Promise<string[]> {
  const { data } = await unwrapResponse(api.transactions.get({ query: { ...filter, sort, limit } }));
  return data.map(({ id }) => id);
}

/** Returns the next day: `2024-02-29` → `2024-03-01`. */
export const dayAfter = (date: string): string => daysFrom(date, 1);

export const dayBefore = (date: string): string => daysFrom(date, -1);

function daysFrom(date: string, days: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10);
}
