import { Elysia, t } from 'elysia';
import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { group, lasting } from '../../../http/operations/operations.ts';
import { closed, problems } from '../../../http/schemas.ts';
import type { Access, Caller } from './access.ts';
import { readFactors } from './factors.queries.ts';
import { requireRecentSignIn, requireSameStamp } from './proof/recent.ts';
import { createRecoveryCodes } from './recovery-codes.ts';

const { signedIn } = group('Accounts');

export const RecoveryCodes = closed(
  { recoveryCodes: t.Array(t.String(), { description: 'Each code works once, in place of a second factor.' }) },
  { title: 'RecoveryCodes' },
);

/** Defines the route that replaces used or lost recovery codes. */
export const recoveryRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/auth' }).use(access).post(
    '/recovery-codes',
    ({ caller }) => renewRecoveryCodes(deps, caller),
    signedIn('resetRecoveryCodes', lasting('recovery_codes_renewed'), {
      summary: 'Create new recovery codes',
      description: 'The old codes stop working. Requires a recent sign-in and a second factor.',
      response: { 200: RecoveryCodes, ...problems('conflict', 'reauthentication_required') },
    }),
  );

export async function renewRecoveryCodes(deps: Deps, caller: Caller) {
  requireRecentSignIn(caller);
  return deps.database.asService(async (sql) => {
    await requireSameStamp(sql, caller);
    const factors = await readFactors(sql, caller.userId);
    if (factors === undefined || (!factors.hasApp && factors.passkeys === 0)) {
      throw new Refusal(
        'conflict',
        'Recovery codes replace a second factor, but this account has no second factor. Set up an authenticator app or a passkey first.',
      );
    }
    return { recoveryCodes: await createRecoveryCodes(sql, caller.userId, { isAnew: true }) };
  });
}
