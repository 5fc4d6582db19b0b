import { useLocation } from 'preact-iso';
import { clientId } from '../api/acting.ts';
import { useBooksColor, useClients } from '../api/books.ts';
import { buildPersonAddress } from './same-page.ts';

/** Shown to a CPA on every page: the open books, with a choice of all others. */
export function PersonSwitch() {
  const { path, route } = useLocation();
  const clients = useClients().data?.data ?? [];
  const id = clientId.value;
  const color = useBooksColor(id);
  if (clients.length === 0 && id === null) return null;
  const isKnown = id === null || clients.some((client) => client.id === id);
  return (
    <label class="books-switch" data-books={id === null ? 'own' : color}>
      <span>Viewing</span>
      <select value={id ?? ''} onChange={(event) => route(buildPersonAddress(path, event.currentTarget.value || null))}>
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
