import { Elysia, t } from 'elysia';
import type { Deps } from '../../../../deps.ts';
import { group, lasting, person } from '../../../../http/operations/operations.ts';
import { closed, problems, whole } from '../../../../http/schemas.ts';
import type { Access } from '../access.ts';
import { passwordInput } from '../auth.schemas.ts';
import { RecoveryCodes } from '../factors.routes.ts';
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
