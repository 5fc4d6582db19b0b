import { sha256 } from '@oslojs/crypto/sha2';
import { encodeBase32LowerCaseNoPadding } from '@oslojs/encoding';
import type { Config } from '../../config.ts';

const tokenBytes = 20;

/** Of a link that is mailed: 160 bits that nobody guesses. */
export function newLinkToken(): string {
  return encodeBase32LowerCaseNoPadding(crypto.getRandomValues(new Uint8Array(tokenBytes)));
}

/** Tokens are random, so that one round of SHA-256 hides them. */
export function linkTokenHash(token: string): Uint8Array {
  return sha256(new TextEncoder().encode(token));
}

/** After the #, which browsers send to no server: the token stands in no log on the way. */
export function linkWith(config: Config, path: string, token: string): string {
  return `${config.baseUrl}${path}#${token}`;
}
