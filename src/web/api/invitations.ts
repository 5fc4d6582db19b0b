import { api, booksChanged, type DataOf, type ItemOf, unwrapResponse, useApi, write } from './api.ts';
import { loadAccount } from './session.ts';

export type InvitationDetails = DataOf<ReturnType<typeof api.invitations>['get']>;
export type InvitationRequest = Parameters<typeof api.invitations.post>[0];
export type GrantDetails = ItemOf<typeof api.account.grants.get>;

export const useInvitation = (id: string) => useApi(`invitation ${id}`, () => api.invitations({ id }).get());

/** Returns the pending invitations, sent and received. */
export function useOpenInvitations() {
  return useApi('open invitations', () => api.invitations.get({ query: { open: true, limit: 200 } }));
}

/** Sends an invitation and returns its id. */
export async function sendInvitation(invitationRequest: InvitationRequest): Promise<string> {
  const { id } = await write(api.invitations.post(invitationRequest));
  return id;
}

/** Returns a new link to pass on, on a server without email. */
export async function createInvitationLink(id: string): Promise<string> {
  return (await unwrapResponse(api.invitations({ id }).link.post())).link;
}

export async function acceptInvitation(id: string, token: string): Promise<void> {
  await unwrapResponse(api.invitations({ id }).accept.post({ token }));
  await loadAccount();
  booksChanged();
}

/** Returns the people with access to the user's own books. */
export const useGrants = () => useApi('grants', () => api.account.grants.get());

/** Changes a role. Returns a function that undoes it. */
export async function changeGrant({ id, role }: GrantDetails, to: GrantDetails['role']): Promise<() => Promise<void>> {
  const put = async (role: GrantDetails['role']): Promise<void> => {
    await write(api.account.grants({ id }).patch({ role }));
  };
  await put(to);
  return () => put(role);
}
