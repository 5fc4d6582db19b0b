import { Elysia, t } from 'elysia';
import type { Deps } from '../../../../deps.ts';
import { group, person } from '../../../../http/operations/operations.ts';
import { closed, problems } from '../../../../http/schemas.ts';
import type { Access } from '../access.ts';
import { passwordInput } from '../auth.schemas.ts';
import { PasskeyAssertion } from '../passkeys/passkeys.schemas.ts';
import { reauthenticate } from './proof.ts';
import { recentMinutes } from './recent.ts';

const { signedIn } = group('Accounts');

/** Defines the route that confirms the user's identity in an open session. */
export const proofRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/auth' }).use(access).post(
    '/reauthenticate',
    async ({ body, caller, set }) => {
      set.headers['set-cookie'] = await reauthenticate(deps, caller, body);
    },
    signedIn('verifyIdentity', person('identity_proved'), {
      summary: 'Confirm your identity again',
      description: `Operations that change sign-in methods, create tokens, give access or delete something return \`reauthentication_required\` if the last proof of identity is more than ${recentMinutes} minutes old. Signing in counts as a proof. The session continues with a new cookie.`,
      body: closed(
        {
          password: t.Optional(passwordInput),
          totp: t.Optional(
            t.String({ maxLength: 100, description: 'A code from the authenticator app, or a recovery code.' }),
          ),
          passkey: t.Optional(PasskeyAssertion),
        },
        {
          description: 'Contains exactly one of the fields.',
          examples: [{ password: 'correct horse battery staple' }],
        },
      ),
      response: { 204: t.Void(), ...problems('invalid_credentials', 'passkey_refused', 'totp_required') },
    }),
  );
