import { invalidMember, Refusal } from '../../../../base/refusal.ts';
import type { Sql } from '../../../../db/connection.ts';
import { booksDeleted } from '../../../../db/database-refusals.ts';
import type { Deps } from '../../../../deps.ts';
import { nameActor } from '../../../../http/audit/audited-request.ts';
import { notFound, parseUuid } from '../../../../http/errors.ts';
import type { Caller } from '../../auth/access.ts';
import { countClients } from '../../auth/auth.queries.ts';
import { consumeToken } from '../../auth/one-time-tokens.queries.ts';
import type { GrantedRole } from '../../auth/permissions.ts';
import { planLimits } from '../../auth/plan.ts';
import { requireRecentSignIn, requireSameStamp } from '../../auth/recent-proof.ts';
import { postLetter } from '../../mail/delivery.ts';
import { accessGranted } from '../../mail/templates.ts';
import { accessEnded } from '../../notifications.ts';
import {
  deleteGrant,
  isEmpty,
  lockClientHolder,
  moveClient,
  putGrant,
  readRole,
  selectOwner,
  transferBooks,
} from '../clients.queries.ts';
import { reserveClientCapacity } from '../new-client.ts';
import { notifyClientLimitNear, notifyUser } from '../notices.ts';
import { alreadySettled, describeRole } from './invitation.ts';
import { type InvitationRow, readInvitation, settleInvitation } from './invitations.queries.ts';

/**
 * Accepts an invitation. Requires the token of the link. An emailed link proves that the caller reads the mailbox. On a
 * server without email, the inviter passes it on, and the administrator has confirmed the caller's address.
 */
export async function acceptInvitation(
  deps: Deps,
  caller: Caller,
  givenId: string,
  token: string,
): Promise<InvitationRow> {
  const id = parseUuid(givenId);
  const now = deps.clock.now();
  const row = await deps.database.asService(async (sql) => {
    await requireSameStamp(sql, caller);
    const invitation = await readReceived(sql, caller, id);
    if (invitation.state !== 'open') throw alreadySettled(invitation);
    // Accepting gives another user access to the caller's books.
    if (invitation.kind === 'request' || invitation.kind === 'ownership') requireRecentSignIn(caller);
    const open = await consumeToken(sql, 'invitation', token);
    if (open?.payload.invitation !== id) {
      // A concurrent request may have accepted the invitation while this one waited for the lock. Reads the state
      // again.
      const { state } = await readReceived(sql, caller, id);
      if (state !== 'open') throw alreadySettled({ state });
      throw invalidMember('/token', 'This link has expired or was replaced by a newer one. Ask for a new link.');
    }
    await createGrant(sql, caller, invitation, now);
    // Settles the invitation under the lock, so only one of two concurrent requests accepts it.
    if (!(await settleInvitation(sql, id, 'accepted'))) throw alreadySettled({ state: 'open' });
    await mailOwner(deps, sql, caller, invitation);
    return { ...invitation, state: 'accepted' as const };
  });
  await notifyBoth(deps, caller, row, now);
  await notifyClientLimitNear(deps, row.kind === 'request' ? row.userId : caller.userId);
  return row;
}

export async function declineInvitation(deps: Deps, caller: Caller, givenId: string): Promise<InvitationRow> {
  const id = parseUuid(givenId);
  const row = await deps.database.asService(async (sql) => {
    const invitation = await readReceived(sql, caller, id);
    if (!(await settleInvitation(sql, id, 'declined'))) throw alreadySettled(invitation);
    return { ...invitation, state: 'declined' as const };
  });
  await notifyUser(deps, row.userId, {
    kind: 'access_changed',
    title: 'Your invitation was declined',
    body: `${row.email} declined your invitation. Nothing changed.`,
    link: `/v1/invitations/${row.id}`,
    at: deps.clock.now(),
  });
  return row;
}

export async function withdrawInvitation(deps: Deps, caller: Caller, givenId: string): Promise<void> {
  const id = parseUuid(givenId);
  await deps.database.asService(async (sql) => {
    const invitation = await readInvitation(sql, caller, id);
    if (invitation === undefined || invitation.userId !== caller.userId) throw notFound();
    if (!(await settleInvitation(sql, id, 'withdrawn')) && invitation.state !== 'expired')
      throw alreadySettled(invitation);
  });
}

async function readReceived(sql: Sql, caller: Caller, id: string): Promise<InvitationRow> {
  const invitation = await readInvitation(sql, caller, id);
  if (invitation === undefined || invitation.email !== caller.email || invitation.userId === caller.userId)
    throw notFound();
  return invitation;
}

async function createGrant(sql: Sql, caller: Caller, row: InvitationRow, now: Date): Promise<void> {
  const { kind, role, userId: inviter, booksId, replacedId } = row;
  if (kind === 'request') {
    const grant = { taxpayerId: caller.taxpayerId, userId: inviter, role: role as GrantedRole, now };
    // An account that is being deleted cannot give its books away.
    if ((await lockClientHolder(sql, caller.userId)) === undefined) throw booksDeleted();
    if (!(await hasGrant(sql, grant))) await requireInviterCapacity(sql, inviter);
    await putGrant(sql, grant);
    return;
  }
  if (booksId === null) throw new Error('The invitation has no books.');
  if (kind === 'ownership') return becomeOwner(sql, caller, { ...row, booksId }, now);
  if (kind === 'handover') {
    await reserveClientCapacity(sql, caller.userId);
    const moved = await moveClient(sql, { taxpayerId: booksId, from: inviter, to: caller.userId, now });
    if (!moved)
      throw new Refusal(
        'conflict',
        'The person who invited you no longer has this client. Ask the client’s current CPA for a new invitation.',
      );
    return;
  }
  const grant = { taxpayerId: booksId, userId: caller.userId, role: role as GrantedRole, now };
  if (!(await hasGrant(sql, grant))) await reserveClientCapacity(sql, caller.userId);
  await putGrant(sql, grant);
  if (replacedId !== null && replacedId !== caller.userId) await deleteGrant(sql, booksId, replacedId);
}

/** Makes the caller the owner of books that a CPA created. They replace the caller's own books, which must be empty. */
async function becomeOwner(
  sql: Sql,
  caller: Caller,
  { booksId, userId: inviter, role }: InvitationRow & { readonly booksId: string },
  now: Date,
): Promise<void> {
  if ((await lockClientHolder(sql, caller.userId)) === undefined) throw booksDeleted();
  if (!(await isEmpty(sql, caller.taxpayerId))) {
    throw new Refusal(
      'conflict',
      'Your own books contain transactions or are shared with others. To accept, undo your imports and remove everyone’s access, or use an account with another email address.',
    );
  }
  const books = { taxpayerId: booksId, from: inviter, role: role as GrantedRole, to: caller.userId, now };
  if (!(await transferBooks(sql, books, caller.taxpayerId))) {
    throw new Refusal(
      'conflict',
      'The person who invited you no longer has access to these books. Ask for a new invitation.',
    );
  }
  // Records the change in the audit trail of the books that the caller now owns.
  nameActor({ kind: 'found', userId: caller.userId, isProven: true });
}

/**
 * Returns whether the user already has access, because changing a role does not use another client place. Locks the
 * user's row, so this stays true until the commit.
 */
async function hasGrant(sql: Sql, { taxpayerId, userId }: { readonly taxpayerId: string; readonly userId: string }) {
  await lockClientHolder(sql, userId);
  return (await readRole(sql, taxpayerId, userId)) !== undefined;
}

/**
 * Throws an error if the inviter's plan has no room for another client. The message contains no numbers, because the
 * plan belongs to a different user.
 */
async function requireInviterCapacity(sql: Sql, userId: string): Promise<void> {
  const plan = await lockClientHolder(sql, userId);
  if (plan !== undefined && (await countClients(sql, userId)) < planLimits[plan].clientsMax) return;
  throw new Refusal(
    'conflict',
    'The person who invited you has reached the client limit of their plan. Nothing changed. Ask them to upgrade, then accept again.',
  );
}

/**
 * Emails the owner of the books in addition to the notification, because notifications can be turned off and an
 * attacker could be using the session.
 */
async function mailOwner(deps: Deps, sql: Sql, caller: Caller, row: InvitationRow): Promise<void> {
  if (row.kind === 'handover') return;
  const [owner, email] = row.kind === 'offer' ? [row.fromEmail, caller.email] : [caller.email, row.fromEmail];
  await postLetter(deps, sql, owner, accessGranted(deps.config.baseUrl, { email, allows: describeRole(row.role) }));
}

/** Notifies both sides, and the user whose access the invitation ends. */
async function notifyBoth(deps: Deps, caller: Caller, row: InvitationRow, at: Date): Promise<void> {
  const notice = { kind: 'access_changed', at } as const;
  const { kind, role, booksId, replacedId } = row;
  await notifyUser(deps, row.userId, {
    ...notice,
    title: 'Your invitation was accepted',
    body: acceptedWords(row, caller),
    link: `/v1/invitations/${row.id}`,
  });
  if (kind === 'request' || kind === 'ownership') {
    await notifyUser(deps, caller.userId, {
      ...notice,
      title: kind === 'request' ? 'You gave someone access to your books' : 'You now own your books',
      body: `${row.fromEmail} can now see your books. The role: ${describeRole(role)} You can remove the access on your account page.`,
      link: '/v1/account/grants',
    });
  }
  if (replacedId !== null && booksId !== null) {
    const owner = await deps.database.asService((sql) => selectOwner(sql, booksId));
    await notifyUser(deps, replacedId, {
      ...accessEnded,
      body: `${owner?.email ?? 'A client'} changed to another CPA.`,
      at,
    });
  }
}

function acceptedWords({ kind, role }: InvitationRow, { email }: Caller): string {
  if (kind === 'request') return `${email} is now your client. Your role: ${describeRole(role)}`;
  if (kind === 'ownership') return `${email} now owns the books. Your role in them: ${describeRole(role)}`;
  return `${email} accepted your invitation. The role: ${describeRole(role)}`;
}
