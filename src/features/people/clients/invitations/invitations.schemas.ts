import { t } from 'elysia';
import { closed, id, instant, nullable, oneOf } from '../../../../http/schemas.ts';
import { email } from '../../auth/auth.schemas.ts';
import { grantedRoles } from '../../auth/permissions.ts';
import { type InvitationRow, invitationKinds, invitationStates } from './invitations.queries.ts';

const kind = oneOf(
  invitationKinds,
  '`request`: asks for access to the invited user’s books. `offer`: gives access to the inviter’s own books. `handover`: transfers a client without an account. `ownership`: gives the books to a client who now has an account, for whom the inviter created them.',
);
const granted = oneOf(
  grantedRoles,
  'A viewer can view and download. A preparer can also import, edit and calculate. A reviewer can also sign off and lock years.',
);

export const Invitation = closed(
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

export const NewInvitation = closed(
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

export const InvitationToken = closed(
  { token: t.String({ maxLength: 100, description: 'The part of the emailed link after the #.' }) },
  { examples: [{ token: 'nbswy3dpo5xxe3denbswy3dpo5xxe3de' }] },
);

export const InvitationLink = closed(
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

export function invitationView(row: InvitationRow, userId: string) {
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
