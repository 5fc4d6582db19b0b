import { transactionTypes } from '../../../engine/transaction-types.ts';
import { api, got } from '../../api/api.ts';
import type { DayGroup } from './days.ts';

/** A row of the list. */
export type ListedTransaction = Awaited<ReturnType<typeof readRows>>['data'][number];
/** One with all that it came from and all that became of it. */
export type TransactionStory = Awaited<ReturnType<typeof readStory>>;

type DaysQuery = NonNullable<NonNullable<Parameters<typeof api.transactions.days.get>[0]>['query']>;
/** What narrows the list. It stands in the address under the same names; `to` is not included. */
export type ListFilter = Omit<DaysQuery, 'client'>;

export const filterNames = [
  'q',
  'year',
  'from',
  'to',
  'type',
  'asset',
  'account',
  'importId',
  'needsReview',
  'ids',
] as const satisfies readonly (keyof ListFilter)[];
export type FilterName = (typeof filterNames)[number];

/** What of an address is a filter. What is none is left out: a mistyped address still shows a list. */
export function filterOf(query: Readonly<Record<string, string>>): ListFilter {
  const day = (name: 'from' | 'to') => (/^\d{4}-\d\d-\d\d$/.test(query[name] ?? '') ? { [name]: query[name] } : {});
  const text = (name: FilterName) => (query[name] ? { [name]: query[name] } : {});
  const type = transactionTypes.find((each) => each === query.type);
  return {
    ...text('q'),
    ...(/^\d{4}$/.test(query.year ?? '') ? { year: Number(query.year) } : {}),
    ...day('from'),
    ...day('to'),
    ...(type === undefined ? {} : { type }),
    ...text('asset'),
    ...text('account'),
    ...text('importId'),
    ...(query.needsReview === 'true' || query.needsReview === 'false'
      ? { needsReview: query.needsReview === 'true' }
      : {}),
    ...text('ids'),
  };
}

/** The days of the list, in its order. */
export async function readDays(filter: ListFilter, isOldestFirst: boolean): Promise<readonly DayGroup[]> {
  const { days } = await got(api.transactions.days.get({ query: filter }));
  return isOldestFirst ? days : days.toReversed();
}

interface RowsAsked {
  readonly filter: ListFilter;
  readonly isOldestFirst: boolean;
  /** The list from this day on, in its order. */
  readonly date: string;
  readonly offset: number;
  readonly limit: number;
}

export function readRows({ filter, isOldestFirst, date, offset, limit }: RowsAsked) {
  const bound = isOldestFirst ? { from: date } : { to: dayAfter(date) };
  return got(
    api.transactions.get({
      query: { ...filter, ...bound, sort: isOldestFirst ? 'date' : '-date', offset, limit },
    }),
  );
}

/** The first ids of the list. */
export async function readIds(filter: ListFilter, limit: number): Promise<string[]> {
  const { data } = await got(api.transactions.get({ query: { ...filter, limit } }));
  return data.map(({ id }) => id);
}

export function readStory(id: string) {
  return got(api.transactions({ id }).get());
}

/** `2024-02-29` → `2024-03-01`. */
export function dayAfter(date: string): string {
  return daysFrom(date, 1);
}

export function dayBefore(date: string): string {
  return daysFrom(date, -1);
}

function daysFrom(date: string, days: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10);
}
