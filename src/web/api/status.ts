import { api, type ItemOf, useApi } from './api.ts';

/** Counts for the navigation badges, in one request. */
export const useStatus = () => useApi('status', () => api.status.get());

/** Returns the number of items that Review lists for a year or for all years. Undefined while it is unknown. */
export const useReviewCount = (year: number | 'all' | null): number | undefined => useReviewTotal(year)?.count;

/** Returns the number of items that Review lists, and the amounts at stake. Undefined while they are unknown. */
export function useReviewTotal(year: number | 'all' | null) {
  const query = { limit: 1, ...(typeof year === 'number' ? { year } : {}) };
  const key = year === null ? null : `review count ${year}`;
  return useApi(key, () => api.tax.issues.causes.get({ query })).data?.total;
}

/** An account in the form that GET /tax/accounts returns. */
export type BooksAccountRow = ItemOf<typeof api.tax.accounts.get>;

export const useAccounts = () => useApi('accounts', () => api.tax.accounts.get({ query: { limit: 1000 } }));

/** Returns every asset of the books. */
export const useAssets = () => useApi('assets', () => api.tax.assets.get({ query: { limit: 1000 } }));

/** Returns every import of the books. */
export const useImports = () => useApi('imports 1000', () => api.imports.get({ query: { limit: 1000 } }));

/** Returns one import. A null id loads nothing. */
export const useImport = (id: string | null) =>
  useApi(id === null ? null : `import ${id}`, () => api.imports({ id: id ?? '' }).get({ query: {} }));

/** Returns the file formats that Lotbook reads. */
export const useFormats = () => useApi('formats', () => api.formats.get());

/** Returns the features of this server. Pages hide features that it lacks. */
export const useServerConfig = () => useApi('config', () => api.config.get());

/** Returns whether the server can send email. Assumed until the server has responded. */
export const useSendsMail = (): boolean => useServerConfig().data?.mail ?? true;
