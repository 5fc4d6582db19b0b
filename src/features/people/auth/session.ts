import { sha256 } from '@oslojs/crypto/sha2';
import { constantTimeEqual } from '@oslojs/crypto/subtle';
import { encodeBase32LowerCaseNoPadding } from '@oslojs/encoding';
import type { Config } from '../../../config.ts';
import { cookieHeader, readCookie, sessionCookieName } from '../../../http/cookies.ts';

/** Seven days from sign-in. Using the session does not extend it. */
export const sessionSeconds = 604_800;

export interface SessionToken {
  readonly id: string;
  readonly secret: string;
}

/** Creates a token: a 120-bit id that finds the row, and a 160-bit secret that proves ownership of the session. */
export function newToken(): SessionToken {
  return { id: randomText(15), secret: randomText(20) };
}

export function secretHash(secret: string): Uint8Array {
  return sha256(new TextEncoder().encode(secret));
}

/** Compares a secret with its hash in constant time. */
export function isSecret(secret: string, hash: Uint8Array): boolean {
  return constantTimeEqual(secretHash(secret), hash);
}

/** Returns the session token of a request, or undefined if it is missing or malformed. */
export function readToken(request: Request): SessionToken | undefined {
  const match = /^([a-z2-7]{24})\.([a-z2-7]{32})$/.exec(readCookie(request, sessionCookieName) ?? '');
  return match === null ? undefined : { id: match[1] ?? '', secret: match[2] ?? '' };
}

export function sessionCookie(token: SessionToken, config: Config, maxAgeSeconds = sessionSeconds): string {
  const attributes = { path: '/', maxAgeSeconds, secure: config.secure };
  return cookieHeader(sessionCookieName, `${token.id}.${token.secret}`, attributes);
}

/** Returns the response headers for the end of the browser's own session. They clear the cookie and all cached data. */
export function endedSessionHeaders(config: Config): Record<string, string> {
  const attributes = { path: '/', maxAgeSeconds: 0, secure: config.secure };
  return { 'set-cookie': cookieHeader(sessionCookieName, '', attributes), 'clear-site-data': '"cache", "storage"' };
}

function randomText(byteCount: number): string {
  return encodeBase32LowerCaseNoPadding(crypto.getRandomValues(new Uint8Array(byteCount)));
}
