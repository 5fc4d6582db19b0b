import { clientId } from './acting.ts';
import { api, unwrapResponse } from './api.ts';
import { useResource } from './resource.ts';
import { account } from './session.ts';

/** The client whose books are open; undefined in the user's own books. */
export function useOpenClient() {
  const id = clientId.value;
  return useResource(id === null ? null : `client ${id}`, () => readOpenClient(id ?? ''));
}

function readOpenClient(id: string) {
  return unwrapResponse(api.clients({ id }).get());
}

/** The reader's role in a client's books. */
export type ClientRoleName = Awaited<ReturnType<typeof readOpenClient>>['role'];

/** Whether the user has or can have clients. After a downgrade, existing clients can still be read. */
export function hasClients(): boolean {
  return account.value?.plan === 'CPA' || (account.value?.usage.clients ?? 0) > 0;
}

/** The clients of a CPA, oldest first. */
export function useClients() {
  return useResource(hasClients() ? 'clients' : null, () =>
    unwrapResponse(api.clients.get({ query: { limit: 1000 } })),
  );
}

/** Whether there are more clients than the plan allows. Their books can be read and downloaded, but not changed. */
export function isOverPlan(): boolean {
  const usage = account.value?.usage;
  return usage !== undefined && usage.clients > usage.clientLimit;
}

/** Why the open books are read-only here; null if they can be changed. The API enforces it as well. */
export function useReadOnly(): 'demo' | 'viewer' | 'plan' | null {
  const role = useOpenClient().data?.role;
  if (account.value?.demo) return 'demo';
  if (clientId.value === null) return null;
  if (isOverPlan()) return 'plan';
  return role === 'viewer' ? 'viewer' : null;
}

/**
 * A color for each client's books, 1 to 6, by the client's position in the list, so that neighboring clients look
 * different.
 */
export function useBooksColor(id: string | null): number {
  const clientIndex = useClients().data?.data.findIndex((client) => client.id === id) ?? -1;
  return (Math.max(0, clientIndex) % 6) + 1;
}
