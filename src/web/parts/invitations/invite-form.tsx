import { useState } from 'preact/hooks';
import { type InvitationRequest, sendInvitation } from '../../api/invitations.ts';
import { roleWords } from '../../format/roles.ts';
import { Dialog } from '../dialog.tsx';
import { Choice, Field } from '../field.tsx';
import { ProblemNotice } from '../problem-notice.tsx';
import { say } from '../toasts.tsx';
import { useAction } from '../use-act.ts';

/** The kind of invitation, with its client. */
export type InvitationPurpose =
  | { readonly kind: 'request' }
  | { readonly kind: 'offer'; readonly grants: readonly { readonly id: string; readonly email: string }[] }
  | { readonly kind: 'handover' | 'ownership'; readonly client: { readonly id: string; readonly name: string } };

interface InviteFormProps {
  readonly purpose: InvitationPurpose;
  readonly onClose: () => void;
}

type GrantableRole = NonNullable<InvitationRequest['role']>;
const grantableRoles: readonly GrantableRole[] = ['viewer', 'preparer', 'reviewer'];

/** Sends an invitation by email. */
export function InviteForm({ purpose, onClose }: InviteFormProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<GrantableRole>('preparer');
  const [replaces, setReplaces] = useState('');
  const { act, problem, isBusy, problemOfField } = useAction();
  const send = async () => {
    const { kind } = purpose;
    if (kind === 'handover') await sendInvitation({ kind, email, client: purpose.client.id });
    else if (kind === 'ownership') await sendInvitation({ kind, email, role, client: purpose.client.id });
    else await sendInvitation({ kind, email, role, ...(replaces === '' ? {} : { replaces }) });
    say(`Invitation sent to ${email}. Nothing changes until it is accepted.`);
  };
  return (
    <Dialog title={formatTitle(purpose)} onClose={onClose}>
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
            label={isToClient(purpose.kind) ? "Client's email" : "CPA's email"}
            type="email"
            isRequired
            value={email}
            onInput={setEmail}
            problem={problemOfField('email')}
          />
          {purpose.kind !== 'handover' && (
            <Choice
              label={purpose.kind === 'ownership' ? 'Role you keep' : 'Role'}
              value={role}
              options={grantableRoles.map((each) => ({ value: each, label: roleWords[each].name }))}
              onChange={setRole}
              hint={`${roleWords[role].name}: ${roleWords[role].may}.`}
            />
          )}
          {purpose.kind === 'offer' && purpose.grants.length > 0 && (
            <Choice
              label="Replaces"
              value={replaces}
              options={[
                { value: '', label: 'No one (adds a CPA)' },
                ...purpose.grants.map(({ id, email: other }) => ({ value: id, label: other })),
              ]}
              onChange={setReplaces}
              hint="Loses access when the new CPA accepts."
            />
          )}
        </div>
        <p class="actions">
          <button type="submit" class="primary" disabled={isBusy}>
            Send invitation
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

function formatTitle(purpose: InvitationPurpose): string {
  if (purpose.kind === 'request') return 'Invite a client';
  if (purpose.kind === 'ownership') return `Transfer ownership to ${purpose.client.name}`;
  return purpose.kind === 'offer' ? 'Invite a CPA' : `Transfer ${purpose.client.name} to another CPA`;
}

const leads: Readonly<Record<InvitationPurpose['kind'], string>> = {
  request:
    'For someone who already uses Lotbook. They see who is asking and for which role, and can end your access at any time.',
  offer: 'For a CPA with the CPA plan. You can remove their access at any time under Shared access.',
  ownership:
    'Once they accept, your client signs in to Lotbook and owns this account. You keep a role until they remove it. Their own Lotbook account must be empty.',
  handover: 'Once they accept, another CPA takes over this account with everything in it, and you lose access.',
};
