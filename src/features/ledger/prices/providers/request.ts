import { ProviderFault } from './provider.ts';

interface RequestLimits {
  readonly attempts: number;
  readonly waitMilliseconds: number;
  readonly timeoutMilliseconds: number;
  readonly bytesMax: number;
}

export const requestLimits: RequestLimits = {
  attempts: 3,
  waitMilliseconds: 500,
  timeoutMilliseconds: 10_000,
  bytesMax: 8 * 1024 ** 2,
};

/**
 * Requests a URL and returns the text of the response, or null if the asset is unknown (404). Retries temporary
 * failures.
 */
export async function requestText(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  limits: RequestLimits = requestLimits,
): Promise<string | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await requestOnce(url, headers, signal, limits);
    } catch (error) {
      signal.throwIfAborted();
      const isFinal = error instanceof ProviderFault && error.stops;
      if (isFinal || attempt >= limits.attempts) throw error;
      await Bun.sleep(limits.waitMilliseconds * 2 ** (attempt - 1));
      signal.throwIfAborted();
    }
  }
}

/** Sends a request once. Refuses redirects, which would send the key and the request to a different host. */
async function requestOnce(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  { timeoutMilliseconds, bytesMax }: RequestLimits,
): Promise<string | null> {
  const response = await fetch(url, {
    headers: { accept: 'application/json', ...headers },
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]),
  });
  const { status } = response;
  if (status === 200) return readText(response, bytesMax);
  await response.body?.cancel();
  if (status === 404) return null;
  if (status >= 300 && status < 400)
    throw new ProviderFault(`It redirected the request (${status}), which is refused.`, true);
  if (status === 429) throw new ProviderFault('It asked to wait (429).', true);
  throw new ProviderFault(`It returned status ${status}.`, status < 500);
}

async function readText({ body }: Response, bytesMax: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.byteLength;
    if (bytes > bytesMax) throw new ProviderFault('Its response is too large.', true);
    pieces.push(piece);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
}
