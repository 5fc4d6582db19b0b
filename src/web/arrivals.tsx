import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { to } from './api/acting.ts';
import { type ArrivedNotification, arrived } from './api/live.ts';
import { pageOf } from './format/page-links.ts';
import { say } from './parts/toasts.tsx';

/** The newest notification that was shown. */
let shown: ArrivedNotification | undefined;

/** Shows each incoming notification as a toast that links to its page. Renders nothing itself. */
export function Arrivals() {
  const { path } = useLocation();
  const all = arrived.value;
  useEffect(() => {
    const fresh = shown === undefined ? all : all.slice(all.indexOf(shown) + 1);
    shown = all.at(-1);
    for (const { title, link } of fresh) {
      const place = link === null ? null : pageOf(link);
      // If its page, or the list it belongs to, is already open, no toast is needed.
      if (path === '/notifications' || `${place?.path}/`.startsWith(`${path}/`)) continue;
      say(title, null, place === null ? null : { label: 'Show', href: to(place.path, place.query) });
    }
  }, [all]);
  return null;
}
