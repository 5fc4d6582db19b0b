import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { api, write } from '../api/api.ts';
import { acceptInvitation, type InvitationDetails, useInvitation } from '../api/invitations.ts';
import { account } from '../api/session.ts';
import { useSendsMail } from '../api/status.ts';
import { say, sayEmailed } from '../api/toasts.ts';
import { day } from '../format/dates.ts';
import { roleWords } from '../format/roles.ts';
import { ActionButton, Button, useAction } from '../parts/button.tsx';
import { Page, ProblemNotice, ResourceView } from '../parts/page.tsx';

/** An emailed invitation: who requests or offers what, to accept or decline. Opening it changes nothing. */
export default function InvitationPage() {
  const id = useRoute().params.id ?? '';
  const [token] = useState(() => location.hash.slice(1));
  const reading = useInvitation(id);
  if (reading.problem?.status === 404) return <NotYours />;
  return (
    <Page title={reading.data === undefined ? 'An invitation' : describeInvitation(reading.data)}>
      <ResourceView reading={reading}>{(data) => <InvitationCard invitation={data} token={token} />}</ResourceView>
    </Page>
  );
}

function NotYours() {
  return (
    <Page title="Invitation not found">
      <section class="card">
        <p>
          You are signed in as {account.value?.email}. The invitation was sent to another address, or it was withdrawn.
          Sign in with the invited address, then open the link again.
        </p>
      </section>
    </Page>
  );
}

interface InvitationCardProps {
  readonly invitation: InvitationDetails;
  readonly token: string;
}

function InvitationCard({ invitation, token }: InvitationCardProps) {
  const { kind, direction, state, from, email, role, books, replaces, expiresAt } = invitation;
  const isWaiting = state === 'open' && direction === 'received';
  return (
    <section class="card">
      <dl class="terms">
        <dt>From</dt>
        <dd>
          {from.email}
          {from.name !== '' && ` (${from.name})`}
        </dd>
        <dt>To</dt>
        <dd>{email}</dd>
        <dt>Account</dt>
        <dd>{describeBooks(invitation, books)}</dd>
        <dt>{kind === 'ownership' ? "CPA's role" : 'Role'}</dt>
        <dd>
          <strong>{roleWords[role].name}</strong>: {roleWords[role].may}.
        </dd>
        {replaces !== null && (
          <>
            <dt>Replaces</dt>
            <dd>{replaces}, who then loses access</dd>
          </>
        )}
        <dt>Status</dt>
        <dd>{state === 'open' ? `Pending until ${day(expiresAt)}` : state}</dd>
      </dl>
      {kind === 'request' && isWaiting && (
        <p>
          They can't see or change how you sign in, your plan, or who else has access. You can remove their access at
          any time under <a href="/account/access">Shared access</a>; your records stay the same.
        </p>
      )}
      {kind === 'ownership' && isWaiting && (
        <p>
          This account becomes yours and replaces your own empty one. {from.email} keeps the role above until you remove
          it under <a href="/account/access">Shared access</a>.
        </p>
      )}
      {isWaiting && token === '' && <WithoutLink invitation={invitation} />}
      {isWaiting && <Answer invitation={invitation} token={token} />}
    </section>
  );
}

/** The invitation was opened from the list. Only someone who can read the address's email may accept it. */
function WithoutLink({ invitation: { id, email, from } }: Pick<InvitationCardProps, 'invitation'>) {
  const sendsMail = useSendsMail();
  const mail = async () => {
    await write(api.invitations({ id }).mail.post());
    sayEmailed(email);
  };
  if (!sendsMail) {
    return (
      <p class="notice">
        To accept, open the invitation link. This server can't send email, so ask {from.email} for it.
      </p>
    );
  }
  return (
    <div class="notice">
      <div>
        <p>To accept, open the link in the email to {email}. This verifies your address.</p>
        <p class="actions">
          <ActionButton label="Resend link" act={mail} />
        </p>
      </div>
    </div>
  );
}

function Answer({ invitation, token }: InvitationCardProps) {
  const { id, kind, from } = invitation;
  const { route } = useLocation();
  const { act, problem, isBusy } = useAction();
  const accept = async () => {
    await acceptInvitation(id, token);
    // The user now owns other books. All loaded data and the event stream belong to the previous ones.
    if (kind === 'ownership') return location.assign('/overview');
    say(kind === 'request' ? `${from.email} now has access.` : 'Client added.');
    route(kind === 'request' ? '/account/access' : '/clients', true);
  };
  const decline = async () => {
    await write(api.invitations({ id }).decline.post());
    say('Invitation declined.');
  };
  return (
    <>
      {problem !== null && <ProblemNotice problem={problem} />}
      <p class="actions">
        {token !== '' && (
          <Button
            label={verbs[kind] ?? 'Accept'}
            class="primary"
            aria-disabled={isBusy}
            onClick={() => void act(accept)}
          />
        )}
        <Button label="Decline" aria-disabled={isBusy} onClick={() => void act(decline)} />
      </p>
    </>
  );
}

const verbs: Partial<Record<InvitationDetails['kind'], string>> = {
  request: 'Give access',
  ownership: 'Take over the account',
};

function describeInvitation({ kind, direction }: InvitationDetails): string {
  if (direction === 'sent') return 'Your invitation';
  if (kind === 'ownership') return 'Your CPA is giving you your account';
  if (kind === 'request') return 'A CPA requested access';
  return kind === 'offer' ? "You're invited to an account" : 'A CPA is transferring a client to you';
}

function describeBooks({ kind, direction, email, from }: InvitationDetails, name: string | null): string {
  if (kind === 'request') return direction === 'received' ? 'yours' : `the account of ${email}`;
  if (name !== null) return name;
  return kind === 'offer' && direction === 'received' ? `the account of ${from.email}` : 'yours';
}
