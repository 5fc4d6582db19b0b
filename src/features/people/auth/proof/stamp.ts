import { Refusal } from '../../../../base/refusal.ts';
import type { Sql } from '../../../../db/connection.ts';
import { lockStamp, type TokenHolder } from '../one-time-tokens.queries.ts';

/**
 * Throws an error if the security stamp has changed. Runs in the transaction that creates something that outlives the
 * session, so a request authenticated before a password change leaves nothing behind.
 */
export async function requireSameStamp(sql: Sql, caller: TokenHolder): Promise<void> {
  if (await lockStamp(sql, caller)) return;
  throw new Refusal('unauthenticated', 'The password was just changed, or sessions were ended. Sign in again.');
}
