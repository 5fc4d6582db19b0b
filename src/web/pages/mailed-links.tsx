import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, unwrapResponse } from '../api/api.ts';
import { homePath } from '../api/books.ts';
import { loadAccount } from '../api/session.ts';
import { LinkButton, useAction } from '../parts/button.tsx';
import { Outcome, Page, ProblemNotice, UsedLink } from '../parts/page.tsx';

interface Next {
  readonly label: string;
  readonly href: string;
}

interface Done {
  readonly title: string;
  readonly lead: string;
  /** The next page. The default is the overview. */
  readonly next?: Next;
}

interface MailedLink {
  readonly title: string;
  /** Why the user should confirm. */
  readonly lead: string;
  /** The button text. */
  readonly verb: string;
  /** Sends the token, which is in the URL fragment (#) that servers never receive. */
  readonly use: (token: string) => Promise<unknown>;
  readonly done: Done | ((result: unknown) => Done);
  /** The page that sends a new link, or another next page, or null if there is none. */
  readonly renewal: Next | null;
  /** The text of another link, which leaves everything as it is. */
  readonly decline?: string;
}

const address = { title: 'Confirm your email address', verb: 'Confirm address' };
const newLink = (href: string): Next => ({ label: 'Request a new link', href });
const reset = { label: 'Set a new password', href: '/reset' };
const notifications = { label: 'Notifications', href: '/notifications' };

/** Every emailed link that needs only a click, by path. */
const links: Readonly<Record<string, MailedLink>> = {
  // In the email to a new account.
  '/email/verify': {
    ...address,
    lead: 'Confirm that our email reaches you.',
    use: (token) => unwrapResponse(api.auth.email.verify.post({ token })),
    done: { title: 'Your email address is confirmed', lead: 'You can now reset a forgotten password by email.' },
    renewal: newLink('/account'),
    decline: 'Not now',
  },
  // In the email to the new address.
  '/email/confirm': {
    ...address,
    lead: "Confirm that it's yours. You'll sign in with it from then on.",
    use: (token) => unwrapResponse(api.auth.email.confirm.post({ token })),
    done: { title: 'Your email address is changed', lead: 'From now on, sign in with the new address.' },
    renewal: newLink('/account'),
  },
  // In the email to the previous address.
  '/email/undo': {
    title: 'Keep your email address',
    lead: "A change that isn't confirmed yet is canceled. A confirmed change is undone: all sessions end, and we remove the password and everything added since the day before the request (tokens, passkeys, linked accounts, invitations and access for others). We then email you a link to set a new password.",
    verb: 'Keep my address',
    use: async (token) => (await unwrapResponse(api.auth.email.undo.post({ token }))).outcome,
    done: (outcome) =>
      outcome === 'undone'
        ? {
            title: 'Your email address is restored',
            lead: "All sessions have ended. We emailed you a link to set a new password. If it doesn't arrive, request another one.",
            next: { ...reset, label: 'Request another link' },
          }
        : {
            title: 'The change is canceled',
            lead: "Your email address stays the same. If you didn't request the change, someone else had access to your account. Set a new password now; that ends all sessions.",
            next: reset,
          },
    renewal: null,
    decline: 'Keep the new address',
  },
  // In the email about many wrong passwords for an account.
  '/sign-in/link': {
    title: 'Use this browser to sign in',
    lead: 'Someone entered many wrong passwords or codes for your account. Confirm that this browser is yours. Continue only if you just tried to sign in.',
    verb: 'Use this browser',
    use: (token) => unwrapResponse(api.auth.login.link.post({ token })),
    done: {
      title: 'You can sign in with this browser',
      lead: 'Sign in again.',
      next: { label: 'Sign in', href: '/sign-in' },
    },
    renewal: newLink('/sign-in'),
  },
  // In the email about a deleted account.
  '/account/restore': {
    title: 'Restore your account',
    lead: 'All your records will be restored, and you can sign in as before. People you gave access need a new invitation.',
    verb: 'Cancel deletion',
    use: (token) => unwrapResponse(api.account.restore.post({ token })),
    done: { title: 'Your account is restored', lead: 'None of your records were lost. Sign in as before.' },
    renewal: newLink('/account'),
    decline: 'Leave it deleted',
  },
  // At the end of a digest.
  '/unsubscribe': {
    title: 'Stop notification emails',
    lead: 'You can turn them on again under Notifications.',
    verb: 'Stop these emails',
    use: (token) => unwrapResponse(api.notifications.unsubscribe.post(undefined, { query: { token } })),
    done: {
      title: "You won't get these emails anymore",
      lead: 'You can still see everything under Notifications.',
      next: notifications,
    },
    renewal: notifications,
    decline: 'Keep them',
  },
};

/** The page for an emailed link. It requires a click because email scanners open links. */
export default function MailedLinkPage() {
  const path = useLocation().path.replace(/\/$/, '');
  const link = links[path];
  return link === undefined ? null : <LinkPage key={path} link={link} />;
}

function LinkPage({ link: { title, lead, verb, use, done, renewal, decline } }: { readonly link: MailedLink }) {
  const [token] = useState(() => location.hash.slice(1));
  const [reached, setReached] = useState<Done | null>(null);
  const { act, problem, isBusy, problemOfField } = useAction();
  const confirm = async () => {
    const result = await use(token);
    setReached(typeof done === 'function' ? done(result) : done);
    await loadAccount();
  };
  if (reached !== null) return <Outcome {...reached} next={reached.next ?? { label: 'Continue', href: homePath() }} />;
  if (problem !== null && problemOfField('token') !== undefined) {
    return <UsedLink lead={problem.message} next={renewal} />;
  }
  return (
    <Page title={title} lead={lead}>
      {problem !== null && <ProblemNotice problem={problem} />}
      <p class="actions">
        <button type="button" class="primary" aria-disabled={isBusy} onClick={() => void act(confirm)}>
          {isBusy ? 'Please wait…' : verb}
        </button>
        {decline !== undefined && <LinkButton label={decline} href="/" />}
      </p>
    </Page>
  );
}
