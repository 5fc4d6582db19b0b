import { computed, signal } from '@preact/signals';

/** The part of the address after the path, kept by the router. */
export const search = signal(location.search);

/** Whose books are open: the id of a client of the CPA, or null for the user's own. It stands in every address. */
export const clientId = computed(() => new URLSearchParams(search.value).get('client'));

/** The address of a page, in the books that are open. */
export function to(path: string, query: Readonly<Record<string, string | number | null | undefined>> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') parameters.set(name, String(value));
  }
  if (clientId.value !== null && !parameters.has('client')) parameters.set('client', clientId.value);
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Paths that are about the user and not about books: they know no `?client=`. */
const withoutBooks = /^\/v1\/(auth|account|plans|clients|status\/clients|config|formats|billing)(\/|$)/;

/** The address of a request with the client whose books are open. */
export function withClient(url: URL): URL {
  if (clientId.value !== null && !withoutBooks.test(url.pathname)) url.searchParams.set('client', clientId.value);
  return url;
}
