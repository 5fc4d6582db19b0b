import { Refusal } from '../base/refusal.ts';
import { readCookie, sessionCookieName } from './cookies.ts';

/** Returns the token in an `Authorization: Bearer` header, or undefined without one. Other schemes are ignored. */
export function readBearer(request: Request): string | undefined {
  const match = /^bearer(?: +(.*))?$/i.exec(request.headers.get('authorization')?.trim() ?? '');
  return match === null ? undefined : (match[1] ?? '').trim();
}

/**
 * Refuses a cookie together with a token. A request comes from a browser or from a program, and with both it would be
 * unclear whose permissions count.
 */
export function refuseTwoCredentials(request: Request): void {
  if (readBearer(request) === undefined || readCookie(request, sessionCookieName) === undefined) return;
  throw new Refusal('two_credentials', 'Send the session cookie or a token, not both.');
}
