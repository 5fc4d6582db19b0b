import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { homePath } from '../api/books.ts';
import { type Problem, toProblem } from '../api/problem.ts';
import { useServerConfig } from '../api/server-config.ts';
import { account, openDemo } from '../api/session.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { Plans } from '../parts/plans.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { Picture } from './start/picture.tsx';

/** The start page with features and plans. Signed-in users go to the overview. */
export default function Start() {
  const { route } = useLocation();
  const isSignedIn = account.value ? !account.value.demo : false;
  useEffect(() => {
    if (isSignedIn) route(homePath(), true);
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
            title="Your trades in. Form 8949 out."
            lead="Upload your broker and exchange files, fix what's missing, and download forms ready to file."
          >
            <StartButtons />
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
          Developers: <DocsLink href="/docs">API docs</DocsLink> ·{' '}
          <DocsLink href="/v1/openapi.json">OpenAPI spec</DocsLink>
        </p>
        <p class="fine">
          No trackers, nothing loaded from other sites. Not tax advice. <a href="/privacy">Privacy</a> ·{' '}
          <a href="/terms">Terms</a>
        </p>
      </footer>
    </div>
  );
}

const promises: readonly { readonly icon: IconName; readonly name: string; readonly text: string }[] = [
  {
    icon: 'lines',
    name: 'Trace every number to its source',
    text: 'Click any amount to see the rows it came from, each step, and the tax rule behind it.',
  },
  {
    icon: 'questions',
    name: 'Nothing is guessed',
    text: "If something is missing we ask, and show what it's worth. Forms are marked DRAFT until it's resolved.",
  },
  {
    icon: 'lots',
    name: 'All your accounts in one place',
    text: 'Stocks, funds, options and crypto, exact to the cent, with wash sales across all the accounts you import.',
  },
];

/** Buttons to register or try the demo. */
function StartButtons() {
  const { route } = useLocation();
  const hasDemo = useServerConfig().data?.demo ?? false;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  async function look(): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      if (!account.value?.demo) await openDemo();
      route('/overview');
    } catch (error) {
      setProblem(toProblem(error));
      setBusy(false);
    }
  }
  return (
    <>
      {problem !== null && <ProblemNotice problem={problem} />}
      <p class="actions">
        <a class="button primary" href="/register">
          Create account
        </a>
        {hasDemo && (
          <button type="button" disabled={isBusy} onClick={() => void look()}>
            {isBusy ? 'Please wait…' : 'Try the demo'}
          </button>
        )}
      </p>
      <p class="fine">
        {hasDemo && 'The demo uses sample data; no account needed. '}
        Free for up to 50 transactions, no credit card.
      </p>
    </>
  );
}

/** A link to a URL outside the client. Because of the target attribute, the router leaves it to the browser. */
function DocsLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <a href={href} target="_top">
      {children}
    </a>
  );
}
