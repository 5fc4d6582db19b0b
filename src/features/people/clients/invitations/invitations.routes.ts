import { Elysia, t } from 'elysia';
import type { Deps } from '../../../../deps.ts';
import { parseUuid, requireFound } from '../../../../http/errors.ts';
import { idempotent } from '../../../../http/idempotency.ts';
import { limitDefault, page, readCursor } from '../../../../http/list.ts';
import { group, lasting, person } from '../../../../http/operations.ts';
import { closed, id, instant, listOf, listQuery, nullable, oneOf, problems } from '../../../../http/schemas.ts';
import type { Access } from '../../auth/access.ts';
import { email } from '../../auth/auth.schemas.ts';
import { grantedRoles } from '../../auth/permissions.ts';
import { requireRecentSignIn } from '../../auth/recent-proof.ts';
import { acceptInvitation, declineInvitation, withdrawInvitation } from './acceptance.ts';
import { createInvitation, createInvitationLink, invitationDays, reportInvitation, sendAgain } from './invitation.ts';
import {
  type InvitationRow,
  invitationKinds,
  invitationStates,
  listInvitations,
  readInvitation,
} from './invitations.queries.ts';

const kind = oneOf(
  invitationKinds,
  '`request`: asks for access to the invited user’s books. `offer`: gives access to the inviter’s own books. `handover`: transfers a client without an account. `ownership`: gives the books to a client who now has an account, for whom the inviter created them.',
);
const granted = oneOf(
  grantedRoles,
  'A viewer can view and download. A preparer can also import, edit and calculate. A reviewer can also sign off and lock years.',
);

const Invitation = closed(
  {
    id,
    kind,
    direction: oneOf(['sent', 'received']),
    state: oneOf(invitationStates),
    from: closed({ email: t.String(), name: t.String() }, { title: 'Inviter' }),
    email: t.String({ description: 'The email address of the invited person.' }),
    role: oneOf(
      [...grantedRoles, 'manager'],
      'The role. In a request, the inviter gets it. In an ownership, the inviter keeps it. Otherwise, the invited user gets it.',
    ),
    books: nullable(t.String({ description: 'The name of the books, if any. Null for a request.' })),
    replaces: nullable(
      t.String({ description: 'The email address of the user who loses access when the invitation is accepted.' }),
    ),
    createdAt: instant,
    expiresAt: instant,
  },
  { title: 'Invitation' },
);

const NewInvitation = closed(
  {
    kind,
    email,
    role: t.Optional(granted),
    client: t.Optional(t.String({ description: 'The client’s id. Required for a handover or an ownership.' })),
    replaces: t.Optional(
      t.String({
        description: 'The id of a user whose access ends when the offer is accepted. Use it to change CPAs.',
      }),
    ),
  },
  { title: 'NewInvitation', examples: [{ kind: 'request', email: 'jo@example.com', role: 'preparer' }] },
);

const InvitationToken = closed(
  { token: t.String({ maxLength: 100, description: 'The part of the emailed link after the #.' }) },
  { examples: [{ token: 'nbswy3dpo5xxe3denbswy3dpo5xxe3de' }] },
);

const InvitationLink = closed(
  { link: t.String({ description: 'The URL of the invitation, which includes its secret token.' }) },
  {
    title: 'InvitationLink',
    examples: [
      {
        link: 'https://lotbook.example.com/invitations/5a0b1c2d-3e4f-4a5b-8c6d-7e8f9a0b1c2d#nbswy3dpo5xxe3denbswy3dpo5xxe3de',
      },
    ],
  },
);

function invitationView(row: InvitationRow, userId: string) {
  const { kind, state, email: to, role, booksName, replacedEmail, createdAt, expiresAt } = row;
  return {
    id: row.id,
    kind,
    direction: row.userId === userId ? ('sent' as const) : ('received' as const),
    state,
    from: { email: row.fromEmail, name: row.fromName },
    email: to,
    role,
    books: booksName,
    replaces: replacedEmail,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

const { signedIn } = group('Clients');

/** Defines the routes for requesting and offering access to books, and for accepting or declining. */
export const invitationRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/invitations' })
    .use(access)
    .get(
      '',
      async ({ caller, query: parameters }) => {
        const limit = parameters.limit ?? limitDefault;
        const before = readCursor(parameters.cursor, ['instant', 'uuid']) ?? null;
        const openOnly = parameters.open === true;
        const rows = await deps.database.asService((sql) => listInvitations(sql, caller, { openOnly, before, limit }));
        return page(
          rows,
          limit,
          (row) => [row.createdAt.toISOString(), row.id],
          (row) => invitationView(row, caller.userId),
        );
      },
      signedIn('listInvitations', person(null), {
        summary: 'List invitations sent and received, newest first',
        query: { ...listQuery, open: t.Optional(t.Boolean({ description: 'Only open invitations.' })) },
        response: { 200: listOf(Invitation) },
      }),
    )
    .post(
      '',
      async (context) => {
        const { caller, body } = context;
        deps.rateLimits.take('mail', caller.userId);
        // Skips this check for a request, because a request alone does not give anyone access.
        if (body.kind !== 'request') requireRecentSignIn(caller);
        return idempotent(deps, context, async (saveResponse) => {
          const { answer, row } = await deps.database.asService(async (sql) => {
            const row = await createInvitation(deps, sql, caller, body);
            const response = { status: 201 as const, body: invitationView(row, caller.userId) };
            return { answer: await saveResponse(sql, response), row };
          });
          reportInvitation(deps, row);
          return answer;
        });
      },
      signedIn('createInvitation', lasting('invitation_made'), {
        summary: 'Invite a user by email',
        description: `Emails a link that works for ${invitationDays} days. The response is the same whether or not the address has an account. A new invitation replaces an earlier one to the same address for the same books. A client counts toward the plan once the invitation is accepted. An offer or a handover requires a recent sign-in.`,
        body: NewInvitation,
        response: { 201: Invitation, ...problems('plan_limit', 'reauthentication_required', 'conflict') },
      }),
    )
    .get(
      '/:id',
      async ({ caller, params }) => {
        const id = parseUuid(params.id);
        const row = requireFound(await deps.database.asService((sql) => readInvitation(sql, caller, id)));
        return invitationView(row, caller.userId);
      },
      signedIn('getInvitation', person(null), { summary: 'Get an invitation', response: { 200: Invitation } }),
    )
    .delete(
      '/:id',
      async ({ caller, params }) => {
        await withdrawInvitation(deps, caller, params.id);
      },
      signedIn('revokeInvitation', person('invitation_withdrawn'), {
        summary: 'Withdraw an invitation you sent',
        response: { 204: t.Void(), ...problems('conflict') },
      }),
    )
    .post(
      '/:id/accept',
      async ({ caller, params, body }) =>
        invitationView(await acceptInvitation(deps, caller, params.id, body.token), caller.userId),
      signedIn('acceptInvitation', lasting('invitation_accepted'), {
        summary: 'Accept an invitation with the emailed link',
        description:
          'A request gives the inviter access to your books in that role, until you end it with `DELETE /account/grants/{id}`. An offer or a handover adds a client to your account. An ownership makes you the owner of books that a CPA created. They replace your own books, which must contain no transactions and must not be shared. The CPA keeps the role until you end it. A request and an ownership require a recent sign-in.',
        body: InvitationToken,
        response: { 200: Invitation, ...problems('plan_limit', 'reauthentication_required', 'conflict') },
      }),
    )
    .post(
      '/:id/decline',
      async ({ caller, params }) => invitationView(await declineInvitation(deps, caller, params.id), caller.userId),
      signedIn('declineInvitation', lasting('invitation_declined'), {
        summary: 'Decline an invitation',
        response: { 200: Invitation, ...problems('conflict') },
      }),
    )
    .post(
      '/:id/mail',
      async ({ caller, params }) => {
        deps.rateLimits.take('mail', caller.userId);
        await sendAgain(deps, caller, params.id);
      },
      signedIn('inviteAgain', lasting('invitation_mailed'), {
        summary: 'Send the invitation again',
        description: 'Both sides can do this. The previous link stops working.',
        response: { 204: t.Void(), ...problems('conflict') },
      }),
    )
    .post(
      '/:id/link',
      async ({ caller, params }) => ({ link: await createInvitationLink(deps, caller, params.id) }),
      signedIn('createInvitationLink', lasting('invitation_linked'), {
        summary: 'Create a link to an invitation you sent, on a server without email',
        description:
          'Give the link to the invited person yourself. Both the link and an account with the invited address are required to accept. The previous link stops working. On a server that sends email the response is `conflict`, because there the emailed link proves who reads the address. An offer, a handover and an ownership require a recent sign-in.',
        response: { 200: InvitationLink, ...problems('reauthentication_required', 'conflict') },
      }),
    );
