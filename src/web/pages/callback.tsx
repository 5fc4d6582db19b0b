import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { account, finishSignIn } from '../api/session.ts';
import { Field } from '../parts/field.tsx';
import { Page } from '../parts/page.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { PasskeyButton } from '../parts/sign-in/passkey-button.tsx';
import { pageAskedFor } from '../parts/sign-in/provider-buttons.tsx';
import { useAct } from '../parts/use-act.ts';

/** Where a sign-in through a provider ends: on to the year, the second factor, or why it did not work. */
export default function Callback() {
  const { query, route } = useLocation();
  const isDone = query.error === undefined && account.value !== null;
  useEffect(() => {
    if (!isDone) return;
    const wanted = sessionStorage.getItem(pageAskedFor);
    sessionStorage.removeItem(pageAskedFor);
    route(wanted ?? (query.linked === undefined ? '/year' : '/account'), true);
  }, [isDone]);
  if (isDone) return <Page title="You are signed in">One moment…</Page>;
  if (query.step !== undefined) return <SecondFactor />;
  return (
    <Page title={account.value === null ? 'The sign-in did not work' : 'That did not work'}>
      <p>{sentences[query.error ?? ''] ?? 'Nothing was changed. Please try again.'}</p>
      <p class="actions">
        <a class="button primary" href={account.value === null ? '/sign-in' : '/account'}>
          {account.value === null ? 'Back to the sign-in' : 'Back to the account'}
        </a>
      </p>
    </Page>
  );
}

/** The provider knows you; the account wants more. */
function SecondFactor() {
  const [totp, setTotp] = useState('');
  const { act, problem, isBusy } = useAct();
  return (
    <Page title="One more step" lead="Your account asks for a second factor.">
      <form
        class="card narrow"
        onSubmit={(event) => {
          event.preventDefault();
          void act(() => finishSignIn(totp));
        }}
      >
        {problem !== null && <ProblemNotice problem={problem} />}
        <Field
          label="Code"
          autoComplete="one-time-code"
          isRequired
          value={totp}
          onInput={setTotp}
          hint="Of your authenticator app, or one of your recovery codes."
        />
        <button type="submit" class="primary wide" disabled={isBusy}>
          {isBusy ? 'One moment…' : 'Sign in'}
        </button>
      </form>
      <PasskeyButton onDone={() => {}} />
      <p>
        <a href="/sign-in">Back to the sign-in</a>
      </p>
    </Page>
  );
}

/** What each code of the API means to a person who came back from a provider. */
const sentences: Readonly<Record<string, string>> = {
  bad_request: 'This sign-in began in another browser, or too long ago. Start again.',
  forbidden:
    'You did not allow it at the provider, or your e-mail address there is not confirmed. Nothing was changed.',
  email_taken:
    'An account with your e-mail address exists already. Sign in to it with its password; then you can link the other account on the page of your account.',
  account_deleted:
    'This account is deleted, and not erased yet. To take that back, use the link in the mail about it, or sign in with the e-mail address and the password.',
  conflict: 'That account signs in to an account here already, or yours has one of that provider. Nothing was changed.',
  duplicate_cookie: 'Your browser sent two sessions at once. Delete the cookies of this site, then sign in again.',
  provider_unconfigured: 'This server is not set up for sign-in through that provider. Use e-mail and password.',
  provider_failed: 'The provider did not answer as it should. Try again in a minute, or use e-mail and password.',
  internal: 'Something went wrong on our side, and you are not signed in. Try again in a minute.',
  database_unavailable: 'The server is busy and could not sign you in. Wait a minute, then try again.',
  overloaded: 'The server is busy and could not sign you in. Wait a minute, then try again.',
  shutting_down: 'The server is being restarted. Wait a minute, then try again.',
  rate_limited: 'There were too many attempts. Wait a minute, then try again.',
};
