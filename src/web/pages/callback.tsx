import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { account } from '../api/session.ts';
import { Page } from '../parts/page.tsx';
import { pageAskedFor } from '../parts/sign-in/provider-buttons.tsx';

/** Where a sign-in through a provider ends: on to the year, or why it did not work. */
export default function Callback() {
  const { query, route } = useLocation();
  const isDone = query.error === undefined && account.value !== null;
  useEffect(() => {
    if (!isDone) return;
    const wanted = sessionStorage.getItem(pageAskedFor);
    sessionStorage.removeItem(pageAskedFor);
    route(wanted ?? '/year', true);
  }, [isDone]);
  if (isDone) return <Page title="You are signed in">One moment…</Page>;
  return (
    <Page title="The sign-in did not work">
      <p>{sentences[query.error ?? ''] ?? 'Nothing was changed. Please try again.'}</p>
      <p class="actions">
        <a class="button primary" href="/sign-in">
          Back to the sign-in
        </a>
      </p>
    </Page>
  );
}

/** What each code of the API means to a person who came back from a provider. */
const sentences: Readonly<Record<string, string>> = {
  bad_request: 'This sign-in began in another browser, or too long ago. Start again.',
  forbidden:
    'You did not allow it at the provider, or your e-mail address there is not confirmed. Nothing was changed.',
  email_taken: 'An account with your e-mail address exists already. Sign in to it with its password.',
  provider_unconfigured: 'This server is not set up for sign-in through that provider. Use e-mail and password.',
  provider_failed: 'The provider did not answer as it should. Try again in a minute, or use e-mail and password.',
  database_unavailable: 'The server is busy and could not sign you in. Wait a minute, then try again.',
  overloaded: 'The server is busy and could not sign you in. Wait a minute, then try again.',
  rate_limited: 'There were too many attempts. Wait a minute, then try again.',
};
