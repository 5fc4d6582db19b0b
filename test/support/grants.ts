import { newLinkToken } from '../../src/features/people/auth/link-token.ts';
import type { GrantedRole } from '../../src/features/people/auth/permissions.ts';
import type { TestApp, TestClient } from './app.ts';
import { plantToken } from './one-time-tokens.ts';

export interface SentInvitation {
  readonly id: string;
  readonly state: string;
  readonly role: string;
}

/** Sends an invitation and reads the link in its email. */
export async function invite(
  app: TestApp,
  who: TestClient,
  body: {
    readonly kind: string;
    readonly email: string;
    readonly role?: string;
    readonly client?: string;
    readonly replaces?: string;
  },
): Promise<{ readonly invitation: SentInvitation; readonly token: string }> {
  const invitation = await who.json<SentInvitation>('POST', '/v1/invitations', { body }, 201);
  return { invitation, token: await mailedToken(app, invitation.id) };
}

/** Returns the token from the last invitation email. */
export async function mailedToken(app: TestApp, id: string): Promise<string> {
  const mail = (await app.mails()).findLast(({ text }) => text.includes(`/invitations/${id}#`));
  const [, token = ''] = /\/invitations\/[0-9a-f-]+#([a-z2-7]+)/.exec(mail?.text ?? '') ?? [];
  if (token === '') throw new Error('No email contains the link of this invitation.');
  return token;
}

/** Grants a CPA access to a client's books. Returns the id that the CPA uses for the client. */
export async function grantAccess(
  app: TestApp,
  cpa: TestClient,
  client: TestClient,
  role: GrantedRole,
): Promise<string> {
  const request = { kind: 'request', email: client.email, role };
  const invitation = await cpa.json<SentInvitation>('POST', '/v1/invitations', { body: request }, 201);
  // The token replaces the one in the email, which takes longer.
  const token = newLinkToken();
  const { id: userId } = await cpa.json<{ id: string }>('GET', '/v1/account');
  await plantToken(app, 'invitation', token, { userId, payload: { invitation: invitation.id } });
  await client.json('POST', `/v1/invitations/${invitation.id}/accept`, { body: { token } }, 200);
  const { data } = await cpa.json<{ data: { id: string; email?: string }[] }>('GET', '/v1/clients?limit=1000');
  const id = data.find(({ email }) => email === client.email)?.id;
  if (id === undefined) throw new Error('The user who granted access is not a client.');
  return id;
}
