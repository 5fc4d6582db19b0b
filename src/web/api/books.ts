import { clientId } from './acting.ts';
import { api, got } from './api.ts';
import { useResource } from './resource.ts';
import { account } from './session.ts';

/** The client whose books are open; nothing in the user's own. */
export function useOpenClient() {
  const id = clientId.value;
  return useResource(id === null ? null : `client ${id}`, () => readOpenClient(id ?? ''));
}

function readOpenClient(id: string) {
  return got(api.clients({ id }).get());
}

/** What the reader may do in the books of a client. */
export type ClientRoleName = Awaited<ReturnType<typeof readOpenClient>>['role'];

/** Whether there are clients, or may be: on a smaller plan those of before are still read. */
export function hasClients(): boolean {
  return account.value?.plan === 'CPA' || (account.value?.usage.clients ?? 0) > 0;
}

/** The clients of a CPA, oldest first. */
export function useClients() {
  return useResource(hasClients() ? 'clients' : null, () => got(api.clients.get({ query: { limit: 1000 } })));
}

/** More clients than the plan has: their books are read and downloaded, not changed. */
export function isOverPlan(): boolean {
  const usage = account.value?.usage;
  return usage !== undefined && usage.clients > usage.clientLimit;
}

/** Why the books that are open cannot be changed here; null where they can. The API refuses it all the same. */
export function useReadOnly(): 'demo' | 'viewer' | 'plan' | null {
  const role = useOpenClient().data?.role;
  if (account.value?.demo) return 'demo';
  if (clientId.value === null) return null;
  if (isOverPlan()) return 'plan';
  return role === 'viewer' ? 'viewer' : null;
}

/**
 * A colour for the books of each client, 1 to 6, by its place among the clients, so that the books of the next one look
 * otherwise.
 */
export function useBooksColour(id: string | null): number {
  const place = useClients().data?.data.findIndex((client) => client.id === id) ?? -1;
  return (Math.max(0, place) % 6) + 1;
}
