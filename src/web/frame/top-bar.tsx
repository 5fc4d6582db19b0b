import { clientId, to } from '../api/acting.ts';
import { useBooksColor } from '../api/books.ts';
import { useStatus } from '../api/status.ts';
import { notifications } from '../destinations.ts';
import { count } from '../format/amounts.ts';
import { Icon } from '../parts/icon.tsx';
import { AccountMenu } from './account-menu.tsx';
import { openDialog } from './open-dialog.ts';
import { PersonMenu } from './person-menu.tsx';
import { commandKey } from './shortcuts.ts';
import { YearSwitch } from './year-switch.tsx';

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
