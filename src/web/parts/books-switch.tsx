import { useLocation } from 'preact-iso';
import { useBooksColor, useClients } from '../api/books.ts';
import { clientId } from '../api/page-url.ts';

/** Shown to a CPA on every page: the open books, with a choice of all others. */
export function BooksSwitch() {
  const { path, route } = useLocation();
  const clients = useClients().data?.data ?? [];
  const id = clientId.value;
  const color = useBooksColor(id);
  if (clients.length === 0 && id === null) return null;
  const isKnown = id === null || clients.some((client) => client.id === id);
  return (
    <label class="books-switch" data-books={id === null ? 'own' : color}>
      <span>Viewing</span>
      <select value={id ?? ''} onChange={(event) => route(buildPageAddress(path, event.currentTarget.value))}>
        <option value="">My account</option>
        {!isKnown && <option value={id}>Unknown client</option>}
        {clients.map((client) => (
          <option key={client.id} value={client.id}>
            {client.name}
          </option>
        ))}
      </select>
    </label>
  );
}

/**
 * Returns the same page in other books. Ids in the path may not exist there, so only years and settings parts are kept.
 */
function buildPageAddress(path: string, client: string): string {
  const [first = 'year', second = ''] = path.split('/').filter((part) => part !== '');
  const isOfUser = first === 'clients' || first === 'account';
  const page = isOfUser ? '/year' : `/${first}${/^\d{4}$/.test(second) || first === 'settings' ? `/${second}` : ''}`;
  return client === '' ? page : `${page}?client=${client}`;
}
