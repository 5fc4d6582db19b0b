import { Elysia, t } from 'elysia';
import type { Deps } from '../../../../deps.ts';
import { group, person } from '../../../../http/operations/operations.ts';
import { closed, oneOf, problems } from '../../../../http/schemas.ts';
import { worksOnce } from '../../mail/letter.ts';
import type { Access } from '../access.ts';
import { email, linkBody, passwordInput } from '../auth.schemas.ts';
import type { ExternalServices } from '../deletion/cancellation.ts';
import {
  confirmEmailChange,
  emailChangeMinutes,
  emailUndoDays,
  requestEmailChange,
  undoEmailChange,
  undoOutcomes,
} from './email-change.ts';
import { mailVerificationAgain, verificationDays, verifyEmail } from './verification.ts';

const { open, signedIn } = group('Accounts');

/** Defines the routes that change and confirm the account's email address. */
export const emailRoutes = (deps: Deps, access: Access, elsewhere: ExternalServices) =>
  new Elysia({ prefix: '/auth/email' })
    .use(access)
    .post(
      '',
      async ({ body, caller, set }) => {
        await requestEmailChange(deps, caller, body);
        set.status = 202;
      },
      signedIn('createEmailChange', person('email_change_asked'), {
        summary: 'Request a change of the email address',
        description:
          'Emails a link to the new address, and a link that cancels the change to the current one. You can omit `password` after a recent sign-in. The response is the same if the new address is already taken.',
        body: closed(
          { email, password: t.Optional(passwordInput) },
          { examples: [{ email: 'ann.fields@example.com', password: 'correct horse battery staple' }] },
        ),
        response: { 202: t.Void(), ...problems('invalid_credentials', 'reauthentication_required') },
      }),
    )
    .post(
      '/confirm',
      async ({ body, request }) => {
        await confirmEmailChange(deps, request, body.token);
      },
      open('verifyEmailChange', 'email_changed', {
        summary: 'Change the email address with the emailed link',
        description: `${worksOnce(`${emailChangeMinutes} minutes`)} It expires earlier if the password changes or all sessions end. If the previous address was ever confirmed, it receives a link to undo the change.`,
        body: linkBody('nbswy3dpo5xxe3denbswy3dpo5xxe3de'),
        response: { 204: t.Void(), ...problems('email_taken') },
      }),
    )
    .post(
      '/undo',
      async ({ body, request }) => ({ outcome: await undoEmailChange(deps, request, elsewhere, body.token) }),
      open('revokeEmailChange', 'email_change_undone', {
        summary: 'Cancel or undo an email address change with the emailed link',
        description: `The link is sent to the previous address and works once, within ${emailUndoDays} days, even after a password change. It cancels a pending change. It undoes a completed change, even if the account was deleted in the meantime. An undo ends all sessions and removes the password. It also removes every token, passkey, linked account, authenticator app, recovery code, invitation and grant that was added since the day before the change was requested. The address then receives a link to set a new password.`,
        body: linkBody('orugkidmnfxgw4tbnzsgk3lvmrxw2zjo'),
        response: {
          200: closed(
            { outcome: oneOf(undoOutcomes, '`canceled`: the change was pending. `undone`: the change was complete.') },
            { title: 'EmailChangeRevocation', examples: [{ outcome: 'undone' }] },
          ),
          ...problems('email_taken'),
        },
      }),
    )
    .post(
      '/verification',
      async ({ caller, set }) => {
        await mailVerificationAgain(deps, caller);
        set.status = 202;
      },
      signedIn('createEmailVerification', person('email_verification_asked'), {
        summary: 'Send another link to confirm the email address',
        description:
          'The first link is sent when the account is created. Until the address is confirmed, you cannot create anything that outlives a session (403 `email_unverified`).',
        response: { 202: t.Void() },
      }),
    )
    .post(
      '/verify',
      async ({ body, request }) => {
        await verifyEmail(deps, request, body.token);
      },
      open('verifyEmail', 'email_verified', {
        summary: 'Confirm the email address with the emailed link',
        description: worksOnce(`${verificationDays} days`),
        body: linkBody('ozsxe2lgpfwwc2lmnrxw62ztmvqwy3df'),
        response: { 204: t.Void() },
      }),
    );
