import { refresh } from './resource.ts';

/** Notifies the other tabs of this browser. */
const tabs = new BroadcastChannel('lotbook');
tabs.addEventListener('message', () => refresh());

/** Call after a write: every page in every tab reloads the data it shows. */
export function booksChanged(): void {
  refresh();
  tabs.postMessage('changed');
}
