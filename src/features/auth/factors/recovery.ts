import { encodeBase32LowerCaseNoPadding } from '@oslojs/encoding';
import type { Sql } from '../../../db/connection.ts';
import { linkTokenHash } from '../link-token.ts';
import { countRecoveryCodes, insertRecoveryCodes } from './queries.ts';

const codeCount = 10;
const codeBytes = 15;

/** Returns new codes, or none if the user already has some. `isAnew` replaces those. The codes are shown only once. */
export async function giveRecoveryCodes(
  sql: Sql,
  userId: string,
  { isAnew }: { readonly isAnew: boolean },
): Promise<string[]> {
  if (!isAnew && (await countRecoveryCodes(sql, userId)) > 0) return [];
  const codes = Array.from({ length: codeCount }, newCode);
  await insertRecoveryCodes(sql, userId, codes.map(recoveryHash));
  return codes;
}

/** Ignores case and separators. */
export function recoveryHash(code: string): Uint8Array {
  return linkTokenHash(code.toLowerCase().replaceAll(/[\s-]/g, ''));
}

/** 120 bits, which makes one round of SHA-256 sufficient, in groups that are easy to type. */
function newCode(): string {
  const text = encodeBase32LowerCaseNoPadding(crypto.getRandomValues(new Uint8Array(codeBytes)));
  return (text.match(/.{4}/g) ?? []).join('-');
}
