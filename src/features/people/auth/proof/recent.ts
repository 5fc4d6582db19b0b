import { Refusal } from '../../../../base/refusal.ts';

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
