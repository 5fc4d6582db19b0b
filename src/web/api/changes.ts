import { refresh } from './resource.ts';

/** Notifies the other tabs of this browser. */
const tabs = new BroadcastChannel('lotbook');
tabs.addEventListener('message', () => refresh());

/** After a write: every page reads again what it shows, in every tab. */
export function booksChanged(): void {
  refresh();
  tabs.postMessage('changed');
}
