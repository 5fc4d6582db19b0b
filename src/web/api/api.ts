import { treaty } from '@elysiajs/eden';
import type { createApp } from '../../app.ts';
import { withClient } from './page-url.ts';
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
