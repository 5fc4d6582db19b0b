import { t } from 'elysia';
import { closed, id, instant, nullable, oneOf } from '../../../http/schemas.ts';
import { grantedRoles } from '../../auth/permissions.ts';
import { email } from '../../auth/schemas.ts';
import { type InvitationRow, invitationKinds, invitationStates } from './queries.ts';

const kind = oneOf(
  invitationKinds,
  '`request`: asks for access to the invited user’s books. `offer`: gives access to the inviter’s own books. `handover`: transfers a client without an account. `ownership`: gives a client who now has an account the books that the inviter created for them.',
);
const granted = oneOf(
  grantedRoles,
  'A viewer reads and downloads; a preparer also imports, edits and calculates; a reviewer also signs off and locks.',
);

export const Invitation = closed(
  {
    id,
    kind,
    direction: oneOf(['sent', 'received']),
    state: oneOf(invitationStates),
    from: closed({ email: t.String(), name: t.String() }, { title: 'Inviter' }),
    email: t.String({ description: 'The invited address.' }),
    role: oneOf(
      [...grantedRoles, 'manager'],
      'The role. In a request the inviter gets it, in an ownership the inviter keeps it, otherwise the invited user gets it.',
    ),
    books: nullable(t.String({ description: 'The name of the books, if they have one; null for a request.' })),
    replaces: nullable(
      t.String({ description: 'The address of the user who loses access when the invitation is accepted.' }),
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
    client: t.Optional(t.String({ description: 'The id of the client, for a handover or an ownership.' })),
    replaces: t.Optional(
      t.String({
        description: 'The id of a grant that ends when an offer is accepted. Use it to change CPAs.',
      }),
    ),
  },
  { title: 'NewInvitation', examples: [{ kind: 'request', email: 'jo@example.com', role: 'preparer' }] },
);

export const InvitationToken = closed(
  { token: t.String({ maxLength: 100, description: 'The part of the mailed link after the #.' }) },
  { examples: [{ token: 'nbswy3dpo5xxe3denbswy3dpo5xxe3de' }] },
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
