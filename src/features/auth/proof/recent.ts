import { Refusal } from '../../../base/refusal.ts';

/** So long a proof of who one is counts. Signing in is one. */
export const recentMinutes = 15;

/**
 * Refuses where the last proof is older: a session that was left open, or stolen, changes nothing by which one signs
 * in, gives nobody access and takes nothing away. `POST /v1/auth/reauthenticate` gives a new proof.
 */
export function requireRecentSignIn({ hasRecentProof }: { readonly hasRecentProof: boolean }): void {
  if (hasRecentProof) return;
  throw new Refusal(
    'reauthentication_required',
    `You signed in more than ${recentMinutes} minutes ago. Prove that it is you, then try again.`,
  );
}
