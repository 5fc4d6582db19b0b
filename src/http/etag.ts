import { Refusal } from '../base/refusal.ts';

/**
 * Returns a strong entity tag for everything that the response depends on: the ledger's revision, the settings, the
 * year.
 */
export async function computeEtag(...parts: readonly (string | number | null)[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `"${digest.slice(0, 16).toHex()}"`;
}

/**
 * Evaluates If-None-Match by weak comparison (RFC 9110, 13.1.2). Returns true if the client already has the response.
 */
export function isNotModified(request: Request, etag: string): boolean {
  return matches(request.headers.get('if-none-match'), etag, true);
}

/** Headers of a tagged response. The client may cache it and must revalidate it. */
export function cacheHeaders(etag: string): { etag: string; 'cache-control': string; vary: string } {
  return { etag, 'cache-control': 'private, no-cache', vary: 'cookie' };
}

/** Returns whether the request requires a comparison, which belongs in the transaction of its change. */
export function hasIfMatch(request: Request): boolean {
  return request.headers.has('if-match');
}

/** Evaluates If-Match by strong comparison (RFC 9110, 13.1.1). The request fails if the resource has changed. */
export function requireMatch(request: Request, etag: string): void {
  const header = request.headers.get('if-match');
  if (header === null || matches(header, etag, false)) return;
  throw new Refusal('precondition_failed', 'The resource has changed since you read it. Read it again, then retry.');
}

function matches(header: string | null, etag: string, weak: boolean): boolean {
  if (header === null) return false;
  if (header.trim() === '*') return true;
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => tag === etag || (weak && tag === `W/${etag}`));
}
