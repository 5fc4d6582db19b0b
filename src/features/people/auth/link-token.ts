import { sha256 } from '@oslojs/crypto/sha2';
import { encodeBase32LowerCaseNoPadding } from '@oslojs/encoding';
import { invalidMember, type Refusal } from '../../../base/refusal.ts';
import type { Config } from '../../../config.ts';

const tokenBytes = 20;

/** Returns a token for an emailed link: 160 random bits. */
export function newLinkToken(): string {
  return encodeBase32LowerCaseNoPadding(crypto.getRandomValues(new Uint8Array(tokenBytes)));
}

/** Returns the hash of a token. Tokens are random, so one round of SHA-256 is enough. */
export function linkTokenHash(token: string): Uint8Array {
  return sha256(new TextEncoder().encode(token));
}

/** Returns the error for an emailed link that no longer works. `otherwise` is the reason if it was not used. */
export function usedLink(otherwise: string, remedy: string): Refusal {
  return invalidMember('/token', `This link was already used, or ${otherwise}. ${remedy}`);
}

/**
 * Returns a link with the token after the #. Browsers do not send that part to servers, so it appears in no access log.
 */
export function linkWith(config: Config, path: string, token: string): string {
  return `${config.baseUrl}${path}#${token}`;
}
