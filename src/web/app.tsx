import { ErrorBoundary, LocationProvider, lazy, Route, Router, useLocation } from 'preact-iso';
import { search } from './api/acting.ts';
import { account, accountProblem, loadAccount } from './api/session.ts';
import { Arrivals } from './arrivals.tsx';
import { NotFound } from './pages/not-found.tsx';
import { pages } from './pages.ts';
import { ProblemNotice } from './parts/problem-notice.tsx';
import { Waiting } from './parts/resource-view.tsx';
import { Toasts } from './parts/toasts.tsx';
import { Shell } from './shell.tsx';

/** The client: the page of the address, in its frame. */
export function App() {
  return (
    <LocationProvider>
      <Frame />
      <Arrivals />
      <Toasts />
    </LocationProvider>
  );
}

const routes = pages.map(({ path, load, isPublic = false }) => ({ path, isPublic, view: lazy(load) }));

function Frame() {
  const { url, path } = useLocation();
  const at = url.indexOf('?');
  const now = at < 0 ? '' : url.slice(at);
  // Before the page is drawn: what it reads depends on whose books the address names.
  if (search.peek() !== now) search.value = now;
  if (accountProblem.value !== null) {
    return (
      <main class="alone">
        <ProblemNotice problem={accountProblem.value} onRetry={() => void loadAccount()} />
      </main>
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
  return isOutside ? <main class="alone">{content}</main> : <Shell>{content}</Shell>;
}

const SignIn = lazy(() => import('./pages/sign-in.tsx'));

/** In the place of the page that was asked for, which comes when one has signed in. */
function SignInFirst() {
  return <SignIn />;
}
