import { deviceName } from '../../../base/device-name.ts';
import type { Config } from '../../../config.ts';
import type { Sql } from '../../../db/connection.ts';
import { hostCookieHeader, readHostCookie } from '../../../http/cookies.ts';
import { readOwnBooks } from '../notifications.queries.ts';
import { notify } from '../notifications.ts';
import { deleteOtherDevices, insertDevice, touchDevice } from './devices.queries.ts';
import { linkTokenHash, newLinkToken } from './link-token.ts';

/** 400 days, the longest lifetime that browsers allow for cookies (RFC 6265bis). */
const cookieSeconds = 400 * 86_400;
const cookieName = 'device';
const devicesMax = 50;

/** The browser used for a successful sign-in. */
export interface SeenDevice {
  readonly secret: string;
  /** True if the user has signed in from this browser before. */
  readonly isKnown: boolean;
}

/**
 * Remembers the browser, so the user can sign in from it even while others guess passwords. Set `hasSignedIn` to false
 * if a link added the browser. Its first sign-in is then still reported as coming from a new browser.
 */
export async function rememberDevice(
  sql: Sql,
  request: Request,
  userId: string,
  { hasSignedIn }: { readonly hasSignedIn: boolean },
): Promise<SeenDevice> {
  const secret = readSecret(request) ?? newLinkToken();
  const secretHash = linkTokenHash(secret);
  const before = await touchDevice(sql, userId, secretHash, hasSignedIn);
  if (before === undefined) await insertDevice(sql, { userId, secretHash, hasSignedIn }, devicesMax);
  return { secret, isKnown: before?.hadSignedIn === true };
}

/** Forgets all other browsers after a password change. */
export async function forgetOtherDevices(sql: Sql, request: Request, userId: string): Promise<void> {
  await deleteOtherDevices(sql, userId, deviceHash(request));
}

/**
 * Returns the hash of the request's device cookie. Without a cookie, returns the hash of an empty string, which matches
 * no device.
 */
export function deviceHash(request: Request): Uint8Array {
  return linkTokenHash(readSecret(request) ?? '');
}

export function deviceCookie(secret: string, config: Config): string {
  return hostCookieHeader(cookieName, secret, { maxAgeSeconds: cookieSeconds, secure: config.secure });
}

function readSecret(request: Request): string | null {
  const value = readHostCookie(request, cookieName) ?? '';
  return /^[a-z2-7]{32}$/.test(value) ? value : null;
}

/** Adds a notification to the user's feed. */
export async function notifyNewDevice(
  sql: Sql,
  userId: string,
  { at, device, address }: { readonly at: Date; readonly device: string; readonly address: string },
): Promise<void> {
  const books = await readOwnBooks(sql, userId);
  if (books === undefined) return;
  const name = device === '' ? 'An unidentified program' : deviceName(device);
  await notify(sql, books, {
    kind: 'new_sign_in',
    title: 'New sign-in from an unknown browser',
    body: `${name} signed in from the address ${address}. If this wasn't you, change your password now. Changing it also ends all other sessions.`,
    link: '/v1/auth/sessions',
    at,
  });
}
