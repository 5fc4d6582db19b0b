import { treaty } from '@elysiajs/eden';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { createApp } from '../../app.ts';
import { clientId, withClient } from './page-url.ts';
import { Problem, problemFrom, toProblem } from './problem.ts';
import { askForProof, signedOut, watchCookie } from './proof-request.ts';

/** The API client, typed from the routes. Requests for books carry the client whose books are open. */
export const api = treaty<ReturnType<typeof createApp>>(location.origin, {
  parseDate: false,
  // Eden uses the type of Bun's `fetch`, which has properties that a browser's `fetch` lacks.
  fetcher: request as typeof fetch,
  // Eden's own parser turns strings that look like numbers into numbers.
  onResponse: (response) => (isJson(response) ? response.json() : response.text()),
}).v1;

/** The result of an `api` call. */
export type ApiResponse<Data> =
  | { readonly data: Data; readonly error: null }
  | { readonly data: null; readonly error: { readonly value: unknown } };

/** Returns the data of a response. Throws a Problem for an error response. */
export async function unwrapResponse<Data>(call: Promise<ApiResponse<Data>>): Promise<Data> {
  const { data, error } = await call;
  if (error !== null) throw toProblem(error.value);
  return data;
}

/** The data of an API call. */
export type DataOf<Call extends (...values: never[]) => Promise<unknown>> =
  Awaited<ReturnType<Call>> extends infer Response
    ? Response extends { readonly data: infer Data; readonly error: null }
      ? Data
      : never
    : never;

/** An item of a list that an API call returns. */
export type ItemOf<Call extends (...values: never[]) => Promise<unknown>> =
  DataOf<Call> extends { readonly data: readonly (infer Item)[] } ? Item : never;

/**
 * Works like `fetch`, for what the typed client cannot do: downloads and streams. Throws a Problem for an error
 * response. If the API requires a fresh proof of identity, a dialog prompts the user for it, and the request is sent
 * again.
 */
export async function request(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const url = withClient(new URL(input instanceof Request ? input.url : input, location.origin));
  const wasCookieExchanged = watchCookie();
  let apiResponse = await fetchOnce(url, init);
  if (apiResponse instanceof Problem && apiResponse.code === 'reauthentication_required' && (await askForProof())) {
    apiResponse = await fetchOnce(url, init);
  } else if (apiResponse instanceof Problem && apiResponse.code === 'unauthenticated' && (await wasCookieExchanged())) {
    apiResponse = await fetchOnce(url, init);
  }
  if (apiResponse instanceof Response) return apiResponse;
  // A wrong password is a 401 too, but does not end the session.
  if (apiResponse.code === 'unauthenticated') signedOut.value += 1;
  throw apiResponse;
}

/** The idempotency keys of requests whose response was lost. Such a request that is sent again is done once. */
const lostKeys = new Map<string, string>();

async function fetchOnce(url: URL, init: RequestInit = {}): Promise<Response | Problem> {
  const headers = new Headers(init.headers);
  const id = init.method === 'POST' && typeof init.body === 'string' ? `${url} ${init.body}` : '';
  const key = lostKeys.get(id) ?? newKey();
  lostKeys.delete(id);
  if (id !== '') headers.set('idempotency-key', key);
  const response = await fetch(url, { ...init, headers }).catch((error: unknown) => {
    if (id !== '') lostKeys.set(id, key);
    throw error;
  });
  return response.ok ? response : problemFrom(response.status, isJson(response) ? await response.json() : null);
}

/** Returns a random idempotency key. */
export function newKey(): string {
  return crypto
    .getRandomValues(new Uint8Array(16))
    .reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '');
}

const isJson = (response: Response): boolean => /\bjson\b/.test(response.headers.get('content-type') ?? '');

/** Data that a page reads, with its loading state and error. */
export interface Reading<Data> {
  /** Undefined until the first response. Previous data remains while it reloads. */
  readonly data: Data | undefined;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
}

interface CachedReading {
  readonly state: Signal<Reading<unknown>>;
  readonly load: () => Promise<unknown>;
  /** The number of components that show the data. */
  users: number;
  /** Counts loads so that an older response never replaces a newer one. */
  turn: number;
  isStale: boolean;
}

const entries = new Map<string, CachedReading>();
const entriesMax = 200;

/** Loads data, cached by key, and reloads it when the books change. A key stands for one request, and null for none. */
export function useResource<Data>(key: string | null, load: () => Promise<Data>): Reading<Data> {
  const entry = getEntry(key === null ? null : `${clientId.value ?? ''} ${key}`, load);
  useEffect(() => {
    if (entry === null) return;
    entry.users += 1;
    if (entry.isStale) void read(entry);
    return () => {
      entry.users -= 1;
    };
  }, [entry]);
  return entry === null ? nothing : (entry.state as ReadonlySignal<Reading<Data>>).value;
}

/** Loads the data of an API call like `useResource`. */
export function useApi<Data>(key: string | null, call: () => Promise<ApiResponse<Data>>): Reading<Data> {
  return useResource(key, () => unwrapResponse(call()));
}

/** Reloads data after a change in the books. Data on screen reloads now, and other data when it is next shown. */
export function refresh(): void {
  for (const entry of entries.values()) {
    entry.isStale = true;
    if (entry.users > 0) void read(entry);
  }
}

/** Forgets all data after the user changed, so that nothing from the previous user is shown. */
export function forgetAll(): void {
  entries.clear();
}

const nothing: Reading<never> = { data: undefined, problem: null, isLoading: false };

function getEntry(key: string | null, load: () => Promise<unknown>): CachedReading | null {
  if (key === null) return null;
  const known = entries.get(key);
  if (known !== undefined) return known;
  const state = signal<Reading<unknown>>({ data: undefined, problem: null, isLoading: true });
  const entry: CachedReading = { state, load, users: 0, turn: 0, isStale: true };
  entries.set(key, entry);
  dropUnused();
  return entry;
}

async function read(entry: CachedReading): Promise<void> {
  entry.turn += 1;
  entry.isStale = false;
  const { turn } = entry;
  entry.state.value = { ...entry.state.peek(), isLoading: true };
  try {
    const data = await entry.load();
    if (turn === entry.turn) entry.state.value = { data, problem: null, isLoading: false };
  } catch (error) {
    if (turn !== entry.turn) return;
    entry.isStale = true;
    entry.state.value = { ...entry.state.peek(), problem: toProblem(error), isLoading: false };
  }
}

function dropUnused(): void {
  for (const [key, entry] of entries) {
    if (entries.size <= entriesMax) return;
    if (entry.users === 0 && !entry.state.peek().isLoading) entries.delete(key);
  }
}

// What could not be read while offline is read as soon as the connection is back.
addEventListener('online', () => {
  for (const entry of entries.values()) {
    if (entry.users > 0 && entry.state.peek().problem?.code === 'offline') void read(entry);
  }
});

/** A page of any list of the API. */
interface ListPage {
  readonly data: readonly unknown[];
  readonly nextCursor: string | null;
}

export interface List<Page extends ListPage> {
  /** The first page, with the items of all pages so far. */
  readonly reading: Reading<Page>;
  /** Loads the next page. Null after the last one. */
  readonly showMore: (() => void) | null;
}

/**
 * Loads a list page by page. When the books change, all pages shown are loaded again. A different key starts with the
 * first page, and a null key loads nothing. `cursor` is empty for the first page.
 */
export function useList<Page extends ListPage>(
  key: string | null,
  call: (cursor: { readonly cursor?: string }) => Promise<ApiResponse<Page>>,
): List<Page> {
  const [shown, setShown] = useState<Shown<Page>>({ key, count: 1, pages: [], isCurrent: false });
  const { count, pages, isCurrent } = shown.key === key ? shown : { count: 1, pages: [], isCurrent: false };
  let known = isCurrent ? pages : [];
  const loading = useResource(key === null ? null : `${key}, ${count} pages`, async () => {
    const all = [...known];
    // A second load reads everything again.
    known = [];
    while (all.length < count) {
      const cursor = all.at(-1)?.nextCursor;
      if (cursor === null) break;
      all.push(await unwrapResponse(call(cursor === undefined ? {} : { cursor })));
    }
    return all;
  });
  const all = loading.data ?? pages;
  const [first] = all;
  const data = first && { ...first, data: all.flatMap((page) => page.data) };
  const hasMore = loading.data !== undefined && (all.at(-1)?.nextCursor ?? null) !== null;
  return {
    reading: { ...loading, data },
    showMore: hasMore ? () => setShown({ key, count: count + 1, pages: all, isCurrent: !loading.isLoading }) : null,
  };
}

interface Shown<Page> {
  readonly key: string | null;
  readonly count: number;
  /** The pages before the last one, shown while it loads. */
  readonly pages: readonly Page[];
  /** Whether showing more loads a single page, because the others were not being loaded again. */
  readonly isCurrent: boolean;
}

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
