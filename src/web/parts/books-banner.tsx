import { clientId } from '../api/acting.ts';
import { api, got } from '../api/api.ts';
import { useResource } from '../api/resource.ts';
import { Icon } from './icon.tsx';

/** Says on every page whose books are open, where they are a client's. */
export function BooksBanner() {
  const id = clientId.value;
  const reading = useResource(id === null ? null : `client ${id}`, () => got(api.clients({ id: id ?? '' }).get()));
  if (id === null) return null;
  return (
    <div class="books-banner" role="status">
      <Icon name="clients" />
      <strong>{reading.problem === null ? (reading.data?.name ?? '…') : 'No client of yours'}</strong>
      <span>You are in this client's books.</span>
      <a href="/year">Back to your own</a>
    </div>
  );
}
