import type { Deps } from '../../../deps.ts';
import { getRequestFacts } from '../../../http/requests.ts';
import { accountDeleted } from '../deletion/refusals.ts';
import { lockStamp } from '../one-time-tokens/queries.ts';
import { openSessionHere, reportSignIn, type SignedInHere, stampChanged } from '../sign-in.ts';
import type { PasskeyAssertion } from './schemas.ts';
import { ownerOfPasskey } from './use.ts';

/** The authenticator verified the person and the key is theirs, so neither password nor code is required. */
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
