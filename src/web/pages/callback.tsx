import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { homePath } from '../api/books.ts';
import { account, finishSignIn } from '../api/session.ts';
import { Form } from '../parts/form.tsx';
import { Page } from '../parts/page.tsx';
import { codeField, PasskeyButton, pageAskedFor } from '../parts/sign-in/sign-in-form.tsx';

/** The page that a sign-in provider returns to. Continues to the overview or second factor, or explains the error. */
export default function Callback() {
  const { query, route } = useLocation();
  const isDone = query.error === undefined && account.value !== null;
  useEffect(() => {
    if (!isDone) return;
    const page = sessionStorage.getItem(pageAskedFor);
    sessionStorage.removeItem(pageAskedFor);
    route(page ?? (query.linked === undefined ? homePath() : '/account/security'), true);
  }, [isDone]);
  if (isDone) return <Page title="You're signed in">Please wait…</Page>;
  if (query.step !== undefined) return <SecondFactor />;
  return (
    <Page title={account.value === null ? 'Sign-in failed' : 'Something went wrong'}>
      <p>{sentences[query.error ?? ''] ?? 'Nothing was changed. Try again.'}</p>
      <p class="actions">
        <a class="button primary" href={account.value === null ? '/sign-in' : '/account/security'}>
          {account.value === null ? 'Back to sign-in' : 'Back to account'}
        </a>
      </p>
    </Page>
  );
}

/** The provider confirmed the user, but the account requires a second factor. */
function SecondFactor() {
  return (
    <Page title="One more step" lead="Your account requires a second factor.">
      <Form
        class="card narrow"
        fields={{ totp: codeField(true) }}
        verb="Sign in"
        busy="Please wait…"
        look="primary wide"
        onSubmit={({ totp }) => finishSignIn(totp)}
      />
      <PasskeyButton onDone={() => {}} />
      <p>
        <a href="/sign-in">Back to sign-in</a>
      </p>
    </Page>
  );
}

const busy = "The server is busy and couldn't sign you in. Try again in a minute.";

/** Messages for the error codes of a sign-in through a provider. */
const sentences: Readonly<Record<string, string>> = {
  bad_request: 'This sign-in was started in another browser, or too long ago. Start again.',
  forbidden:
    'You did not allow access at the provider, or your email address is not confirmed there. Nothing was changed.',
  email_taken:
    'An account with your email address already exists. Sign in with its password, then link the other account under Security.',
  account_deleted:
    'This account is deleted but not erased yet. To restore it, use the link in the email about the deletion, or sign in with your email address and password.',
  conflict:
    'That provider account already signs in to another account here, or your account already has one from this provider. Nothing was changed.',
  duplicate_cookie: "Your browser sent two sessions at once. Delete this site's cookies, then sign in again.",
  provider_unconfigured:
    "This server isn't set up for sign-in through that provider. Use your email address and password.",
  provider_failed:
    'The provider returned an unexpected response. Try again in a minute, or use your email address and password.',
  internal: "Something went wrong on our end, and you're not signed in. Try again in a minute.",
  database_unavailable: busy,
  overloaded: busy,
  shutting_down: 'The server is restarting. Try again in a minute.',
  rate_limited: 'Too many attempts. Try again in a minute.',
};
