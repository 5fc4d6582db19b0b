import { Refusal } from '../base/refusal.ts';
import { getRequestFacts } from './requests.ts';

/**
 * Returns the value of a cookie. Parses cookies without the framework, whose parser decodes values that look like JSON
 * or throws on a stray percent sign, which is not safe for sessions.
 */
export function readCookie(request: Request, name: string): string | undefined {
  return readCookieValues(request, name)[0];
}

/** This name has been part of the API since version 1, so it has no `__Host-` prefix. */
export const sessionCookieName = 'session';

/**
 * Reads a cookie that API clients never refer to by name. Over HTTPS such cookies get the `__Host-` prefix, so a
 * browser accepts them only from this host (RFC 6265bis, 4.1.3.2).
 */
export function readHostCookie(request: Request, name: string): string | undefined {
  return readCookie(request, hostName(name, getRequestFacts(request).isSecure));
}

export function hostCookieHeader(
  name: string,
  value: string,
  cookieOptions: { readonly maxAgeSeconds: number; readonly secure: boolean },
): string {
  return cookieHeader(hostName(name, cookieOptions.secure), value, { path: '/', ...cookieOptions });
}

function hostName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

/** Refuses two session cookies because they mean that an attacker planted one. */
export function refuseDuplicateSession(request: Request): void {
  if (readCookieValues(request, sessionCookieName).length < 2) return;
  throw new Refusal('duplicate_cookie', 'The request has two session cookies. Send only one.');
}

interface CookieAttributes {
  readonly path: string;
  readonly maxAgeSeconds: number;
  readonly secure: boolean;
}

export function cookieHeader(name: string, value: string, { path, maxAgeSeconds, secure }: CookieAttributes): string {
  const attributes = [`Max-Age=${maxAgeSeconds}`, `Path=${path}`, 'HttpOnly', 'SameSite=Lax'];
  if (secure) attributes.push('Secure');
  return `${name}=${value}; ${attributes.join('; ')}`;
}

function readCookieValues(request: Request, name: string): string[] {
  const header = request.headers.get('cookie') ?? '';
  const values: string[] = [];
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) values.push(unquote(pair.slice(at + 1).trim()));
  }
  return values;
}

function unquote(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
