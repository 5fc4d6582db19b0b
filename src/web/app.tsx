import type { ComponentChildren } from 'preact';
import { ErrorBoundary, LocationProvider, lazy, Route, Router, useLocation } from 'preact-iso';
import { search } from './api/acting.ts';
import { Problem } from './api/problem.ts';
import { account, accountProblem, loadAccount } from './api/session.ts';
import { isUploading } from './api/uploads.ts';
import { Arrivals } from './arrivals.tsx';
import { NotFound } from './pages/not-found.tsx';
import { pages } from './pages.ts';
import { ProblemNotice } from './parts/problem-notice.tsx';
import { Waiting } from './parts/resource-view.tsx';
import { ProofDialog } from './parts/sign-in/proof-dialog.tsx';
import { Toasts } from './parts/toasts.tsx';
import { Shell } from './shell.tsx';

/** The client: the page of the address, in its frame. */
export function App() {
  return (
    <LocationProvider>
      <Frame />
      <Arrivals />
      <ProofDialog />
      <Toasts />
    </LocationProvider>
  );
}

const routes = pages.map(({ path, load, isPublic = false }) => ({ path, isPublic, view: lazy(() => readPage(load)) }));

function Frame() {
  const { url, path } = useLocation();
  const at = url.indexOf('?');
  const now = at < 0 ? '' : url.slice(at);
  // Before the page is drawn: what it reads depends on whose books the address names.
  if (search.peek() !== now) search.value = now;
  if (accountProblem.value !== null) {
    return (
      <Outside isFirst={false}>
        <ProblemNotice problem={accountProblem.value} onRetry={() => void loadAccount()} />
      </Outside>
    );
  }
  if (account.value === undefined) return <Waiting lines={1} />;
  const content = (
    <ErrorBoundary>
      <Router>
        {routes.map(({ path, isPublic, view: View }) => (
          <Route key={path} path={path} component={isPublic || account.value !== null ? View : SignInFirst} />
        ))}
        <Route default component={NotFound} />
      </Router>
    </ErrorBoundary>
  );
  // Who looks at the demo books can still make an account, and stands outside of them meanwhile.
  const isOutside =
    account.value === null || (account.value.demo && routes.some((each) => each.isPublic && each.path === path));
  return isOutside ? <Outside isFirst={path === '/'}>{content}</Outside> : <Shell>{content}</Shell>;
}

interface OutsideProps {
  /** The first page says itself what this is. */
  readonly isFirst: boolean;
  readonly children: ComponentChildren;
}

/** The frame of a page without books: a form below the name, which leads to the first page. */
function Outside({ isFirst, children }: OutsideProps) {
  if (isFirst) return <main>{children}</main>;
  return (
    <>
      <header class="outside-bar">
        <a class="brand" href="/">
          Lotbook
        </a>
      </header>
      <main class="alone">{children}</main>
    </>
  );
}

const SignIn = lazy(() => import('./pages/sign-in.tsx'));

type PageModule = Awaited<ReturnType<(typeof pages)[number]['load']>>;

/**
 * A server that was upgraded has no more the files of the client that this tab shows: then the whole client is read
 * anew, once. Where that does not help either, the page says so.
 */
async function readPage(load: () => Promise<PageModule>): Promise<PageModule> {
  try {
    const page = await load();
    sessionStorage.removeItem(readAnew);
    return page;
  } catch {
    if (navigator.onLine && sessionStorage.getItem(readAnew) === null && !isUploading()) {
      sessionStorage.setItem(readAnew, 'yes');
      location.reload();
      return new Promise(() => {});
    }
    return { default: PageUnread };
  }
}

const readAnew = 'client read anew';

function PageUnread() {
  const problem = new Problem('offline', 0, 'This page could not be read. Check the connection, then try again.', null);
  return <ProblemNotice problem={problem} onRetry={() => location.reload()} />;
}

/** In the place of the page that was asked for, which comes when one has signed in. */
function SignInFirst() {
  return <SignIn />;
}
