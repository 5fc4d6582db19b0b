import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { readMethods } from './factors.queries.ts';
import { lockStamp, type TokenHolder } from './one-time-tokens.queries.ts';

/** How long a proof of identity counts as recent. Signing in counts as a proof. */
export const recentMinutes = 15;

/**
 * Throws an error if the last proof of identity is too old. This prevents a session that was left open or stolen from
 * changing sign-in methods, giving access or deleting anything. `POST /v1/auth/reauthenticate` accepts a new proof.
 */
export function requireRecentSignIn({ hasRecentProof }: { readonly hasRecentProof: boolean }): void {
  if (hasRecentProof) return;
  throw new Refusal(
    'reauthentication_required',
    `You signed in more than ${recentMinutes} minutes ago. Confirm your identity, then try again.`,
  );
}

/**
 * Throws an error if the security stamp has changed. Runs in the transaction that creates something that outlives the
 * session, so a request authenticated before a password change leaves nothing behind.
 */
export async function requireSameStamp(sql: Sql, caller: TokenHolder): Promise<void> {
  if (await lockStamp(sql, caller)) return;
  throw new Refusal('unauthenticated', 'The password was just changed, or sessions were ended. Sign in again.');
}

/** Throws an error if the user has no way to sign in. Runs after a way was removed, and rolls back the removal. */
export async function requireOtherSignInMethod(sql: Sql, userId: string): Promise<void> {
  const { password = false, passkeys = 0, providers = [] } = (await readMethods(sql, userId)) ?? {};
  if (password || passkeys > 0 || providers.length > 0) return;
  throw new Refusal('conflict', 'This is your only way to sign in. Set a password first.');
}
