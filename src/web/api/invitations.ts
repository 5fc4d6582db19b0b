import { api, unwrapResponse } from './api.ts';
import { booksChanged, write } from './changes.ts';
import { useResource } from './resource.ts';
import { loadAccount } from './session.ts';

export type InvitationDetails = Awaited<ReturnType<typeof readInvitation>>;
export type InvitationRequest = Parameters<typeof api.invitations.post>[0];
export type GrantDetails = Awaited<ReturnType<typeof readGrants>>['data'][number];

const readInvitation = (id: string) => unwrapResponse(api.invitations({ id }).get());

export const useInvitation = (id: string) => useResource(`invitation ${id}`, () => readInvitation(id));

/** Returns the pending invitations, sent and received. */
export function useOpenInvitations() {
  return useResource('open invitations', () =>
    unwrapResponse(api.invitations.get({ query: { open: true, limit: 200 } })),
  );
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

export async function withdrawInvitation(id: string): Promise<void> {
  await write(api.invitations({ id }).delete());
}

export async function mailInvitation(id: string): Promise<void> {
  await write(api.invitations({ id }).mail.post());
}

export async function acceptInvitation(id: string, token: string): Promise<void> {
  await unwrapResponse(api.invitations({ id }).accept.post({ token }));
  await loadAccount();
  booksChanged();
}

export async function declineInvitation(id: string): Promise<void> {
  await write(api.invitations({ id }).decline.post());
}

const readGrants = () => unwrapResponse(api.account.grants.get());

/** Returns the people with access to the user's own books. */
export const useGrants = () => useResource('grants', readGrants);

/** Changes a role. Returns a function that undoes it. */
export async function changeGrant({ id, role }: GrantDetails, to: GrantDetails['role']): Promise<() => Promise<void>> {
  const put = async (role: GrantDetails['role']): Promise<void> => {
    await write(api.account.grants({ id }).patch({ role }));
  };
  await put(to);
  return () => put(role);
}

export async function endGrant(id: string): Promise<void> {
  await write(api.account.grants({ id }).delete());
}
