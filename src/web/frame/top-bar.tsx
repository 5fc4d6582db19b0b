import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useBooksColor, useClients, useOpenClient } from '../api/books.ts';
import { clientId, search, to } from '../api/page-url.ts';
import { hidesAmounts, type Theme, theme, themes } from '../api/preferences.ts';
import { account, signOut } from '../api/session.ts';
import { useStatus } from '../api/status.ts';
import { rememberYear, useTaxYear, useYearChoices } from '../api/tax-year.ts';
import { accountTabs, notifications } from '../destinations.ts';
import { count } from '../format/amounts.ts';
import { pages } from '../pages.ts';
import { ActionButton, Button, Icon } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Menu } from '../parts/menu.tsx';
import { commandKey, openDialog } from './shortcuts.ts';

/** Whose return, which year, the search, notifications and the account. It stays in view on every page. */
export function TopBar() {
  const id = clientId.value;
  const color = useBooksColor(id);
  return (
    <header class="top-bar" data-books={id === null ? undefined : color}>
      <PersonMenu />
      <YearSwitch />
      <button type="button" class="search-button" onClick={() => openDialog('search')}>
        <Icon name="search" />
        <span>Search</span>
        <span class="keys" aria-hidden="true">
          <kbd>{commandKey} K</kbd>
        </span>
      </button>
      <NotificationsLink />
      <AccountMenu />
    </header>
  );
}

function NotificationsLink() {
  const unread = useStatus().data?.unreadNotifications ?? 0;
  const { label, href, icon } = notifications;
  return (
    <a
      class="notifications-link"
      href={to(href)}
      aria-label={unread === 0 ? label : `${label}, ${count(unread)} unread`}
    >
      <Icon name={icon} />
      {unread > 0 && (
        <span class="badge" aria-hidden="true">
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </a>
  );
}

/** The user's account, the look of the pages, help, and the way out. */
function AccountMenu() {
  const user = account.value;
  if (!user) return null;
  const name = user.demo ? 'Demo' : user.name || user.email;
  return (
    <Menu
      class="account-menu"
      button={
        <span class="avatar">
          {getInitials(name)}
          <span class="visually-hidden"> account menu</span>
        </span>
      }
    >
      {(close) => (
        <>
          <p class="who">
            <strong>{name}</strong>
            {!user.demo && user.email !== name && <span class="fine">{user.email}</span>}
          </p>
          <ul>
            {!user.demo && accountTabs.map(({ href, label }) => <MenuLink key={href} href={href} label={label} />)}
            <li class="menu-part">
              <Themes />
            </li>
            <li>
              <Button
                icon={hidesAmounts.value ? 'hidden' : 'shown'}
                label={hidesAmounts.value ? 'Show amounts' : 'Hide amounts'}
                aria-pressed={hidesAmounts.value}
                onClick={toggleAmounts}
              />
            </li>
            <li>
              <Button
                icon="keyboard"
                label="Keyboard shortcuts"
                onClick={() => {
                  close();
                  openDialog('shortcuts');
                }}
              />
            </li>
            {hasHelp && <MenuLink href="/help" label="Help" />}
            {!user.demo && (
              <li class="menu-part">
                <ActionButton icon="back" label="Sign out" act={signOut} />
              </li>
            )}
          </ul>
        </>
      )}
    </Menu>
  );
}

const hasHelp = pages.some(({ path }) => path.startsWith('/help'));

function MenuLink({ href, label }: { readonly href: string; readonly label: string }) {
  return (
    <li>
      <a href={to(href)}>{label}</a>
    </li>
  );
}

function Themes() {
  return (
    <fieldset class="segments">
      <legend>Theme</legend>
      {themes.map((each) => (
        <Button
          key={each}
          label={themeNames[each]}
          aria-pressed={theme.value === each}
          onClick={() => {
            theme.value = each;
          }}
        />
      ))}
    </fieldset>
  );
}

const themeNames: Readonly<Record<Theme, string>> = { auto: 'System', light: 'Light', dark: 'Dark' };

function toggleAmounts(): void {
  hidesAmounts.value = !hidesAmounts.value;
}

/** Returns `ML` for Maria Lopez, and `M` for maria@example.com. */
function getInitials(name: string): string {
  const words = name.replace(/@.*/, '').split(/\s+/).filter(Boolean);
  return [words[0], ...(words.length > 1 ? words.slice(-1) : [])].map((word) => word?.charAt(0).toUpperCase()).join('');
}

/** The number of people from which the menu has a search field, and the most that it lists. */
const searchedFrom = 8;
const listedMax = 50;

/** Whose books every page shows, with a menu of a CPA's clients. */
function PersonMenu() {
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

function People({ clients }: { readonly clients: readonly { readonly id: string; readonly name: string }[] }) {
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

/** The tax year, which every page follows. */
function YearSwitch() {
  const { path, route } = useLocation();
  const year = useTaxYear();
  const choices = useYearChoices();
  const choose = (chosen: number): void => {
    rememberYear(chosen);
    route(buildYearAddress(path, chosen));
  };
  return (
    <select
      class="year-switch"
      aria-label="Tax year"
      value={year ?? ''}
      onChange={(event) => choose(Number(event.currentTarget.value))}
    >
      {choices.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  );
}

/** Parameters that name single rows, files or reports, which belong to one year. */
const ofOneYear: ReadonlySet<string> = new Set([
  ...['open', 'edit', 'back', 'ids', 'importId', 'line', 'lock', 'report', 'from', 'to', 'years'],
]);

/** Returns the address of the page in another tax year, with its filters. */
export function buildYearAddress(path: string, year: number): string {
  const query: Record<string, readonly string[]> = {};
  const now = new URLSearchParams(search.value);
  for (const name of now.keys()) if (!ofOneYear.has(name)) query[name] = now.getAll(name);
  return to(path, { ...query, year });
}

/**
 * Returns the address of the page for another person, or their overview if the page is about the user. The last part of
 * a path may be an id that the other person does not have, unless it is a part of the settings or a form.
 */
export function buildPersonAddress(path: string, client: string | null): string {
  const [first = '', second] = path.split('/').filter((part) => part !== '');
  const isOfUser = first === 'clients' || first === 'account';
  const isPart = second !== undefined && (first === 'settings' || first === 'forms');
  const page = isOfUser ? '/overview' : `/${first}${isPart ? `/${second}` : ''}`;
  return to(page, { client });
}
