import { computed, signal } from '@preact/signals';

/** The URL's query, which the router updates. */
export const search = signal(location.search);

/** The id of the client whose books are open, or null for the user's own books. Every URL carries it. */
export const clientId = computed(() => new URLSearchParams(search.value).get('client'));

/** The tax year in the URL, or null if it has none. Links carry it from page to page. */
export const yearInUrl = computed(() => {
  const year = new URLSearchParams(search.value).get('year') ?? '';
  return /^(19|20)\d\d$/.test(year) ? Number(year) : null;
});

/** A value in a query string. Lists repeat the key. */
export type LinkQuery = Readonly<Record<string, string | number | readonly string[] | null | undefined>>;

/**
 * Returns the URL of a page with the open books and the tax year of this one, unless the query has others. If `client`
 * is null, the books are the user's own.
 */
export function to(path: string, query: LinkQuery = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== null && each !== undefined && each !== '') parameters.append(name, String(each));
    }
  }
  if (clientId.value !== null && query.client !== null && !parameters.has('client')) {
    parameters.set('client', clientId.value);
  }
  if (yearInUrl.value !== null && !parameters.has('year')) parameters.set('year', String(yearInUrl.value));
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Paths about the user rather than about books. They ignore `?client=`. */
const withoutBooks =
  /^\/v1\/(auth|account|invitations|plans|clients|status\/clients|config|formats|help|billing|notifications\/unsubscribe)(\/|$)/;

/** Returns the URL of a request, with the client whose books are open. */
export function withClient(url: URL): URL {
  if (clientId.value !== null && !withoutBooks.test(url.pathname)) url.searchParams.set('client', clientId.value);
  return url;
}

/** Returns the current query with all values. A typed filter can take effect after another navigation. */
export function queryNow(): LinkQuery {
  const now = new URLSearchParams(location.search);
  return Object.fromEntries([...new Set(now.keys())].map((name) => [name, now.getAll(name)]));
}
