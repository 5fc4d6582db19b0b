import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useBooksColor, useClients, useOpenClient } from '../api/books.ts';
import { clientId } from '../api/page-url.ts';
import { Field } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { buildPersonAddress } from './same-page.ts';

/** The number of people from which the menu has a search field, and the most that it lists. */
const searchedFrom = 8;
const listedMax = 50;

/** Whose books every page shows, with a menu of a CPA's clients. */
export function PersonMenu() {
  const clients = useClients().data?.data ?? [];
  const open = useOpenClient();
  const id = clientId.value;
  if (clients.length === 0 && id === null) return null;
  const name = id === null ? 'My account' : (open.data?.name ?? (open.problem === null ? '…' : 'Unknown client'));
  return (
    <Menu
      class="person-menu"
      button={
        <>
          <BooksMark id={id} />
          <span class="visually-hidden">Viewing: </span>
          <span class="person-name">{name}</span>
          <Icon name="down" />
        </>
      }
    >
      {() => <People clients={clients} />}
    </Menu>
  );
}

interface PeopleProps {
  readonly clients: readonly { readonly id: string; readonly name: string }[];
}

function People({ clients }: PeopleProps) {
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const found = clients.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <>
      {clients.length >= searchedFrom && (
        <Field label="Find a client" type="search" value={typed} onInput={setTyped} autoComplete="off" />
      )}
      <ul>
        <Person id={null} name="My account" />
        {found.slice(0, listedMax).map(({ id, name }) => (
          <Person key={id} id={id} name={name} />
        ))}
      </ul>
      {found.length > listedMax && <p class="fine">Type a name to find {found.length - listedMax} more.</p>}
    </>
  );
}

function Person({ id, name }: { readonly id: string | null; readonly name: string }) {
  const { path } = useLocation();
  return (
    <li>
      <a href={buildPersonAddress(path, id)} aria-current={clientId.value === id ? 'true' : undefined}>
        <BooksMark id={id} /> {name}
      </a>
    </li>
  );
}

/** The color of a client's books, or of the user's own. */
function BooksMark({ id }: { readonly id: string | null }) {
  const color = useBooksColor(id);
  return <span class="books-mark" data-books={id === null ? 'own' : color} />;
}
