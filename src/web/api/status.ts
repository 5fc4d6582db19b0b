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

/** An account in the form that GET /tax/accounts returns. */
export type BooksAccountRow = Awaited<ReturnType<typeof readAccounts>>['data'][number];

const readAccounts = () => unwrapResponse(api.tax.accounts.get({ query: { limit: 1000 } }));

export const useAccounts = () => useResource('accounts', readAccounts);

/** Returns the file formats that Lotbook reads. */
export const useFormats = () => useResource('formats', () => unwrapResponse(api.formats.get()));

/** Returns the features of this server. Pages hide features that it lacks. */
export const useServerConfig = () => useResource('config', () => unwrapResponse(api.config.get()));

/** Returns whether the server can send email. Assumed until the server has responded. */
export const useSendsMail = (): boolean => useServerConfig().data?.mail ?? true;
