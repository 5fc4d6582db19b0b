import { invalidMember, Refusal } from '../../../../base/refusal.ts';
import type { Sql } from '../../../../db/connection.ts';
import { booksDeleted } from '../../../../db/database-refusals.ts';
import type { Deps } from '../../../../deps.ts';
import { notFound, parseUuid } from '../../../../http/errors.ts';
import type { Caller } from '../../auth/access.ts';
import { countClients, readClientBooks } from '../../auth/auth.queries.ts';
import { linkWith } from '../../auth/link-token.ts';
import {
  countOpenTokens,
  endTokens,
  issueToken,
  lifetimeMinutesOf,
  readHolder,
  type TokenHolder,
} from '../../auth/one-time-tokens.queries.ts';
import { type GrantedRole, requireRolePermission } from '../../auth/permissions.ts';
import { requireClientCapacity } from '../../auth/plan.ts';
import { requireRecentSignIn } from '../../auth/recent-proof.ts';
import { canonicalEmail } from '../../auth/sign-in.ts';
import { postLetter } from '../../mail/delivery.ts';
import { invitation } from '../../mail/templates.ts';
import { readRole } from '../clients.queries.ts';
import { notifyUser } from '../notices.ts';
import {
  type InvitationKind,
  type InvitationRow,
  insertInvitation,
  lockInviter,
  readInvitation,
  renewInvitation,
  selectUserByEmail,
  withdrawEarlier,
} from './invitations.queries.ts';

export const invitationDays = lifetimeMinutesOf('invitation') / 1440;
/** The maximum number of open invitations per user. */
const openMax = 20;
/** The maximum number of emails per invitation. */
const mailsMax = 5;

interface NewInvitation {
  readonly kind: InvitationKind;
  readonly email: string;
  readonly role?: GrantedRole | undefined;
  readonly client?: string | undefined;
  readonly replaces?: string | undefined;
}

/** Stores an invitation and emails its link. The result does not reveal whether an account with this address exists. */
export async function createInvitation(
  deps: Deps,
  sql: Sql,
  caller: Caller,
  newInvitation: NewInvitation,
): Promise<InvitationRow> {
  const { userId } = caller;
  const email = canonicalEmail(newInvitation.email);
  if (email === caller.email)
    throw invalidMember(
      '/email',
      'This is your own email address. Enter the address of the person you want to invite.',
    );
  const inviter = await lockInviter(sql, userId);
  if (inviter === undefined) throw booksDeleted();
  const about = await loadSubject(sql, caller, newInvitation);
  const withdrawn = await withdrawEarlier(sql, { userId, kind: newInvitation.kind, email, booksId: about.booksId });
  if (inviter.open - withdrawn >= openMax) {
    throw new Refusal('conflict', `You have ${openMax} open invitations, which is the maximum. Withdraw one first.`);
  }
  const id = crypto.randomUUID();
  await insertInvitation(sql, { id, userId, kind: newInvitation.kind, email, days: invitationDays, ...about });
  const row = await readInvitation(sql, caller, id);
  if (row === undefined) throw new Error('The new invitation is missing.');
  await mailLink(deps, sql, row, caller);
  return row;
}

/** Returns the books and the role for a new invitation, and the user whose access it replaces. */
async function loadSubject(
  sql: Sql,
  { userId, plan, taxpayerId }: Caller,
  { kind, role, client, replaces }: NewInvitation,
): Promise<Pick<InvitationRow, 'role' | 'booksId' | 'replacedId'>> {
  const isOfClient = kind === 'handover' || kind === 'ownership';
  if (!isOfClient && client !== undefined)
    throw invalidMember('/client', 'Leave out client. This kind of invitation does not refer to a client.');
  if (kind !== 'offer' && replaces !== undefined)
    throw invalidMember('/replaces', 'Leave out replaces. Only an offer can replace another person’s access.');
  if (kind === 'handover' && role !== undefined)
    throw invalidMember('/role', 'Leave out role. The new CPA always becomes the client’s manager.');
  if (isOfClient) {
    const booksId = await managedBooks(sql, userId, client);
    if (kind === 'handover') return { role: 'manager', booksId, replacedId: null };
    if (role === undefined) throw invalidMember('/role', 'Set the role that you keep.');
    return { role, booksId, replacedId: null };
  }
  if (role === undefined) throw invalidMember('/role', 'Set a role.');
  if (kind === 'request') {
    requireClientCapacity(plan, await countClients(sql, userId), 1);
    return { role, booksId: null, replacedId: null };
  }
  if (replaces === undefined) return { role, booksId: taxpayerId, replacedId: null };
  const replacedId = parseUuid(replaces);
  const replaced = await readRole(sql, taxpayerId, replacedId);
  if (replaced === undefined || replaced === 'owner') throw notFound();
  return { role, booksId: taxpayerId, replacedId };
}

async function managedBooks(sql: Sql, userId: string, client: string | undefined): Promise<string> {
  if (client === undefined) throw invalidMember('/client', 'Set the client.');
  const books = await readClientBooks(sql, userId, parseUuid(client));
  if (books === undefined) throw notFound();
  requireRolePermission(books.role, 'own');
  return books.id;
}

/**
 * Notifies the user with this address. Runs in parallel with the response, so neither its content nor its duration
 * reveals whether an account exists.
 */
export function reportInvitation(deps: Deps, row: InvitationRow): void {
  const leave = deps.lifecycle.enter();
  notifyInvited(deps, row)
    .catch((error: unknown) => deps.log.error('invitation not told', error))
    .finally(leave);
}

/**
 * Emails the invitation again with a new link and disables the previous link. Both the inviter and the invited user can
 * call it.
 */
export async function sendAgain(deps: Deps, caller: Caller, givenId: string): Promise<void> {
  const id = parseUuid(givenId);
  await deps.database.asService(async (sql) => {
    const invitation = await readInvitation(sql, caller, id);
    if (invitation === undefined) throw notFound();
    if (invitation.state !== 'open' && invitation.state !== 'expired') throw alreadySettled(invitation);
    const holder = await holderFor(sql, caller, invitation);
    if (!(await renewInvitation(sql, id, { days: invitationDays, mailsMax }))) {
      throw new Refusal(
        'conflict',
        `This invitation was emailed ${mailsMax} times, which is the maximum. Withdraw it and create a new one.`,
      );
    }
    await mailLink(deps, sql, invitation, holder);
  });
}

/**
 * Returns the user whose security stamp the next link depends on. The invited user can request another email only while
 * the last link works. An invitation created in a stolen session becomes invalid when the stamp changes. After that,
 * only the inviter can renew it.
 */
async function holderFor(sql: Sql, caller: Caller, row: InvitationRow): Promise<TokenHolder> {
  if (row.userId === caller.userId) return caller;
  const inviter = await readHolder(sql, row.userId);
  if (inviter !== undefined && (await countOpenTokens(sql, inviter, 'invitation', { invitation: row.id })) > 0)
    return inviter;
  throw new Refusal('conflict', `The last link has expired. Ask ${row.fromEmail} to send a new one.`);
}

/**
 * Returns a new link for the inviter to pass on, and disables the previous link. Only on a server without email. On
 * other servers the link proves that the invited person reads the mailbox, so the inviter must not see it.
 */
export async function createInvitationLink(deps: Deps, caller: Caller, givenId: string): Promise<string> {
  const id = parseUuid(givenId);
  if (deps.config.mail !== null)
    throw new Refusal('conflict', 'This server emails the link to the invited person. Send it again instead.');
  return deps.database.asService(async (sql) => {
    const row = await readInvitation(sql, caller, id);
    if (row === undefined || row.userId !== caller.userId) throw notFound();
    if (row.state !== 'open') throw alreadySettled(row);
    // Whoever accepts these gets access to the caller's books.
    if (row.kind !== 'request') requireRecentSignIn(caller);
    return renewLink(deps, sql, row, caller);
  });
}

/** Creates a link and disables the previous one. */
async function renewLink(deps: Deps, sql: Sql, row: InvitationRow, holder: TokenHolder): Promise<string> {
  const payload = { invitation: row.id };
  await endTokens(sql, row.userId, ['invitation'], payload);
  const token = await issueToken(sql, 'invitation', { holder, payload });
  return linkWith(deps.config, `/invitations/${row.id}`, token);
}

/** Emails a new link and disables the link in the previous email. */
async function mailLink(deps: Deps, sql: Sql, row: InvitationRow, holder: TokenHolder): Promise<void> {
  const link = await renewLink(deps, sql, row, holder);
  const { kind, role, fromEmail: from } = row;
  const letter = invitation({ from, kind, allows: describeRole(role), link, days: invitationDays });
  await postLetter(deps, sql, row.email, letter);
}

async function notifyInvited(deps: Deps, row: InvitationRow): Promise<void> {
  const user = await deps.database.asService((sql) => selectUserByEmail(sql, row.email));
  if (user === undefined) return;
  await notifyUser(deps, user.id, {
    kind: 'access_changed',
    title: titles[row.kind],
    body: `${row.fromEmail} is waiting for your answer. ${
      deps.config.mail === null
        ? `This server can't send email. Ask ${row.fromEmail} for the link.`
        : `Open the link in the email sent to ${row.email}.`
    }`,
    link: `/v1/invitations/${row.id}`,
    at: deps.clock.now(),
  });
}

const titles: Readonly<Record<InvitationKind, string>> = {
  request: 'A CPA requested access to your books',
  offer: 'You were offered access to books',
  handover: 'A CPA wants to transfer a client to you',
  ownership: 'A CPA wants to give you your books',
};

export function alreadySettled({ state }: Pick<InvitationRow, 'state'>): Refusal {
  return new Refusal('conflict', `This invitation is ${state === 'open' ? 'no longer open' : state}.`);
}

const allows: Readonly<Record<GrantedRole | 'manager', string>> = {
  viewer: 'viewer, who can see everything and download reports but change nothing.',
  preparer: 'preparer, who can see everything, import, resolve issues, edit and calculate, but not sign off.',
  reviewer: 'reviewer, who can do everything a preparer can, and also review years, sign them off and lock them.',
  manager: 'manager, who can do everything in books that have no other owner.',
};

/** Returns a description of what a role allows, for emails and notifications. */
export function describeRole(role: GrantedRole | 'manager'): string {
  return allows[role];
}
