import { api, unwrapResponse } from './api.ts';
import { type Reading, useResource } from './resource.ts';

export type HelpSummary = Awaited<ReturnType<typeof readHelpList>>['data'][number];
export type HelpArticle = Awaited<ReturnType<typeof readHelpArticle>>;

/** Returns the entries that match the words, or all entries without words. */
export function readHelpList(words: string) {
  return unwrapResponse(api.help.get({ query: words === '' ? {} : { q: words } }));
}

const readHelpArticle = (id: string) => unwrapResponse(api.help({ entry: id }).get());

/** Loads an entry of the help center. A null id loads nothing. */
export function useHelpArticle(id: string | null): Reading<HelpArticle> {
  return useResource(id === null ? null : `help ${id}`, () => readHelpArticle(id ?? ''));
}
