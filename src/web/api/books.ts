import { clientId } from './acting.ts';
import { api, got } from './api.ts';
import { useResource } from './resource.ts';
import { account } from './session.ts';

/** The client whose books are open; nothing in the user's own. */
export function useOpenClient() {
  const id = clientId.value;
  return useResource(id === null ? null : `client ${id}`, () => got(api.clients({ id: id ?? '' }).get()));
}

/** The clients of a CPA, oldest first; nothing on other plans. */
export function useClients() {
  const isCpa = account.value?.plan === 'CPA';
  return useResource(isCpa ? 'clients' : null, () => got(api.clients.get({ query: { limit: 1000 } })));
}

/** A colour for the books of each client, so that one does not look like another: 1 to 6, by its id. */
export function booksColour(id: string): number {
  return ([...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7) % 6) + 1;
}
