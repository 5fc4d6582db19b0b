import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import {
  acceptInvitation,
  declineInvitation,
  type InvitationAnswer,
  mailInvitation,
  useInvitation,
} from '../api/invitations.ts';
import { account } from '../api/session.ts';
import { day } from '../format/dates.ts';
import { roleWords } from '../format/roles.ts';
import { Page } from '../parts/page.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { ResourceView } from '../parts/resource-view.tsx';
import { say, sayProblem } from '../parts/toasts.tsx';
import { useAct } from '../parts/use-act.ts';

/** Where the mailed link leads: who asks for what, and yes or no. Nothing happens by opening it. */
export default function InvitationPage() {
  const id = useRoute().params.id ?? '';
  const [token] = useState(() => location.hash.slice(1));
  const reading = useInvitation(id);
  if (reading.problem?.status === 404) return <NotYours />;
  return (
    <Page title={reading.data === undefined ? 'An invitation' : titleOf(reading.data)}>
      <ResourceView reading={reading}>{(data) => <InvitationCard invitation={data} token={token} />}</ResourceView>
    </Page>
  );
}

function NotYours() {
  return (
    <Page title="This invitation is not here">
      <section class="card">
        <p>
          You are signed in as {account.value?.email}. The invitation went to another address, or whoever sent it has
          withdrawn it. Sign in with the address that got the mail, then open its link again.
        </p>
      </section>
    </Page>
  );
}

interface InvitationCardProps {
  readonly invitation: InvitationAnswer;
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
          {from.name !== '' && `, who calls themselves ${from.name}`}
        </dd>
        <dt>To</dt>
        <dd>{email}</dd>
        <dt>Books</dt>
        <dd>{booksOf(invitation, books)}</dd>
        <dt>{kind === 'ownership' ? 'Role of the CPA' : 'Role'}</dt>
        <dd>
          <strong>{roleWords[role].name}</strong>: {roleWords[role].may}.
        </dd>
        {replaces !== null && (
          <>
            <dt>In the place of</dt>
            <dd>{replaces}, whose access ends then</dd>
          </>
        )}
        <dt>State</dt>
        <dd>{state === 'open' ? `waits for an answer until ${day(expiresAt)}` : state}</dd>
      </dl>
      {kind === 'request' && isWaiting && (
        <p>
          They never see or change how you sign in, your plan, or who else you let in. You end it at any moment under{' '}
          <a href="/account">Account</a>; your books stay as they are.
        </p>
      )}
      {kind === 'ownership' && isWaiting && (
        <p>
          These books become your own, in the place of the empty ones that your account has. {from.email} keeps the role
          above, until you end it under <a href="/account">Account</a>.
        </p>
      )}
      {isWaiting && (token === '' ? <WithoutLink invitation={invitation} /> : null)}
      {isWaiting && <Answer invitation={invitation} token={token} />}
    </section>
  );
}

/** Found in the list: only who reads the mails of the address accepts. */
function WithoutLink({ invitation: { id, email } }: Pick<InvitationCardProps, 'invitation'>) {
  const mail = async () => {
    await mailInvitation(id);
    say(`A mail with the link is on its way to ${email}.`);
  };
  return (
    <div class="notice">
      <div>
        <p>To accept, open the link in the mail to {email}: it shows that the address is yours.</p>
        <p class="actions">
          <button type="button" onClick={() => mail().catch(sayProblem)}>
            Mail the link again
          </button>
        </p>
      </div>
    </div>
  );
}

function Answer({ invitation, token }: InvitationCardProps) {
  const { id, kind, from } = invitation;
  const { route } = useLocation();
  const { act, problem, isBusy } = useAct();
  const accept = async () => {
    await acceptInvitation(id, token);
    // Other books are one's own now: all that was read, and the stream of events, is of the ones before.
    if (kind === 'ownership') return location.assign('/year');
    say(kind === 'request' ? `${from.email} sees your books now.` : 'You have a client more.');
    route(kind === 'request' ? '/account' : '/clients', true);
  };
  const decline = async () => {
    await declineInvitation(id);
    say('The invitation is declined.');
  };
  return (
    <>
      {problem !== null && <ProblemNotice problem={problem} />}
      <p class="actions">
        {token !== '' && (
          <button type="button" class="primary" disabled={isBusy} onClick={() => void act(accept)}>
            {verbs[kind] ?? 'Accept'}
          </button>
        )}
        <button type="button" disabled={isBusy} onClick={() => void act(decline)}>
          Decline
        </button>
      </p>
    </>
  );
}

const verbs: Partial<Record<InvitationAnswer['kind'], string>> = {
  request: 'Let them in',
  ownership: 'Take the books over',
};

function titleOf({ kind, direction }: InvitationAnswer): string {
  if (direction === 'sent') return 'Your invitation';
  if (kind === 'ownership') return 'A CPA gives you your books';
  if (kind === 'request') return 'Somebody asks to see your books';
  return kind === 'offer' ? 'Somebody lets you into books' : 'A CPA hands you a client';
}

function booksOf({ kind, direction, email, from }: InvitationAnswer, name: string | null): string {
  if (kind === 'request') return direction === 'received' ? 'your own' : `those of ${email}`;
  if (name !== null) return name;
  return kind === 'offer' && direction === 'received' ? `those of ${from.email}` : 'your own';
}
