import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type Problem, problemOf } from '../api/problem.ts';
import { useServerConfig } from '../api/server-config.ts';
import { account, lookAround } from '../api/session.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { Plans } from '../parts/plans.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { Picture } from './start/picture.tsx';

/** The first page: what this is, and what it costs. Who is signed in is taken to the year. */
export default function Start() {
  const { route } = useLocation();
  const isSignedIn = account.value ? !account.value.demo : false;
  useEffect(() => {
    if (isSignedIn) route('/year', true);
  }, [isSignedIn]);
  return (
    <div class="start">
      <div class="start-bar">
        <span class="brand">Lotbook</span>
        <a href="/sign-in">Sign in</a>
      </div>
      <div class="start-head">
        <div>
          <Page
            title="Capital gains, from any CSV to Form 8949"
            lead="Drop the files that your broker or exchange gives you. See what they leave open, understand every number, and download the forms."
          >
            <Ways />
          </Page>
        </div>
        <Picture />
      </div>
      <ul class="promises">
        {promises.map(({ icon, name, text }) => (
          <li key={name} class="card">
            <Icon name={icon} />
            <h2>{name}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      <Plans />
      <footer class="start-foot">
        <p>
          For programs: <DocsLink href="/docs">the API with its documentation</DocsLink>, and the same as{' '}
          <DocsLink href="/v1/openapi.json">OpenAPI</DocsLink>.
        </p>
        <p class="fine">These pages ask no other host for anything. Not tax advice.</p>
      </footer>
    </div>
  );
}

const promises: readonly { readonly icon: IconName; readonly name: string; readonly text: string }[] = [
  {
    icon: 'lines',
    name: 'Every number leads to its rows',
    text: 'Each amount opens to the rows of your file that it came from, step by step, with the paragraph of the law.',
  },
  {
    icon: 'questions',
    name: 'Nothing is guessed',
    text: 'What a file does not say is asked, with the dollars at stake, and the forms say DRAFT until you have answered.',
  },
  {
    icon: 'lots',
    name: 'All your accounts together',
    text: 'Stocks, funds, options and coins, exact to the cent, with wash sales across every account that you import.',
  },
];

/** The ways in: an account, or a look at the demo books. */
function Ways() {
  const { route } = useLocation();
  const hasDemo = useServerConfig().data?.demo ?? false;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  async function look(): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      if (!account.value?.demo) await lookAround();
      route('/year');
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  }
  return (
    <>
      {problem !== null && <ProblemNotice problem={problem} />}
      <p class="actions">
        <a class="button primary" href="/register">
          Create an account
        </a>
        {hasDemo && (
          <button type="button" disabled={isBusy} onClick={() => void look()}>
            {isBusy ? 'One moment…' : 'Look around first'}
          </button>
        )}
      </p>
      <p class="fine">
        {hasDemo && 'Looking around needs no account: the books are made up. '}
        An account is free for 50 transactions, without a card.
      </p>
    </>
  );
}

/** To what is no page of the client: with a target the router leaves it to the browser. */
function DocsLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <a href={href} target="_top">
      {children}
    </a>
  );
}
