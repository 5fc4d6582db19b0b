import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { readMethods } from './methods.queries.ts';

/** Throws an error if the user has no way to sign in. Runs after a way was removed, and rolls back the removal. */
export async function requireOtherSignInMethod(sql: Sql, userId: string): Promise<void> {
  const { password = false, passkeys = 0, providers = [] } = (await readMethods(sql, userId)) ?? {};
  if (password || passkeys > 0 || providers.length > 0) return;
  throw new Refusal('conflict', 'This is your only way to sign in. Set a password first.');
}
