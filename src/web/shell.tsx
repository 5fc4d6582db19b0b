import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ErrorBoundary, lazy, useLocation } from 'preact-iso';
import { connection } from './api/live.ts';
import { yearInUrl } from './api/page-url.ts';
import { useKnownYear } from './api/tax-year.ts';
import { opened, useShortcuts } from './frame/shortcuts.ts';
import { PhoneBar, Sidebar } from './frame/sidebar.tsx';
import { TopBar } from './frame/top-bar.tsx';
import { pages } from './pages.ts';
import { BooksBanner } from './parts/books-banner.tsx';
import { DropTarget, UploadStrip } from './parts/uploads/upload-strip.tsx';

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
