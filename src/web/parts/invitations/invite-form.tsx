import { useState } from 'preact/hooks';
import { createInvitationLink, type InvitationRequest, sendInvitation } from '../../api/invitations.ts';
import { useServerConfig } from '../../api/server-config.ts';
import { roleWords } from '../../format/roles.ts';
import { CopyText } from '../copy-text.tsx';
import { Dialog } from '../dialog.tsx';
import { Choice, Field } from '../field.tsx';
import { ProblemNotice } from '../problem-notice.tsx';
import { say } from '../toasts.tsx';
import { useAction } from '../use-action.ts';

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

/** Sends an invitation by email, or creates a link to pass on if the server cannot send email. */
export function InviteForm({ purpose, onClose }: InviteFormProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<GrantableRole>('preparer');
  const [replaces, setReplaces] = useState('');
  const { act, problem, isBusy, problemOfField } = useAction();
  /** On a server without email, the link to pass on. */
  const [link, setLink] = useState('');
  const sendsMail = useServerConfig().data?.mail ?? true;
  const send = async () => {
    const id = await sendInvitation(buildRequest(purpose, { email, role, replaces }));
    if (!sendsMail) return setLink(await createInvitationLink(id));
    say(`Invitation sent to ${email}. Nothing changes until it is accepted.`);
    onClose();
  };
  if (link !== '') return <LinkToPassOn email={email} link={link} onClose={onClose} />;
  return (
    <Dialog title={formatTitle(purpose)} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void act(send);
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
            {sendsMail ? 'Send invitation' : 'Create invitation link'}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}

interface InviteFields {
  readonly email: string;
  readonly role: GrantableRole;
  readonly replaces: string;
}

function buildRequest(purpose: InvitationPurpose, { email, role, replaces }: InviteFields): InvitationRequest {
  const { kind } = purpose;
  if (kind === 'handover') return { kind, email, client: purpose.client.id };
  if (kind === 'ownership') return { kind, email, role, client: purpose.client.id };
  return { kind, email, role, ...(replaces === '' ? {} : { replaces }) };
}

interface LinkToPassOnProps {
  readonly email: string;
  readonly link: string;
  readonly onClose: () => void;
}

function LinkToPassOn({ email, link, onClose }: LinkToPassOnProps) {
  return (
    <Dialog title="Send this link yourself" onClose={onClose}>
      <p>
        This server can't send email. Give this link to {email}. It works once they are signed in with that address, and
        it won't be shown again. Nothing changes until they accept.
      </p>
      <CopyText text={link} what="Link" />
      <p class="actions">
        <button type="button" onClick={onClose}>
          Done
        </button>
      </p>
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
