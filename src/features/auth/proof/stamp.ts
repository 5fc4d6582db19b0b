import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { lockStamp, type TokenHolder } from '../one-time-tokens/queries.ts';

/**
 * In the transaction that makes something that outlives the session: a request that was let in before the password changed
 * and is still under way leaves nothing behind.
 */
export async function requireSameStamp(sql: Sql, caller: TokenHolder): Promise<void> {
  if (await lockStamp(sql, caller)) return;
  throw new Refusal('unauthenticated', 'The password changed, or sessions ended, just now. Sign in again.');
}
