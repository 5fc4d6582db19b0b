import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { closed } from '../../../http/schemas.ts';
import { newPassword } from '../schemas.ts';
import { confirmReset, requestReset, resetMinutes } from './reset.ts';

const tags = ['Accounts'];

/** A new password for whoever can read the mails of the account. */
export const resetRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/auth/password/reset' })
    .post(
      '',
      async ({ body, request, set }) => {
        await requestReset(deps, request, body.email);
        set.status = 202;
      },
      {
        body: closed({ email: t.String({ maxLength: 1000 }) }, { examples: [{ email: 'ann@example.com' }] }),
        response: { 202: t.Void() },
        detail: {
          summary: 'Mail a link that sets a new password',
          description:
            'The answer is the same whether the address has an account or not, and no mail is waited for. At most three links of an account are open at a time.',
          operationId: 'requestPasswordReset',
          tags,
        },
      },
    )
    .post(
      '/confirm',
      async ({ body, request, set }) => {
        await confirmReset(deps, request, body);
        set.status = 204;
      },
      {
        body: closed(
          {
            token: t.String({ maxLength: 100, description: 'What stands in the link after the #.' }),
            password: newPassword,
          },
          { examples: [{ token: 'mzxw6ytboi2gk3tdn5sgk4tfon2gs3th', password: 'correct horse battery staple' }] },
        ),
        response: { 204: t.Void() },
        detail: {
          summary: 'Set a new password by the link; all sessions end',
          description: `The link works once, within ${resetMinutes} minutes.`,
          operationId: 'confirmPasswordReset',
          tags,
        },
      },
    );
