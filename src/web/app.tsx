import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, lazy, Route, Router, useLocation } from 'preact-iso';
import { type ArrivedNotification, arrivedNotifications } from './api/live.ts';
import { search, to } from './api/page-url.ts';
import { offline } from './api/problem.ts';
import { pendingActions } from './api/proof-request.ts';
import { account, accountProblem, loadAccount } from './api/session.ts';
import { say, type ToastGroup } from './api/toasts.ts';
import { isUploading } from './api/uploads.ts';
import { findPage } from './format/page-links.ts';
import { findMovedAddress } from './moved-addresses.ts';
import { NotFound } from './pages/not-found.tsx';
import { pages } from './pages.ts';
import { ProblemNotice, Waiting } from './parts/page.tsx';
import { Toasts } from './parts/toasts.tsx';
import { Shell } from './shell.tsx';

/** The client app: the page at the current URL, in its frame. */
export function App() {
  return (
    <LocationProvider>
      <Frame />
      <Arrivals />
      <ErrorBoundary>{pendingActions.value.length > 0 && <ProofDialog />}</ErrorBoundary>
    </LocationProvider>
  );
}

const routes = pages.map(({ path, load, isPublic = false }) => ({ path, isPublic, view: lazy(() => readPage(load)) }));

function Frame() {
  const { url, path, route } = useLocation();
  const at = url.indexOf('?');
  const now = at < 0 ? '' : url.slice(at);
  // Set before the page is drawn because the URL determines whose books and which year it reads.
  if (search.peek() !== now) search.value = now;
  const moved = findMovedAddress(url);
  useEffect(() => {
    if (moved !== null) route(moved, true);
  }, [moved]);
  if (accountProblem.value !== null) {
    return (
      <Outside isFirst={false}>
        <ProblemNotice problem={accountProblem.value} onRetry={() => void loadAccount()} />
      </Outside>
    );
  }
  if (account.value === undefined || moved !== null) return <Waiting lines={1} />;
  const content = (
    <ErrorBoundary>
      <Router>
        {routes.map(({ path, isPublic, view: View }) => (
          <Route key={path} path={path} component={isPublic || account.value !== null ? View : SignIn} />
        ))}
        <Route default component={NotFound} />
      </Router>
    </ErrorBoundary>
  );
  // A demo visitor can still register, and uses the public frame until then.
  const isOutside =
    account.value === null || (account.value.demo && routes.some((each) => each.isPublic && each.path === path));
  return isOutside ? <Outside isFirst={path === '/'}>{content}</Outside> : <Shell>{content}</Shell>;
}

interface OutsideProps {
  /** The start page has its own heading. */
  readonly isFirst: boolean;
  readonly children: ComponentChildren;
}

/** The frame of a page without books: a form below the name, which links to the start page. */
function Outside({ isFirst, children }: OutsideProps) {
  if (isFirst) {
    return (
      <>
        <main>{children}</main>
        <Toasts />
      </>
    );
  }
  return (
    <>
      <header class="outside-bar">
        <a class="brand" href="/">
          Lotbook
        </a>
      </header>
      <main class="alone">{children}</main>
      <Toasts />
    </>
  );
}

/** Shown instead of the requested page, which appears after the sign-in. */
const SignIn = lazy(() => import('./pages/sign-in.tsx'));
const ProofDialog = lazy(() => readPage(() => import('./parts/sign-in/proof-dialog.tsx')));

type PageModule = Awaited<ReturnType<(typeof pages)[number]['load']>>;

/** Reloads the client once if an upgrade removed this tab's files from the server. Otherwise shows the error. */
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
  // The connection may be back before effects run.
  useLayoutEffect(() => {
    const reload = () => location.reload();
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, []);
  return <ProblemNotice problem={offline('This page could not be loaded.')} onRetry={() => location.reload()} />;
}

/** The newest notification that was shown. */
let shown: ArrivedNotification | undefined;

/** Shows each incoming notification as a toast that links to its page. Renders nothing itself. */
function Arrivals() {
  const { path } = useLocation();
  const all = arrivedNotifications.value;
  useEffect(() => {
    const fresh = shown === undefined ? all : all.slice(all.indexOf(shown) + 1);
    shown = all.at(-1);
    for (const { kind, title, link } of fresh) {
      const pageLocation = link === null ? null : findPage(link);
      // No toast is needed if its page, or the list it belongs to, is already open.
      const list = path === '/welcome' ? '/import' : path;
      if (path === '/notifications' || `${pageLocation?.path}/`.startsWith(`${list}/`)) continue;
      say(
        title,
        null,
        pageLocation === null ? null : { label: 'Show', href: to(pageLocation.path, pageLocation.query) },
        importKinds.has(kind) ? imports() : null,
      );
    }
  }, [all]);
  return null;
}

/** The kinds of notifications that the end of an import sends. */
const importKinds: ReadonlySet<string> = new Set(['import_completed', 'review_needed']);

function imports(): ToastGroup {
  const link = { label: 'Show', href: to('/import') };
  return { name: 'imports', text: (count) => `${count} imports finished`, link };
}
