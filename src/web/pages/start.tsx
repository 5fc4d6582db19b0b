import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { account } from '../api/session.ts';
import { Page } from '../parts/page.tsx';

/** The first page. Who is signed in is taken to the year. */
export default function Start() {
  const { route } = useLocation();
  useEffect(() => {
    if (account.value) route('/year', true);
  }, [account.value]);
  return (
    <Page
      title="Capital gains, from any CSV to Form 8949"
      lead="Drop what your broker or exchange gave you. See what needs you, understand every number, download the forms."
    >
      <p class="actions">
        <a class="button primary" href="/register">
          Create an account
        </a>
        <a class="button" href="/sign-in">
          Sign in
        </a>
      </p>
      <ul class="promises">
        <li>
          <strong>Every number to its line.</strong> Each amount opens to the rows of your file it came from, and the
          paragraph of law.
        </li>
        <li>
          <strong>Nothing is guessed.</strong> What a file does not say is asked, with the dollars at stake, before
          anything is filed.
        </li>
        <li>
          <strong>Wash sales, options, coins.</strong> Across all your accounts, in cents that reconcile with your
          1099s.
        </li>
      </ul>
    </Page>
  );
}
