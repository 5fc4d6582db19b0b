import { t } from 'elysia';
import { closed, id, instant, nullable, oneOf } from '../../../http/schemas.ts';
import { grantedRoles } from '../../auth/permissions.ts';
import { email } from '../../auth/schemas.ts';
import { type InvitationRow, invitationKinds, invitationStates } from './queries.ts';

const kind = oneOf(
  invitationKinds,
  '`request`: to be let into the books of the invited. `offer`: lets them into one’s own. `handover`: gives them a client who has no account. `ownership`: gives the client, who has an account by now, the books that one made for them.',
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
    email: t.String({ description: 'Who is invited.' }),
    role: oneOf(
      [...grantedRoles, 'manager'],
      'What is given: to the inviter by a request and kept by the inviter of an ownership, else given to the invited.',
    ),
    books: nullable(t.String({ description: 'The name of the books, where they have one; null of a request.' })),
    replaces: nullable(t.String({ description: 'The address of who loses access when it is accepted.' })),
    createdAt: instant,
    expiresAt: instant,
  },
  { title: 'Invitation' },
);

export const InvitationBody = closed(
  {
    kind,
    email,
    role: t.Optional(granted),
    client: t.Optional(t.String({ description: 'Of a handover and an ownership: the id of the client.' })),
    replaces: t.Optional(
      t.String({
        description: 'Of an offer: the id of a grant that ends when it is accepted. So one changes the CPA.',
      }),
    ),
  },
  { title: 'InvitationBody', examples: [{ kind: 'request', email: 'jo@example.com', role: 'preparer' }] },
);

export const InvitationToken = closed(
  { token: t.String({ maxLength: 100, description: 'What stands in the mailed link after the #.' }) },
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
