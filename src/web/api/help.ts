import { api, type DataOf, type ItemOf, type Reading, unwrapResponse, useApi } from './api.ts';

export type HelpSummary = ItemOf<typeof api.help.get>;
export type HelpArticle = DataOf<ReturnType<typeof api.help>['get']>;

/** Returns the entries that match the words, or all entries without words. */
export function readHelpList(words: string) {
  return unwrapResponse(api.help.get({ query: words === '' ? {} : { q: words } }));
}

/** Loads an entry of the help center. A null id loads nothing. */
export function useHelpArticle(id: string | null): Reading<HelpArticle> {
  return useApi(id === null ? null : `help ${id}`, () => api.help({ entry: id ?? '' }).get());
}
