import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { readMethods } from './queries.ts';

/** Runs after a way to sign in was removed. If none is left, it throws, which rolls back the removal. */
export async function requireAnotherWay(sql: Sql, userId: string): Promise<void> {
  const { password = false, passkeys = 0, providers = [] } = (await readMethods(sql, userId)) ?? {};
  if (password || passkeys > 0 || providers.length > 0) return;
  throw new Refusal('conflict', 'This is your only way to sign in. Set a password first.');
}
