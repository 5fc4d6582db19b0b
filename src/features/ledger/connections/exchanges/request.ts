import { isObject } from '../../../../base/json.ts';
import { exactJson } from '../../prices/providers/exact-json.ts';
import { ExchangeFault } from './exchange.ts';

const timeoutMilliseconds = 30_000;
const bytesMax = 32 * 1024 ** 2;
const retrySecondsMax = 24 * 3_600;

interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ExchangeResponse {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends a request once. Refuses redirects, which would send the keys to a different host, and responses that are too
 * large or end early. Statuses other than 429 and 5xx are for the caller, because each service explains them in its own
 * way.
 */
export async function sendRequest(request: ExchangeRequest, signal: AbortSignal): Promise<ExchangeResponse> {
  const { method, url, headers, body } = request;
  try {
    const response = await fetch(url, {
      method,
      headers: { 'user-agent': 'Lotbook', ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]),
    });
    const text = await readText(response);
    const { status } = response;
    if (status === 429) throw new ExchangeFault('busy', 'The service asked us to wait.', readRetrySeconds(response));
    if (status >= 500) throw new ExchangeFault('failed', `The service answered with status ${status}.`);
    if (status >= 300 && status < 400) throw new ExchangeFault('failed', 'The service redirected the request.');
    return { status, text };
  } catch (error) {
    signal.throwIfAborted();
    // The reason of a failed request can contain its URL, and a URL can contain a token.
    throw error instanceof ExchangeFault ? error : new ExchangeFault('failed', 'The service did not answer.');
  }
}

function readRetrySeconds(response: Response): number | null {
  const text = response.headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(text) ? Math.min(Number(text), retrySecondsMax) : null;
}

async function readText({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.byteLength;
    if (bytes > bytesMax) throw new ExchangeFault('failed', 'The response of the service is too large.');
    pieces.push(piece);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
}

/** Parses a JSON object, with numbers as text. */
export function parseResponse(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = exactJson(text);
  } catch {
    value = undefined;
  }
  if (!isObject(value)) throw new ExchangeFault('failed', 'The answer of the service is incomplete.');
  return value;
}

export function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

export function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Formats seconds since 1970 as `2024-03-19 19:43:31`, in UTC. Drops fractions, as the exports do. */
export function formatSecond(seconds: number): string {
  return new Date(Math.floor(seconds) * 1_000).toISOString().slice(0, 19).replace('T', ' ');
}
