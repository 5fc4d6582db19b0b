import {
  type InvitationAnswer,
  mailInvitation,
  useOpenInvitations,
  withdrawInvitation,
} from '../../api/invitations.ts';
import { day } from '../../format/dates.ts';
import { roleWords } from '../../format/roles.ts';
import { say, sayProblem } from '../toasts.tsx';

/** Invitations that wait for an answer: those that one sent, and those that one got. Nothing where there are none. */
export function OpenInvitations() {
  const open = useOpenInvitations().data?.data ?? [];
  if (open.length === 0) return null;
  return (
    <section class="card" aria-labelledby="open-invitations">
      <h2 id="open-invitations">Invitations that wait</h2>
      <ul class="access">
        {open.map((invitation) => (
          <li key={invitation.id}>
            <div>
              <p>
                <a href={`/invitations/${invitation.id}`}>{subjectOf(invitation)}</a>
              </p>
              <p class="fine">
                {roleWords[invitation.role].name}. Until {day(invitation.expiresAt)}.
              </p>
            </div>
            <Acts invitation={invitation} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Acts({ invitation: { id, email, direction } }: { readonly invitation: InvitationAnswer }) {
  const mail = async () => {
    await mailInvitation(id);
    say(`The link is mailed to ${email} again. The one before works no more.`);
  };
  const withdraw = async () => {
    await withdrawInvitation(id);
    say(`The invitation to ${email} is withdrawn.`);
  };
  return (
    <p class="actions">
      <button type="button" onClick={() => mail().catch(sayProblem)}>
        Mail the link again
      </button>
      {direction === 'sent' && (
        <button
          type="button"
          aria-label={`Withdraw the invitation to ${email}`}
          onClick={() => withdraw().catch(sayProblem)}
        >
          Withdraw
        </button>
      )}
    </p>
  );
}

/** What it is about, in one sentence. */
function subjectOf({ kind, direction, email, from, books }: InvitationAnswer): string {
  const named = books ?? 'a client';
  if (direction === 'sent') {
    if (kind === 'request') return `You ask ${email} for access`;
    if (kind === 'ownership') return `You give ${email} the books of ${named}`;
    return kind === 'offer' ? `You let ${email} into your books` : `You hand ${named} to ${email}`;
  }
  if (kind === 'request') return `${from.email} asks to see your books`;
  if (kind === 'ownership') return `${from.email} gives you your books`;
  return kind === 'offer' ? `${from.email} lets you into books` : `${from.email} hands ${named} to you`;
}
