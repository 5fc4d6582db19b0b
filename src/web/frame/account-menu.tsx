import { to } from '../api/page-url.ts';
import { hidesAmounts, type Theme, theme, themes } from '../api/preferences.ts';
import { account, signOut } from '../api/session.ts';
import { accountTabs } from '../destinations.ts';
import { pages } from '../pages.ts';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { sayProblem } from '../parts/toasts.tsx';
import { openDialog } from './open-dialog.ts';

/** The user's account, the look of the pages, help, and the way out. */
export function AccountMenu() {
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
              <button type="button" aria-pressed={hidesAmounts.value} onClick={toggleAmounts}>
                <Icon name={hidesAmounts.value ? 'hidden' : 'shown'} />
                {hidesAmounts.value ? 'Show amounts' : 'Hide amounts'}
              </button>
            </li>
            <li>
              <button
                type="button"
                onClick={() => {
                  close();
                  openDialog('shortcuts');
                }}
              >
                <Icon name="keyboard" /> Keyboard shortcuts
              </button>
            </li>
            {hasHelp && <MenuLink href="/help" label="Help" />}
            {!user.demo && (
              <li class="menu-part">
                <button type="button" onClick={() => signOut().catch(sayProblem)}>
                  <Icon name="back" /> Sign out
                </button>
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
        <button
          key={each}
          type="button"
          aria-pressed={theme.value === each}
          onClick={() => {
            theme.value = each;
          }}
        >
          {themeNames[each]}
        </button>
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
