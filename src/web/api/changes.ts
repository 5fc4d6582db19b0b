import { refresh } from './resource.ts';

/** Notifies the other tabs of this browser. */
const tabs = new BroadcastChannel('lotbook');
tabs.addEventListener('message', () => refresh());

/** Makes every page in every tab reload the data it shows. Call it after a write. */
export function booksChanged(): void {
  refresh();
  tabs.postMessage('changed');
}
