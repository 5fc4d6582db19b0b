import { Refusal } from '../../../base/refusal.ts';

/** How long a proof of identity counts as recent. Signing in is a proof. */
export const recentMinutes = 15;

/**
 * Throws if the last proof of identity is older. A session that was left open or stolen then cannot change sign-in
 * methods, give access or delete anything. `POST /v1/auth/reauthenticate` provides a new proof.
 */
export function requireRecentSignIn({ hasRecentProof }: { readonly hasRecentProof: boolean }): void {
  if (hasRecentProof) return;
  throw new Refusal(
    'reauthentication_required',
    `You signed in more than ${recentMinutes} minutes ago. Confirm your identity, then try again.`,
  );
}
