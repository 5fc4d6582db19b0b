import { useState } from 'preact/hooks';
import {
  createInvitationLink,
  type InvitationDetails,
  mailInvitation,
  useOpenInvitations,
  withdrawInvitation,
} from '../../api/invitations.ts';
import { useSendsMail } from '../../api/server-config.ts';
import { day } from '../../format/dates.ts';
import { roleWords } from '../../format/roles.ts';
import { Button } from '../button.tsx';
import { CopyText } from '../copy-text.tsx';
import { Card } from '../page.tsx';
import { say, sayProblem } from '../toasts.tsx';

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
  const mail = async () => {
    await mailInvitation(id);
    say(`New link sent to ${email}. The previous one no longer works.`);
  };
  const showLink = async () => setLink(await createInvitationLink(id));
  const withdraw = async () => {
    await withdrawInvitation(id);
    say(`Invitation to ${email} withdrawn.`);
  };
  return (
    <div class="actions">
      {link !== '' && <CopyText text={link} what="Link" />}
      {sendsMail ? (
        <Button label="Resend link" onClick={() => mail().catch(sayProblem)} />
      ) : (
        direction === 'sent' && <Button label="New link" onClick={() => showLink().catch(sayProblem)} />
      )}
      {direction === 'sent' && (
        <Button
          label="Withdraw"
          aria-label={`Withdraw the invitation to ${email}`}
          onClick={() => withdraw().catch(sayProblem)}
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
