import { encodeBase32LowerCaseNoPadding } from '@oslojs/encoding';
import type { Sql } from '../../../db/connection.ts';
import { countRecoveryCodes, insertRecoveryCodes } from './factors.queries.ts';
import { linkTokenHash } from './link-token.ts';

const codeCount = 10;
const codeBytes = 15;

/**
 * Returns new recovery codes, or none if the user already has some. With `isAnew`, replaces the existing codes. The
 * codes are shown only once.
 */
export async function createRecoveryCodes(
  sql: Sql,
  userId: string,
  { isAnew }: { readonly isAnew: boolean },
): Promise<string[]> {
  if (!isAnew && (await countRecoveryCodes(sql, userId)) > 0) return [];
  const codes = Array.from({ length: codeCount }, newCode);
  await insertRecoveryCodes(sql, userId, codes.map(recoveryHash));
  return codes;
}

/** Returns the hash of a code, ignoring case and separators. */
export function recoveryHash(code: string): Uint8Array {
  return linkTokenHash(code.toLowerCase().replaceAll(/[\s-]/g, ''));
}

/** Returns a code in groups that are easy to type. It has 120 random bits, so one round of SHA-256 is enough. */
function newCode(): string {
  const text = encodeBase32LowerCaseNoPadding(crypto.getRandomValues(new Uint8Array(codeBytes)));
  return (text.match(/.{4}/g) ?? []).join('-');
}
