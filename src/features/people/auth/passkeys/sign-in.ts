import type { Deps } from '../../../../deps.ts';
import { getRequestFacts } from '../../../../http/requests.ts';
import { accountDeleted } from '../deletion/refusals.ts';
import { lockStamp } from '../one-time-tokens.queries.ts';
import { openSessionHere, reportSignIn, type SignedInHere, stampChanged } from '../sign-in.ts';
import type { PasskeyAssertion } from './passkeys.schemas.ts';
import { ownerOfPasskey } from './use.ts';

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
