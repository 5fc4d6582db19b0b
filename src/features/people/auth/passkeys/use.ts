import { Refusal } from '../../../../base/refusal.ts';
import type { Deps } from '../../../../deps.ts';
import { getRequestFacts } from '../../../../http/requests.ts';
import { accountDeleted } from '../cancellation.ts';
import { type FailedProof, reportFailedProof } from '../failures.ts';
import { consumeToken, issueToken, lockStamp, type TokenHolder } from '../one-time-tokens.queries.ts';
import { openSessionHere, reportSignIn, type SignedInHere, stampChanged } from '../sign-in.ts';
import { type KnownCredential, selectCredential, touchPasskey } from './passkeys.queries.ts';
import type { PasskeyAssertion } from './passkeys.schemas.ts';
import { parseChallenge, signInOptions, verifiedCounter } from './webauthn.ts';

/**
 * Returns the options for a sign-in with a passkey. They are the same for everyone, so they do not reveal who has a
 * passkey.
 */
export async function offerSignIn(deps: Deps, request: Request) {
  deps.rateLimits.take('signIn', getRequestFacts(request).network);
  const options = await signInOptions(deps.config);
  await keepChallenge(deps, options.challenge, null);
  return options;
}

/** Stores a challenge. With a user, it adds a passkey to the user's account. Without one, it signs in. */
export async function keepChallenge(deps: Deps, challenge: string, holder: TokenHolder | null): Promise<void> {
  const kept = { holder, payload: {}, token: challenge };
  await deps.database.asService((sql) => issueToken(sql, 'passkey_challenge', kept));
}

/** Consumes the challenge of a passkey response, even if the rest of the response is invalid. */
export async function consumeChallenge(
  deps: Deps,
  clientDataJSON: string,
  userId: string | null,
): Promise<string | undefined> {
  const challenge = parseChallenge(clientDataJSON);
  if (challenge === undefined) return undefined;
  const open = await deps.database.asService((sql) => consumeToken(sql, 'passkey_challenge', challenge, { userId }));
  return open === undefined ? undefined : challenge;
}

/** Verifies a passkey response and returns the user who owns the passkey. */
async function ownerOfPasskey(
  deps: Deps,
  assertion: PasskeyAssertion,
  action: FailedProof['action'],
): Promise<KnownCredential> {
  const refused = (userId: string | null): Refusal => {
    reportFailedProof(deps, { action, way: 'passkey', userId });
    return refusedPasskey();
  };
  const { clientDataJSON, userHandle } = assertion.response;
  const challenge = await consumeChallenge(deps, clientDataJSON, null);
  if (challenge === undefined) throw refused(null);
  const known = await deps.database.asService((sql) => selectCredential(sql, assertion.id));
  if (known === undefined || !isUserHandle(userHandle, known.userId)) throw refused(null);
  const counter = await verifiedCounter(deps.config, assertion, challenge, known);
  if (counter === undefined) throw refused(known.userId);
  if (!(await deps.database.asService((sql) => touchPasskey(sql, known, counter)))) throw refused(known.userId);
  return known;
}

/**
 * Throws an error if the passkey does not belong to the user. Used instead of the password when a signed-in user
 * confirms their identity.
 */
export async function requireOwnPasskey(deps: Deps, userId: string, assertion: PasskeyAssertion): Promise<void> {
  const owner = await ownerOfPasskey(deps, assertion, 'proof_failed');
  if (owner.userId === userId) return;
  reportFailedProof(deps, { action: 'proof_failed', way: 'passkey', userId });
  throw refusedPasskey();
}

function isUserHandle(userHandle: string | null | undefined, userId: string): boolean {
  if (userHandle === undefined || userHandle === null) return true;
  return userHandle === new TextEncoder().encode(userId).toBase64({ alphabet: 'base64url', omitPadding: true });
}

function refusedPasskey(): Refusal {
  return new Refusal('passkey_refused', 'This passkey does not open an account here, or it took too long. Try again.');
}

/**
 * Signs in with a passkey. Requires neither a password nor a code, because the authenticator verified the person who
 * holds the key.
 */
export async function signInByPasskey(
  deps: Deps,
  request: Request,
  assertion: PasskeyAssertion,
): Promise<SignedInHere> {
  deps.rateLimits.take('signIn', getRequestFacts(request).network);
  const { userId, stamp, email, erasedAt } = await ownerOfPasskey(deps, assertion, 'sign_in_failed');
  if (email === null) throw accountDeleted(erasedAt);
  const signedIn = await deps.database.asService(async (sql) => {
    if (!(await lockStamp(sql, { userId, stamp }))) throw stampChanged();
    return openSessionHere(sql, request, userId, 'passkey');
  });
  await reportSignIn(deps, request, email, signedIn);
  return signedIn;
}
