import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { to, yearInUrl } from './api/acting.ts';
import { hasClients } from './api/books.ts';
import { connection } from './api/live.ts';
import { hidesAmounts, theme, themes } from './api/preferences.ts';
import { account, signOut } from './api/session.ts';
import { useStatus } from './api/status.ts';
import { useKnownYear } from './api/tax-year.ts';
import { uploadsHere } from './api/uploads.ts';
import { PersonSwitch } from './frame/person-switch.tsx';
import { YearSwitch } from './frame/year-switch.tsx';
import { type PageEntry, pages } from './pages.ts';
import { BooksBanner } from './parts/books-banner.tsx';
import { Icon } from './parts/icon.tsx';
import { sayProblem } from './parts/toasts.tsx';
import { DropTarget } from './parts/uploads/drop-target.tsx';
import { needsDecision, UploadStrip } from './parts/uploads/upload-strip.tsx';

/** The frame of every page for a signed-in user: navigation, whose books are open, and the page. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  useYearInUrl();
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to main content
      </a>
      <Navigation />
      <div class="column">
        <BooksBanner />
        {connection.value === 'lost' && (
          <p class="strip" role="status">
            You're offline. We'll reconnect automatically; what you see may be out of date.
          </p>
        )}
        <UploadStrip />
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <PhoneBar />
      <DropTarget />
    </div>
  );
}

/** Puts the tax year into the URL of a page that shows one, so that the URL means the same to everybody. */
function useYearInUrl(): void {
  const { path, route, url } = useLocation();
  const year = useKnownYear();
  const isOfYear = pages.some((page) => page.nav?.isOfYear && page.path === path);
  useEffect(() => {
    if (!isOfYear || year === null || yearInUrl.value !== null) return;
    const [, query = ''] = url.split('?');
    route(`${path}?${query}${query === '' ? '' : '&'}year=${year}`, true);
  }, [url, year]);
}

function Navigation() {
  const entries = entriesHere();
  return (
    <nav class="side" aria-label="Pages">
      <a class="brand" href={to('/overview')}>
        Lotbook
      </a>
      <PersonSwitch />
      <YearSwitch />
      <ul>
        {entries.map((page) => (
          <li key={page.path}>
            <PageLink page={page} />
          </li>
        ))}
      </ul>
      <Preferences />
    </nav>
  );
}

/** The navigation pages for the signed-in user. */
function entriesHere(): readonly PageEntry[] {
  return pages.filter(({ nav }) => nav !== undefined && (nav.ofClients === undefined || hasClients()));
}

function PageLink({ page: { nav, path } }: { readonly page: PageEntry }) {
  const { path: at } = useLocation();
  if (nav === undefined) return null;
  const Badge = badges[nav.href];
  const isHere = at === nav.href || at.startsWith(`${path.split('/:')[0]}/`);
  return (
    <a class="page-link" href={to(nav.href)} aria-current={isHere ? 'page' : undefined}>
      <Icon name={nav.icon} />
      <span>{nav.label}</span>
      {Badge !== undefined && <Badge />}
    </a>
  );
}

/** The badge next to a page's name, such as the number of items to review. */
const badges: Readonly<Record<string, () => ComponentChildren>> = {
  '/import': () => {
    const count = uploadsHere().filter(needsDecision).length;
    return count === 0 ? null : <span class="badge">{count}</span>;
  },
  '/review': () => {
    const count = useStatus().data?.issues.count ?? 0;
    return count === 0 ? null : <span class="badge">{count}</span>;
  },
  '/forms': () => {
    const stale = useStatus().data?.staleReports ?? 0;
    return stale === 0 ? null : <span class="badge">Out of date</span>;
  },
  '/notifications': () => {
    const unread = useStatus().data?.unreadNotifications ?? 0;
    return unread === 0 ? null : (
      <span class="badge">
        {unread}
        <span class="visually-hidden"> unread</span>
      </span>
    );
  },
};

function Preferences() {
  const { route } = useLocation();
  const isDemo = account.value?.demo ?? false;
  async function leave(): Promise<void> {
    await signOut();
    if (isDemo) route('/');
  }
  return (
    <div class="preferences">
      <button
        type="button"
        class="plain"
        aria-pressed={hidesAmounts.value}
        onClick={() => {
          hidesAmounts.value = !hidesAmounts.value;
        }}
      >
        <Icon name={hidesAmounts.value ? 'hidden' : 'shown'} />
        <span>{hidesAmounts.value ? 'Show amounts' : 'Hide amounts'}</span>
      </button>
      <button
        type="button"
        class="plain"
        onClick={() => {
          theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'auto';
        }}
      >
        <Icon name="theme" />
        <span>{themeNames[theme.value]}</span>
      </button>
      <button type="button" class="plain" onClick={() => leave().catch(sayProblem)}>
        <Icon name="back" />
        <span>{isDemo ? 'Leave the demo' : 'Sign out'}</span>
      </button>
      <p class="fine who">{isDemo ? account.value?.name : account.value?.email}</p>
    </div>
  );
}

const themeNames = { auto: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' } as const;

const isMenuOpen = signal(false);

/** On a phone, shows the most frequently used pages and a sheet with all pages. */
function PhoneBar() {
  const sheet = useRef<HTMLDialogElement>(null);
  const { url } = useLocation();
  useEffect(() => {
    isMenuOpen.value = false;
  }, [url]);
  useEffect(() => {
    if (isMenuOpen.value) sheet.current?.showModal();
    else sheet.current?.close();
  }, [isMenuOpen.value]);
  return (
    <>
      <nav class="phone-bar" aria-label="Main pages">
        {pages
          .filter((page) => page.nav?.onPhone)
          .map((page) => (
            <PageLink key={page.path} page={page} />
          ))}
        <button
          type="button"
          class="page-link"
          aria-haspopup="dialog"
          onClick={() => {
            isMenuOpen.value = true;
          }}
        >
          <Icon name="more" />
          <span>More</span>
        </button>
      </nav>
      <dialog
        ref={sheet}
        class="sheet"
        aria-label="All pages"
        onClose={() => {
          isMenuOpen.value = false;
        }}
      >
        <PersonSwitch />
        <YearSwitch />
        <ul>
          {entriesHere().map((page) => (
            <li key={page.path}>
              <PageLink page={page} />
            </li>
          ))}
        </ul>
        <Preferences />
        <button
          type="button"
          onClick={() => {
            isMenuOpen.value = false;
          }}
        >
          Close
        </button>
      </dialog>
    </>
  );
}
