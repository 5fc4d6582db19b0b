import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import type { Caller } from './access.ts';
import type { PasskeyAssertion } from './passkeys/passkeys.schemas.ts';
import { requireOwnPasskey } from './passkeys/use.ts';
import { requireRecentSignIn } from './recent-proof.ts';
import { newToken, secretHash, sessionCookie } from './session.ts';
import { renewSession } from './sessions.queries.ts';
import { requirePassword } from './sign-in.ts';
import { requireOwnCode } from './totp/codes.ts';

/** A proof of identity. Exactly one of the fields is set. */
interface Proof {
  readonly password?: string | undefined;
  readonly totp?: string | undefined;
  readonly passkey?: PasskeyAssertion | undefined;
}

/**
 * Verifies the proof, and gives the session a new secret and cookie, so a stolen copy of the old cookie stops working.
 */
export async function reauthenticate(deps: Deps, caller: Caller, proof: Proof): Promise<string> {
  await requireProof(deps, caller, proof);
  const { secret } = newToken();
  const renewed = { id: caller.sessionId, userId: caller.userId, secretHash: secretHash(secret) };
  const secondsLeft = await deps.database.asService((sql) => renewSession(sql, renewed));
  if (secondsLeft === undefined) throw new Refusal('unauthenticated', 'This session has ended. Sign in again.');
  return sessionCookie({ id: caller.sessionId, secret }, deps.config, secondsLeft);
}

/** Requires either the password or a recent proof of identity. Used for requests that may contain the password. */
export async function requirePasswordOrRecentSignIn(
  deps: Deps,
  caller: Caller,
  password: string | undefined,
): Promise<void> {
  if (password === undefined) requireRecentSignIn(caller);
  else await requirePassword(deps, caller, password, { orNone: true });
}

async function requireProof(deps: Deps, caller: Caller, { password, totp, passkey }: Proof): Promise<void> {
  if ([password, totp, passkey].filter((proof) => proof !== undefined).length !== 1) {
    throw new Refusal('invalid', 'Send exactly one proof: the password, a code or a passkey.', {
      errors: [{ code: 'invalid', pointer: '', detail: 'Send exactly one of password, code and passkey.' }],
    });
  }
  if (password !== undefined) await requirePassword(deps, caller, password, { orNone: false });
  if (totp !== undefined) await requireOwnCode(deps, caller, totp);
  if (passkey !== undefined) await requireOwnPasskey(deps, caller.userId, passkey);
}
