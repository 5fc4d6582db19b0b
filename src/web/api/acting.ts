import { computed, signal } from '@preact/signals';

/** The part of the address after the path, kept by the router. */
export const search = signal(location.search);

/** Whose books are open: the id of a client of the CPA, or null for the user's own. It stands in every address. */
export const clientId = computed(() => new URLSearchParams(search.value).get('client'));

/** What stands in an address: a list is repeated. */
export type LinkQuery = Readonly<Record<string, string | number | readonly string[] | null | undefined>>;

/** The address of a page, in the books that are open. */
export function to(path: string, query: LinkQuery = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== null && each !== undefined && each !== '') parameters.append(name, String(each));
    }
  }
  if (clientId.value !== null && !parameters.has('client')) parameters.set('client', clientId.value);
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Paths that are about the user and not about books: they know no `?client=`. */
const withoutBooks =
  /^\/v1\/(auth|account|invitations|plans|clients|status\/clients|config|formats|billing|notifications\/unsubscribe)(\/|$)/;

/** The address of a request with the client whose books are open. */
export function withClient(url: URL): URL {
  if (clientId.value !== null && !withoutBooks.test(url.pathname)) url.searchParams.set('client', clientId.value);
  return url;
}
