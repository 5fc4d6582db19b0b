import { ErrorBoundary, lazy, useLocation } from 'preact-iso';
import { type ClientRoleName, isOverPlan, useBooksColor, useOpenClient } from '../api/books.ts';
import { clientId, to } from '../api/page-url.ts';
import { account, signOut } from '../api/session.ts';
import { ActionButton, Icon } from './button.tsx';

/** Shown on every page with open books that are not the user's own: a client's or the demo books. */
export function BooksBanner() {
  return account.value?.demo ? <DemoBanner /> : <ClientBanner />;
}

/** A short version for panels that cover the banner. */
export function BooksStrip() {
  const id = clientId.value;
  const color = useBooksColor(id);
  const name = useOpenClient().data?.name;
  if (id === null || name === undefined) return null;
  return (
    <p class="books-strip" data-books={color}>
      Viewing {name}
    </p>
  );
}

const DemoTour = lazy(() => import('./demo-tour.tsx'));

function DemoBanner() {
  const { route } = useLocation();
  const leave = async (): Promise<void> => {
    await signOut();
    route('/');
  };
  return (
    <div class="books-banner" data-books="demo" role="status">
      <Icon name="shown" />
      <strong>Demo</strong>
      <span>Sample data. Read-only.</span>
      <a href="/register">Create account</a>
      <ActionButton label="Leave the demo" class="plain" act={leave} />
      <ErrorBoundary>
        <DemoTour />
      </ErrorBoundary>
    </div>
  );
}

/** The user's permissions in this client's books. */
function describePermissions(role: ClientRoleName | undefined): string {
  if (isOverPlan()) return "You can view and download this client's records. To change them, upgrade your plan.";
  switch (role) {
    case 'viewer':
      return "You're viewing this client's account as viewer. Read-only.";
    case 'preparer':
      return "You're working in this client's account as preparer.";
    case 'reviewer':
      return "You're working in this client's account as reviewer. You can also sign off.";
    default:
      return "You're working in this client's account.";
  }
}

function ClientBanner() {
  const id = clientId.value;
  const color = useBooksColor(id);
  const { data, problem } = useOpenClient();
  if (id === null) return null;
  const isUnknown = problem !== null && problem.status === 404;
  return (
    <div class="books-banner" data-books={isUnknown ? 'none' : color} role="status">
      <Icon name={isUnknown ? 'warning' : 'clients'} />
      <strong>{isUnknown ? 'Unknown client' : (data?.name ?? 'A client')}</strong>
      <span>
        {isUnknown ? "There is no account at this address, or you don't have access." : describePermissions(data?.role)}
      </span>
      <a href={to('/overview', { client: null })}>Back to my account</a>
    </div>
  );
}
