import { Refusal } from '../base/refusal.ts';
import { factsOf } from './requests.ts';

/**
 * Cookies by hand: a framework that parses a value that looks like JSON, or throws on a stray percent sign, must not
 * come near a session.
 */
export function readCookie(request: Request, name: string): string | undefined {
  return valuesOf(request, name)[0];
}

/** The name is of version 1 of the API, and has no prefix therefore. */
export const sessionCookieName = 'session';

/** Of a cookie that no program names: under https a browser takes it from this host alone (RFC 6265bis, 4.1.3.2). */
export function readHostCookie(request: Request, name: string): string | undefined {
  return readCookie(request, hostName(name, factsOf(request).isSecure));
}

export function hostCookieHeader(
  name: string,
  value: string,
  given: { readonly maxAgeSeconds: number; readonly secure: boolean },
): string {
  return cookieHeader(hostName(name, given.secure), value, { path: '/', ...given });
}

function hostName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

/** Two session cookies mean that an attacker planted one, so neither is accepted. */
export function refuseDuplicateSession(request: Request): void {
  if (valuesOf(request, sessionCookieName).length < 2) return;
  throw new Refusal('duplicate_cookie', 'The request carries two session cookies; it may carry one.');
}

export interface CookieAttributes {
  readonly path: string;
  readonly maxAgeSeconds: number;
  readonly secure: boolean;
}

export function cookieHeader(name: string, value: string, { path, maxAgeSeconds, secure }: CookieAttributes): string {
  const attributes = [`Max-Age=${maxAgeSeconds}`, `Path=${path}`, 'HttpOnly', 'SameSite=Lax'];
  if (secure) attributes.push('Secure');
  return `${name}=${value}; ${attributes.join('; ')}`;
}

function valuesOf(request: Request, name: string): string[] {
  const header = request.headers.get('cookie') ?? '';
  const values: string[] = [];
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) values.push(unquoted(pair.slice(at + 1).trim()));
  }
  return values;
}

function unquoted(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
