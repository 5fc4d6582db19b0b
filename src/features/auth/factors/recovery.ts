import { encodeBase32LowerCaseNoPadding } from '@oslojs/encoding';
import type { Sql } from '../../../db/connection.ts';
import { linkTokenHash } from '../link-token.ts';
import { countRecoveryCodes, insertRecoveryCodes } from './queries.ts';

const codeCount = 10;
const codeBytes = 15;

/** New codes, unless the user has some already; `isAnew`: in their place. They are shown this once. */
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

/** However it is typed. */
export function recoveryHash(code: string): Uint8Array {
  return linkTokenHash(code.toLowerCase().replaceAll(/[\s-]/g, ''));
}

/** 120 bits, so that one round of SHA-256 hides them, in groups that can be typed. */
function newCode(): string {
  const text = encodeBase32LowerCaseNoPadding(crypto.getRandomValues(new Uint8Array(codeBytes)));
  return (text.match(/.{4}/g) ?? []).join('-');
}
