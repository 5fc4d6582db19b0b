import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { readMethods } from './queries.ts';

/** After a way to sign in was removed: refuses where none is left, and the removal with it. */
export async function requireAnotherWay(sql: Sql, userId: string): Promise<void> {
  const { password = false, passkeys = 0, providers = [] } = (await readMethods(sql, userId)) ?? {};
  if (password || passkeys > 0 || providers.length > 0) return;
  throw new Refusal('conflict', 'You could not sign in any more without it. Set a password first.');
}
