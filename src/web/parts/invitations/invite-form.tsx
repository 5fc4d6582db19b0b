import { useState } from 'preact/hooks';
import { type InvitationOrder, sendInvitation } from '../../api/invitations.ts';
import { roleWords } from '../../format/roles.ts';
import { Dialog } from '../dialog.tsx';
import { Choice, Field } from '../field.tsx';
import { ProblemNotice } from '../problem-notice.tsx';
import { say } from '../toasts.tsx';
import { useAct } from '../use-act.ts';

/** What is asked for or offered, and about what. */
export type InvitationPurpose =
  | { readonly kind: 'request' }
  | { readonly kind: 'offer'; readonly grants: readonly { readonly id: string; readonly email: string }[] }
  | { readonly kind: 'handover' | 'ownership'; readonly client: { readonly id: string; readonly name: string } };

interface InviteFormProps {
  readonly purpose: InvitationPurpose;
  readonly onClose: () => void;
}

type GivenRole = NonNullable<InvitationOrder['role']>;
const givenRoles: readonly GivenRole[] = ['viewer', 'preparer', 'reviewer'];

/** Invites somebody by e-mail. */
export function InviteForm({ purpose, onClose }: InviteFormProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<GivenRole>('preparer');
  const [replaces, setReplaces] = useState('');
  const { act, problem, isBusy, problemOfField } = useAct();
  const send = async () => {
    const { kind } = purpose;
    if (kind === 'handover') await sendInvitation({ kind, email, client: purpose.client.id });
    else if (kind === 'ownership') await sendInvitation({ kind, email, role, client: purpose.client.id });
    else await sendInvitation({ kind, email, role, ...(replaces === '' ? {} : { replaces }) });
    say(`A mail is on its way to ${email}. Nothing changes before it is accepted.`);
  };
  return (
    <Dialog title={titleOf(purpose)} onClose={onClose}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          if (await act(send)) onClose();
        }}
      >
        <p>{leads[purpose.kind]}</p>
        {problem !== null && <ProblemNotice problem={problem} />}
        <div class="fields">
          <Field
            label={isToClient(purpose.kind) ? 'E-mail of the client' : 'E-mail of the CPA'}
            type="email"
            isRequired
            value={email}
            onInput={setEmail}
            problem={problemOfField('email')}
          />
          {purpose.kind !== 'handover' && (
            <Choice
              label={purpose.kind === 'ownership' ? 'The role that you keep' : 'Role'}
              value={role}
              options={givenRoles.map((each) => ({ value: each, label: roleWords[each].name }))}
              onChange={setRole}
              hint={`${roleWords[role].name}: ${roleWords[role].may}.`}
            />
          )}
          {purpose.kind === 'offer' && purpose.grants.length > 0 && (
            <Choice
              label="In the place of"
              value={replaces}
              options={[
                { value: '', label: 'Nobody: one more' },
                ...purpose.grants.map(({ id, email: other }) => ({ value: id, label: other })),
              ]}
              onChange={setReplaces}
              hint="Whose access ends when the other one accepts."
            />
          )}
        </div>
        <p class="actions">
          <button type="submit" class="primary" disabled={isBusy}>
            Mail the invitation
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function isToClient(kind: InvitationPurpose['kind']): boolean {
  return kind === 'request' || kind === 'ownership';
}

function titleOf(purpose: InvitationPurpose): string {
  if (purpose.kind === 'request') return 'Invite a client';
  if (purpose.kind === 'ownership') return `Give ${purpose.client.name} the books`;
  return purpose.kind === 'offer' ? 'Let a CPA into your books' : `Hand over ${purpose.client.name}`;
}

const leads: Readonly<Record<InvitationPurpose['kind'], string>> = {
  request:
    'Somebody with books of their own in Lotbook. They see who asks and for which role, and can end your access at any moment.',
  offer: 'A CPA with the CPA plan. Whoever you let in can be shown out again at any moment, under Account.',
  ownership:
    'Your client signs in to Lotbook and owns these books from then on, once they accept. You keep a role in them, until they end it. Their own books must be empty.',
  handover: 'Another CPA gets these books with everything in them, once they accept. You see them no more then.',
};
