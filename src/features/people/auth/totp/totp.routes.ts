import { Elysia, t } from 'elysia';
import { Refusal } from '../../../../base/refusal.ts';
import type { Deps } from '../../../../deps.ts';
import { group, lasting, person } from '../../../../http/operations.ts';
import { closed, problems, whole } from '../../../../http/schemas.ts';
import type { Access, Caller } from '../access.ts';
import { passwordInput } from '../auth.schemas.ts';
import { readFactors } from '../factors.queries.ts';
import { requireRecentSignIn, requireSameStamp } from '../recent-proof.ts';
import { createRecoveryCodes } from '../recovery-codes.ts';
import { confirmTotp, getTotp, offerTotp, removeTotp } from './totp.ts';

const { signedIn } = group('Accounts');

const password = t.Optional(passwordInput);
const code = t.String({ maxLength: 100 });
const description = 'You can omit this after a recent sign-in.';

/** Defines the routes for the second factor, which uses codes from an authenticator app. */
export const totpRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/auth/totp' })
    .use(access)
    .get(
      '',
      ({ caller }) => getTotp(deps, caller),
      signedIn('getTotp', person(null), {
        summary: 'Get the status of the second factor',
        response: { 200: closed({ enabled: t.Boolean(), recoveryCodesLeft: whole() }, { title: 'SecondFactor' }) },
      }),
    )
    .post(
      '',
      ({ body, caller }) => offerTotp(deps, caller, body.password),
      signedIn('createTotpKey', lasting('second_factor_offered'), {
        summary: 'Create a key for an authenticator app',
        description: 'Changes nothing until you confirm the first code.',
        body: closed({ password }, { description, examples: [{ password: 'correct horse battery staple' }] }),
        response: {
          200: closed(
            {
              secret: t.String({ description: 'The key in base 32, for typing.' }),
              uri: t.String({ description: 'The content of the QR code.' }),
            },
            { title: 'TotpKey' },
          ),
          ...problems('conflict', 'invalid_credentials', 'reauthentication_required'),
        },
      }),
    )
    .post(
      '/confirm',
      ({ body, caller }) => confirmTotp(deps, caller, body.totp),
      signedIn('verifyTotp', lasting('second_factor_added'), {
        summary: 'Confirm the first code and get the recovery codes',
        body: closed({ totp: code }, { examples: [{ totp: '123456' }] }),
        response: { 200: RecoveryCodes, ...problems('conflict') },
      }),
    )
    .delete(
      '',
      async ({ body, caller }) => {
        await removeTotp(deps, caller, body);
      },
      signedIn('deleteTotp', person('second_factor_removed'), {
        summary: 'Remove the second factor with the password and a code',
        body: closed(
          { password, totp: t.Optional(code) },
          { description, examples: [{ password: 'correct horse battery staple', totp: 'abcd-efgh-ijkl-mnop' }] },
        ),
        response: { 204: t.Void(), ...problems('invalid_credentials', 'totp_required', 'reauthentication_required') },
      }),
    );

const RecoveryCodes = closed(
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
