import { type ApiResponse, unwrapResponse } from './api.ts';
import { refresh } from './resource.ts';

/** Notifies the other tabs of this browser. */
const tabs = new BroadcastChannel('lotbook');
tabs.addEventListener('message', () => refresh());

/** Makes every page in every tab reload the data it shows. Call it after a write. */
export function booksChanged(): void {
  refresh();
  tabs.postMessage('changed');
}

/** Sends a write, after which every page reloads. Returns its data, or throws a Problem for an error response. */
export async function write<Data>(call: Promise<ApiResponse<Data>>): Promise<Data> {
  const data = await unwrapResponse(call);
  booksChanged();
  return data;
}
