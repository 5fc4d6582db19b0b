import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { ErrorBoundary, lazy, useLocation } from 'preact-iso';
import { hasClients } from './api/books.ts';
import { connection } from './api/live.ts';
import { to, yearInUrl } from './api/page-url.ts';
import { useReviewCount, useStatus } from './api/status.ts';
import { useKnownYear, useTaxYear } from './api/tax-year.ts';
import { uploadsHere } from './api/uploads.ts';
import {
  clients,
  type Destination,
  mainDestinations,
  ofAllYears,
  ofYear,
  phoneDestinations,
  tools,
} from './destinations.ts';
import { count } from './format/amounts.ts';
import { opened, useShortcuts } from './frame/shortcuts.ts';
import { TopBar } from './frame/top-bar.tsx';
import { pages } from './pages.ts';
import { BooksBanner } from './parts/books-banner.tsx';
import { Button, Icon } from './parts/button.tsx';
import { Toasts } from './parts/toasts.tsx';
import { DropTarget, needsDecision, UploadStrip } from './parts/uploads/upload-strip.tsx';

/** The frame of every page for a signed-in user: navigation, whose books are open, and the page. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  useYearInUrl();
  useShortcuts();
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to main content
      </a>
      <Sidebar />
      <div class="column">
        <TopBar />
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
      <OpenDialog />
    </div>
  );
}

/** Puts the tax year into the URL of a page that shows one, so that the URL means the same to everybody. */
function useYearInUrl(): void {
  const { path, route, url } = useLocation();
  const year = useKnownYear();
  const isOfYear = pages.some((page) => page.isOfYear && page.path === path);
  useEffect(() => {
    if (!isOfYear || year === null || yearInUrl.value !== null) return;
    const query = new URLSearchParams(url.split('?')[1]);
    query.set('year', String(year));
    route(`${path}?${query}`, true);
  }, [url, year]);
}

const dialogs = {
  search: lazy(() => import('./frame/palette.tsx')),
  shortcuts: lazy(() => import('./frame/shortcut-list.tsx')),
};

/** The search or the list of shortcuts, loaded when first opened. */
function OpenDialog() {
  const View = opened.value === null ? null : dialogs[opened.value];
  return <ErrorBoundary>{View !== null && <View />}</ErrorBoundary>;
}

/** The pages of the tax year and of all years. Toasts appear below them, so they never cover an action. */
function Sidebar() {
  const year = useTaxYear();
  return (
    <div class="side">
      <nav aria-label="Pages">
        <a class="brand" href={to('/overview')}>
          <Logo /> Lotbook
        </a>
        {hasClients() && <PageList pages={[clients]} />}
        <PageList label={String(year ?? '…')} pages={ofYear} />
        <PageList label="All years" pages={ofAllYears} />
        <PageList pages={tools} />
      </nav>
      <Toasts />
    </div>
  );
}

/** The icon of the browser tab: two lots in a book. */
function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M8 22h16M8 16h10M8 10h6" />
    </svg>
  );
}

function PageList({ label, pages }: { readonly label?: string; readonly pages: readonly Destination[] }) {
  const id = useId();
  return (
    <>
      {label !== undefined && (
        <p id={id} class="nav-group">
          {label}
        </p>
      )}
      <ul aria-labelledby={label === undefined ? undefined : id}>
        {pages.map((page) => (
          <li key={page.href}>
            <PageLink page={page} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** A link to a page, with the number of things that wait there. */
function PageLink({ page: { href, icon, label } }: { readonly page: Destination }) {
  const { path } = useLocation();
  const Badge = badges[href];
  const isHere = path === href || path.startsWith(`${href}/`) || (href === '/forms' && path === '/funds');
  return (
    <a class="page-link" href={to(href)} aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{label}</span>
      {Badge !== undefined && <Badge />}
    </a>
  );
}

/** What waits on a page, shown next to its name. */
const badges: Readonly<Record<string, () => ComponentChildren>> = {
  '/import': () => <Count of={uploadsHere().filter(needsDecision).length} what="to match" />,
  '/review': () => <Count of={useReviewCount(useTaxYear()) ?? 0} what="open" />,
  '/forms': () => {
    const stale = useStatus().data?.staleReports ?? 0;
    return stale === 0 ? null : <span class="badge word">Out of date</span>;
  },
};

function Count({ of, what }: { readonly of: number; readonly what: string }) {
  if (of === 0) return null;
  return (
    <span class="badge">
      {count(of)}
      <span class="visually-hidden"> {what}</span>
    </span>
  );
}

/** On a phone: four pages at the bottom, and a sheet with the others. */
function PhoneBar() {
  const [isOpen, setOpen] = useState(false);
  const sheet = useRef<HTMLDialogElement>(null);
  const { url } = useLocation();
  const inBar = phoneDestinations(hasClients());
  useEffect(() => setOpen(false), [url]);
  useEffect(() => {
    if (isOpen) sheet.current?.showModal();
    else sheet.current?.close();
  }, [isOpen]);
  return (
    <>
      <nav class="phone-bar" aria-label="Main pages">
        {inBar.map((page) => (
          <PageLink key={page.href} page={page} />
        ))}
        <button type="button" class="page-link" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <Icon name="more" />
          <span>More</span>
        </button>
      </nav>
      <dialog ref={sheet} class="sheet" aria-label="More pages" onClose={() => setOpen(false)}>
        <ul>
          {mainDestinations(hasClients())
            .filter((page) => !inBar.includes(page))
            .map((page) => (
              <li key={page.href}>
                <PageLink page={page} />
              </li>
            ))}
        </ul>
        <Button label="Close" onClick={() => setOpen(false)} />
      </dialog>
    </>
  );
}
