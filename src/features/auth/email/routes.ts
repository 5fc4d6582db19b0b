import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { closed, problems } from '../../../http/schemas.ts';
import type { Access } from '../access.ts';
import { email, givenPassword } from '../schemas.ts';
import { confirmEmailChange, emailChangeMinutes, requestEmailChange } from './email-change.ts';
import { mailVerificationAgain, verificationDays, verifyEmail } from './verification.ts';

const tags = ['Accounts'];

/** Another e-mail address for the account, once its reader confirms it. */
export const emailRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/auth/email' })
    .use(access)
    .post(
      '',
      async ({ body, caller, set }) => {
        await requestEmailChange(deps, caller, body);
        set.status = 202;
      },
      {
        signedIn: true,
        body: closed(
          { email, password: t.Optional(givenPassword) },
          { examples: [{ email: 'ann.fields@example.com', password: 'correct horse battery staple' }] },
        ),
        response: { 202: t.Void(), ...problems('invalid_credentials', 'reauthentication_required') },
        detail: {
          summary: 'Mail a link that changes the e-mail address',
          description:
            'The link goes to the new address, and the old one is told. `password` is left out after a recent sign-in. The answer is the same where somebody has the address already.',
          operationId: 'requestEmailChange',
          tags,
        },
      },
    )
    .post(
      '/confirm',
      async ({ body, request, set }) => {
        await confirmEmailChange(deps, request, body.token);
        set.status = 204;
      },
      {
        body: closed(
          { token: t.String({ maxLength: 100, description: 'What stands in the link after the #.' }) },
          { examples: [{ token: 'nbswy3dpo5xxe3denbswy3dpo5xxe3de' }] },
        ),
        response: { 204: t.Void(), ...problems('email_taken') },
        detail: {
          summary: 'Change the e-mail address by the link',
          description: `The link works once, within ${emailChangeMinutes} minutes.`,
          operationId: 'confirmEmailChange',
          tags,
        },
      },
    )
    .post(
      '/verification',
      async ({ caller, set }) => {
        await mailVerificationAgain(deps, caller);
        set.status = 202;
      },
      {
        signedIn: true,
        response: { 202: t.Void() },
        detail: {
          summary: 'Mail another link that confirms the address',
          description: 'The first one is mailed when the account is made. The account works without it.',
          operationId: 'requestEmailVerification',
          tags,
        },
      },
    )
    .post(
      '/verify',
      async ({ body, request, set }) => {
        await verifyEmail(deps, request, body.token);
        set.status = 204;
      },
      {
        body: closed(
          { token: t.String({ maxLength: 100, description: 'What stands in the link after the #.' }) },
          { examples: [{ token: 'ozsxe2lgpfwwc2lmnrxw62ztmvqwy3df' }] },
        ),
        response: { 204: t.Void() },
        detail: {
          summary: 'Confirm the e-mail address by the link',
          description: `The link works once, within ${verificationDays} days.`,
          operationId: 'verifyEmail',
          tags,
        },
      },
    );
