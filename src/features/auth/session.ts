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

/** 120 bits of name and 160 bits of secret: one to find the row, the other to prove it is yours. */
export function newToken(): SessionToken {
  return { id: randomText(15), secret: randomText(20) };
}

export function secretHash(secret: string): Uint8Array {
  return sha256(new TextEncoder().encode(secret));
}

/** In equal time, wherever the two differ. */
export function isSecret(secret: string, hash: Uint8Array): boolean {
  return constantTimeEqual(secretHash(secret), hash);
}

/** The token of a request, or undefined: none, or nothing that we could have given out. */
export function readToken(request: Request): SessionToken | undefined {
  const match = /^([a-z2-7]{24})\.([a-z2-7]{32})$/.exec(readCookie(request, sessionCookieName) ?? '');
  return match === null ? undefined : { id: match[1] ?? '', secret: match[2] ?? '' };
}

export function sessionCookie(token: SessionToken, config: Config): string {
  const attributes = { path: '/', maxAgeSeconds: sessionSeconds, secure: config.secure };
  return cookieHeader(sessionCookieName, `${token.id}.${token.secret}`, attributes);
}

export function endedSessionCookie(config: Config): string {
  return cookieHeader(sessionCookieName, '', { path: '/', maxAgeSeconds: 0, secure: config.secure });
}

function randomText(byteCount: number): string {
  return encodeBase32LowerCaseNoPadding(crypto.getRandomValues(new Uint8Array(byteCount)));
}
