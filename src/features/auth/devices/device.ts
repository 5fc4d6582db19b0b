import type { Config } from '../../../config.ts';
import type { Sql } from '../../../db/connection.ts';
import { hostCookieHeader, readHostCookie } from '../../../http/cookies.ts';
import { linkTokenHash, newLinkToken } from '../link-token.ts';
import { deleteOtherDevices, insertDevice, touchDevice } from './queries.ts';

/** A browser forgets cookies after 400 days at most (RFC 6265bis). */
const cookieSeconds = 400 * 86_400;
const cookieName = 'device';
const devicesMax = 50;

/** The browser of a sign-in that went well. */
export interface SeenDevice {
  readonly secret: string;
  /** The user signed in in it before. */
  readonly isKnown: boolean;
}

/**
 * Remembers the browser: whatever others guess, the user signs in from it. `hasSignedIn: false`: a link made it known, and the
 * first sign-in is still reported as one from a new browser.
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

/** After a change of password the other browsers are strangers. */
export async function forgetOtherDevices(sql: Sql, request: Request, userId: string): Promise<void> {
  await deleteOtherDevices(sql, userId, deviceHash(request));
}

/** The hash of the request's cookie, known or not. Without one it is the hash of nothing, which no device has. */
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
