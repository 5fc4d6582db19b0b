import { api, type DataOf, useApi } from './api.ts';
import { clientId } from './page-url.ts';
import { account } from './session.ts';

/** Returns the client whose books are open, or undefined in the user's own books. */
export function useOpenClient() {
  const id = clientId.value;
  return useApi(id === null ? null : `client ${id}`, () => api.clients({ id: id ?? '' }).get());
}

/** Returns the time zone of the open books. */
export function useBooksZone(): string {
  const client = useOpenClient().data;
  return (clientId.value === null ? account.value?.timeZone : client?.timeZone) ?? 'UTC';
}

/** The user's role in a client's books. */
export type ClientRoleName = DataOf<ReturnType<typeof api.clients>['get']>['role'];

/** Returns whether the user has or can have clients. After a downgrade, existing clients can still be read. */
export function hasClients(): boolean {
  return account.value?.plan === 'CPA' || (account.value?.usage.clients ?? 0) > 0;
}

/** Returns the page after a sign-in. */
export const homePath = (): string => (hasClients() ? '/clients' : '/overview');

/** Returns a CPA's clients, oldest first. */
export function useClients() {
  return useApi(hasClients() ? 'clients' : null, () => api.clients.get({ query: { limit: 1000 } }));
}

/** Returns whether there are more clients than the plan allows. Their books are then read-only. */
export function isOverPlan(): boolean {
  const usage = account.value?.usage;
  return usage !== undefined && usage.clients > usage.clientLimit;
}

/** Returns why the open books are read-only for the user, or null. The API also enforces this. */
export function useReadOnly(): 'demo' | 'viewer' | 'plan' | null {
  const role = useOpenClient().data?.role;
  if (account.value?.demo) return 'demo';
  if (clientId.value === null) return null;
  if (isOverPlan()) return 'plan';
  return role === 'viewer' ? 'viewer' : null;
}

/** Returns a color for a client's books, 1 to 6, by position in the list, so that neighbors look different. */
export function useBooksColor(id: string | null): number {
  const clientIndex = useClients().data?.data.findIndex((client) => client.id === id) ?? -1;
  return (Math.max(0, clientIndex) % 6) + 1;
}
