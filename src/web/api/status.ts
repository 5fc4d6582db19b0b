import { api, unwrapResponse } from './api.ts';
import { useResource } from './resource.ts';

/** Counts for the navigation badges, in one request. */
export const useStatus = () => useResource('status', () => unwrapResponse(api.status.get()));

/** Returns the number of items that Review lists for a year or for all years. Undefined while it is unknown. */
export const useReviewCount = (year: number | 'all' | null): number | undefined => useReviewTotal(year)?.count;

/** Returns the number of items that Review lists, and the amounts at stake. Undefined while they are unknown. */
export function useReviewTotal(year: number | 'all' | null) {
  const query = { limit: 1, ...(typeof year === 'number' ? { year } : {}) };
  const key = year === null ? null : `review count ${year}`;
  return useResource(key, () => unwrapResponse(api.tax.issues.causes.get({ query }))).data?.total;
}
