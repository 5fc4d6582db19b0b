import { useState } from 'preact/hooks';
import { api, write } from '../../api/api.ts';
import {
  createInvitationLink,
  type InvitationDetails,
  type InvitationRequest,
  sendInvitation,
  useOpenInvitations,
} from '../../api/invitations.ts';
import { useSendsMail } from '../../api/status.ts';
import { say } from '../../api/toasts.ts';
import { day } from '../../format/dates.ts';
import { roleWords } from '../../format/roles.ts';
import { ActionButton, Button } from '../button.tsx';
import { CopyText } from '../copy-text.tsx';
import { Dialog } from '../dialog.tsx';
import { Form, filled } from '../form.tsx';
import { Card } from '../page.tsx';

/** The kind of invitation, with its client. */
type InvitationPurpose =
  | { readonly kind: 'request' }
  | { readonly kind: 'offer'; readonly grants: readonly { readonly id: string; readonly email: string }[] }
  | { readonly kind: 'handover' | 'ownership'; readonly client: { readonly id: string; readonly name: string } };

type GrantableRole = NonNullable<InvitationRequest['role']>;
const grantableRoles: readonly GrantableRole[] = ['viewer', 'preparer', 'reviewer'];

/** Sends an invitation by email, or creates a link to pass on if the server cannot send email. */
export function InviteForm({ purpose, onClose }: Readonly<{ purpose: InvitationPurpose; onClose: () => void }>) {
  /** On a server without email, the link to pass on. */
  const [passed, setPassed] = useState<{ readonly email: string; readonly link: string } | null>(null);
  const sendsMail = useSendsMail();
  if (passed !== null) return <LinkToPassOn {...passed} onClose={onClose} />;
  const { kind } = purpose;
  const grants = kind === 'offer' ? purpose.grants : [];
  return (
    <Dialog title={formatTitle(purpose)} onClose={onClose}>
      <Form
        lead={<p>{leads[kind]}</p>}
        fields={{
          email: {
            label: kind === 'request' || kind === 'ownership' ? "Client's email" : "CPA's email",
            type: 'email',
            isRequired: true,
          },
          role: {
            label: kind === 'ownership' ? 'Role you keep' : 'Role',
            isHidden: kind === 'handover',
            value: 'preparer',
            options: grantableRoles.map((value) => ({ value, label: roleWords[value].name })),
            hint: (role) => `${roleWords[role as GrantableRole].name}: ${roleWords[role as GrantableRole].may}.`,
          },
          replaces: {
            label: 'Replaces',
            isHidden: grants.length === 0,
            options: [
              { value: '', label: 'No one (adds a CPA)' },
              ...grants.map(({ id, email }) => ({ value: id, label: email })),
            ],
            hint: 'Loses access when the new CPA accepts.',
          },
        }}
        verb={sendsMail ? 'Send invitation' : 'Create invitation link'}
        busy={sendsMail ? 'Sending…' : 'Creating…'}
        onSubmit={async ({ email, role, replaces }) => {
          const id = await sendInvitation({
            kind,
            email,
            ...(kind === 'handover' ? {} : { role }),
            ...('client' in purpose ? { client: purpose.client.id } : filled({ replaces })),
          });
          if (!sendsMail) return setPassed({ email, link: await createInvitationLink(id) });
          say(`Invitation sent to ${email}. Nothing changes until it is accepted.`);
          onClose();
        }}
        onClose={onClose}
      />
    </Dialog>
  );
}

function LinkToPassOn({ email, link, onClose }: Readonly<{ email: string; link: string; onClose: () => void }>) {
  return (
    <Dialog title="Send this link yourself" onClose={onClose}>
      <p>
        This server can't send email. Give this link to {email}. It works once they are signed in with that address, and
        it won't be shown again. Nothing changes until they accept.
      </p>
      <CopyText text={link} what="Link" />
      <p class="actions">
        <Button label="Done" onClick={onClose} />
      </p>
    </Dialog>
  );
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

/** Pending invitations, sent and received. Renders nothing if there are none. */
export function OpenInvitations() {
  const open = useOpenInvitations().data?.data ?? [];
  if (open.length === 0) return null;
  return (
    <Card id="open-invitations" title="Pending invitations">
      <ul class="access">
        {open.map((invitation) => (
          <li key={invitation.id}>
            <div>
              <p>
                <a href={`/invitations/${invitation.id}`}>{describeInvitation(invitation)}</a>
              </p>
              <p class="fine">
                {roleWords[invitation.role].name}. Until {day(invitation.expiresAt)}.
              </p>
            </div>
            <InvitationActions invitation={invitation} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function InvitationActions({ invitation: { id, email, direction } }: { readonly invitation: InvitationDetails }) {
  const sendsMail = useSendsMail();
  const [link, setLink] = useState('');
  const showLink = async () => setLink(await createInvitationLink(id));
  return (
    <div class="actions">
      {link !== '' && <CopyText text={link} what="Link" />}
      {sendsMail ? (
        <ActionButton
          label="Resend link"
          act={() => write(api.invitations({ id }).mail.post())}
          said={`New link sent to ${email}. The previous one no longer works.`}
        />
      ) : (
        direction === 'sent' && <ActionButton label="New link" act={showLink} />
      )}
      {direction === 'sent' && (
        <ActionButton
          label="Withdraw"
          aria-label={`Withdraw the invitation to ${email}`}
          act={() => write(api.invitations({ id }).delete())}
          said={`Invitation to ${email} withdrawn.`}
        />
      )}
    </div>
  );
}

/** A one-sentence summary of the invitation. */
function describeInvitation({ kind, direction, email, from, books }: InvitationDetails): string {
  const named = books ?? 'a client';
  if (direction === 'sent') {
    if (kind === 'request') return `You requested access from ${email}`;
    if (kind === 'ownership') return `You offered ${email} ownership of ${named}`;
    return kind === 'offer' ? `You invited ${email} to your account` : `You offered to transfer ${named} to ${email}`;
  }
  if (kind === 'request') return `${from.email} requests access`;
  if (kind === 'ownership') return `${from.email} offers you ownership of your account`;
  return kind === 'offer'
    ? `${from.email} invites you to their account`
    : `${from.email} offers to transfer ${named} to you`;
}
