import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type ArrivedNotification, arrivedNotifications } from './api/live.ts';
import { to } from './api/page-url.ts';
import { findPage } from './format/page-links.ts';
import { say, type ToastGroup } from './parts/toasts.tsx';

/** The newest notification that was shown. */
let shown: ArrivedNotification | undefined;

/** Shows each incoming notification as a toast that links to its page. Renders nothing itself. */
export function Arrivals() {
  const { path } = useLocation();
  const all = arrivedNotifications.value;
  useEffect(() => {
    const fresh = shown === undefined ? all : all.slice(all.indexOf(shown) + 1);
    shown = all.at(-1);
    for (const { kind, title, link } of fresh) {
      const pageLocation = link === null ? null : findPage(link);
      // No toast is needed if its page, or the list it belongs to, is already open.
      const list = path === '/welcome' ? '/import' : path;
      if (path === '/notifications' || `${pageLocation?.path}/`.startsWith(`${list}/`)) continue;
      say(
        title,
        null,
        pageLocation === null ? null : { label: 'Show', href: to(pageLocation.path, pageLocation.query) },
        importKinds.has(kind) ? imports() : null,
      );
    }
  }, [all]);
  return null;
}

/** The kinds of notifications that the end of an import sends. */
const importKinds: ReadonlySet<string> = new Set(['import_completed', 'review_needed']);

function imports(): ToastGroup {
  const link = { label: 'Show', href: to('/import') };
  return { name: 'imports', text: (count) => `${count} imports finished`, link };
}
