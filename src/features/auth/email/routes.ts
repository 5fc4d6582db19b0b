import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { closed, oneOf, problems } from '../../../http/schemas.ts';
import type { Access } from '../access.ts';
import type { Elsewhere } from '../deletion/elsewhere.ts';
import { email, givenPassword, linkBody } from '../schemas.ts';
import { confirmEmailChange, emailChangeMinutes, emailUndoDays, requestEmailChange } from './email-change.ts';
import { undoEmailChange, undoOutcomes } from './undo.ts';
import { mailVerificationAgain, verificationDays, verifyEmail } from './verification.ts';

const tags = ['Accounts'];

/** Another e-mail address for the account, once its reader confirms it. */
export const emailRoutes = (deps: Deps, access: Access, elsewhere: Elsewhere) =>
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
            'The link goes to the new address. The present address is mailed a link that cancels the change. `password` is left out after a recent sign-in. The response is the same if somebody has the address already.',
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
        body: linkBody('nbswy3dpo5xxe3denbswy3dpo5xxe3de'),
        response: { 204: t.Void(), ...problems('email_taken') },
        detail: {
          summary: 'Change the e-mail address by the link',
          description: `The link works once, within ${emailChangeMinutes} minutes, unless the password changes or all sessions end before. The previous address is mailed a link that undoes the change, if it was ever confirmed.`,
          operationId: 'confirmEmailChange',
          tags,
        },
      },
    )
    .post(
      '/undo',
      async ({ body, request }) => ({ outcome: await undoEmailChange(deps, request, elsewhere, body.token) }),
      {
        body: linkBody('orugkidmnfxgw4tbnzsgk3lvmrxw2zjo'),
        response: {
          200: closed(
            { outcome: oneOf(undoOutcomes, '`canceled`: the change was pending. `undone`: it was done.') },
            { title: 'EmailUndo', examples: [{ outcome: 'undone' }] },
          ),
          ...problems('email_taken'),
        },
        detail: {
          summary: 'Cancel or undo a change of the e-mail address by the link',
          description: `The link is mailed to the previous address and works once, within ${emailUndoDays} days, also after a change of the password. While the change is pending it is canceled. Afterwards the account gets the previous address again, also if it was deleted meanwhile; all sessions end, the password is removed, and so is every token, passkey, linked account, authenticator app, recovery code, invitation and grant that was added since the day before the change was requested. A link that sets a new password is then mailed to the address.`,
          operationId: 'undoEmailChange',
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
          description:
            'The first one is mailed when the account is made. Until the address is confirmed, nothing can be made that outlives a session (403 `email_unverified`).',
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
        body: linkBody('ozsxe2lgpfwwc2lmnrxw62ztmvqwy3df'),
        response: { 204: t.Void() },
        detail: {
          summary: 'Confirm the e-mail address by the link',
          description: `The link works once, within ${verificationDays} days.`,
          operationId: 'verifyEmail',
          tags,
        },
      },
    );
