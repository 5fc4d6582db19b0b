import { clientId } from '../api/acting.ts';
import { type ClientRoleName, isOverPlan, useBooksColour, useOpenClient } from '../api/books.ts';
import { account } from '../api/session.ts';
import { Icon } from './icon.tsx';

/** Says on every page whose books are open, where they are not the reader's own: a client's, or those of the demo. */
export function BooksBanner() {
  return account.value?.demo ? <DemoBanner /> : <ClientBanner />;
}

/** The same in short, for a panel that covers the banner. */
export function BooksStrip() {
  const id = clientId.value;
  const colour = useBooksColour(id);
  const name = useOpenClient().data?.name;
  if (id === null || name === undefined) return null;
  return (
    <p class="books-strip" data-books={colour}>
      Books of {name}
    </p>
  );
}

function DemoBanner() {
  return (
    <div class="books-banner" data-books="demo" role="status">
      <Icon name="shown" />
      <strong>Demo books</strong>
      <span>Made up, to look around in. Nothing of them can be changed.</span>
      <a href="/register">Create an account</a>
    </div>
  );
}

/** What the reader may do in the books of this client. */
function whatOneMay(role: ClientRoleName | undefined): string {
  if (isOverPlan()) return 'You read and download the books of this client. To change them takes a larger plan.';
  switch (role) {
    case 'viewer':
      return 'You read the books of this client as viewer: nothing in them can be changed.';
    case 'preparer':
      return 'You see and change the books of this client, as preparer.';
    case 'reviewer':
      return 'You see, change and sign off the books of this client, as reviewer.';
    default:
      return 'You see and change the books of this client.';
  }
}

function ClientBanner() {
  const id = clientId.value;
  const colour = useBooksColour(id);
  const { data, problem } = useOpenClient();
  if (id === null) return null;
  const isUnknown = problem !== null && problem.status === 404;
  return (
    <div class="books-banner" data-books={isUnknown ? 'none' : colour} role="status">
      <Icon name={isUnknown ? 'warning' : 'clients'} />
      <strong>{isUnknown ? 'No client of yours' : (data?.name ?? 'A client')}</strong>
      <span>{isUnknown ? 'There are no books at this address.' : whatOneMay(data?.role)}</span>
      <a href="/year">Back to your own books</a>
    </div>
  );
}
