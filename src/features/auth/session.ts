import { sha256 } from '@oslojs/crypto/sha2';
import { constantTimeEqual } from '@oslojs/crypto/subtle';
import { encodeBase32LowerCaseNoPadding } from '@oslojs/encoding';
import type { Config } from '../../config.ts';
import { cookieHeader, readCookie, sessionCookieName } from '../../http/cookies.ts';

/** Seven days from sign-in, not extended. */
export const sessionSeconds = 604_800;

export interface SessionToken {
  readonly id: string;
  readonly secret: string;
}

/** 120 bits of id, which find the row, and 160 bits of secret, which prove that the session is the caller's. */
export function newToken(): SessionToken {
  return { id: randomText(15), secret: randomText(20) };
}

export function secretHash(secret: string): Uint8Array {
  return sha256(new TextEncoder().encode(secret));
}

/** Compares in constant time. */
export function isSecret(secret: string, hash: Uint8Array): boolean {
  return constantTimeEqual(secretHash(secret), hash);
}

/** The token of a request; undefined where there is none, or one that we cannot have issued. */
export function readToken(request: Request): SessionToken | undefined {
  const match = /^([a-z2-7]{24})\.([a-z2-7]{32})$/.exec(readCookie(request, sessionCookieName) ?? '');
  return match === null ? undefined : { id: match[1] ?? '', secret: match[2] ?? '' };
}

export function sessionCookie(token: SessionToken, config: Config, maxAgeSeconds = sessionSeconds): string {
  const attributes = { path: '/', maxAgeSeconds, secure: config.secure };
  return cookieHeader(sessionCookieName, `${token.id}.${token.secret}`, attributes);
}

/** Of the answer that ends the browser's own session: it forgets the cookie and whatever it kept of the books. */
export function endedSessionHeaders(config: Config): Record<string, string> {
  const attributes = { path: '/', maxAgeSeconds: 0, secure: config.secure };
  return { 'set-cookie': cookieHeader(sessionCookieName, '', attributes), 'clear-site-data': '"cache", "storage"' };
}

function randomText(byteCount: number): string {
  return encodeBase32LowerCaseNoPadding(crypto.getRandomValues(new Uint8Array(byteCount)));
}
