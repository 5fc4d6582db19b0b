import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { group } from '../../../http/operations/operations.ts';
import { closed, oneOf, whole } from '../../../http/schemas.ts';
import { worksOnce } from '../mail/letter.ts';
import { providers } from './auth.queries.ts';
import { linkToken, newPassword } from './auth.schemas.ts';
import { confirmReset, endableAccess, previewReset, requestReset, resetMinutes } from './reset.ts';

const { open } = group('Accounts');

/** Defines the routes that set a new password with a link sent to the account's address. */
export const resetRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/auth/password/reset' })
    .post(
      '',
      async ({ body, request, set }) => {
        await requestReset(deps, request, body.email);
        set.status = 202;
      },
      open('createPasswordReset', 'password_reset_asked', {
        summary: 'Email a link to set a new password',
        description:
          'The response is the same whether or not the address has an account, and does not wait for the email. An account has at most three open links at a time.',
        body: closed({ email: t.String({ maxLength: 1000 }) }, { examples: [{ email: 'ann@example.com' }] }),
        response: { 202: t.Void() },
      }),
    )
    .post(
      '/preview',
      ({ body, request }) => previewReset(deps, request, body.token),
      open('previewPasswordReset', null, {
        summary: 'Preview the effects of a reset link',
        description: 'Does not use up the link. Everything listed can be removed together with the old password.',
        body: closed({ token: linkToken }, { examples: [{ token: 'mzxw6ytboi2gk3tdn5sgk4tfon2gs3th' }] }),
        response: {
          200: closed(
            {
              email: t.String(),
              verified: t.Boolean({ description: 'Whether the address was ever confirmed.' }),
              tokens: whole(),
              providers: t.Array(oneOf(providers)),
              grants: whole({ description: 'The people with access to the books.' }),
              transactions: whole({ description: 'The number of transactions in the account’s own books.' }),
              clients: whole({
                description: 'The client books that the account created. `deleteBooks` deletes them too.',
              }),
            },
            { title: 'PasswordResetPreview' },
          ),
        },
      }),
    )
    .post(
      '/confirm',
      async ({ body, request, set }) => {
        set.headers['set-cookie'] = await confirmReset(deps, request, body);
      },
      open('resetPassword', 'password_reset', {
        summary: 'Set a new password with the link and end all sessions',
        description: `${worksOnce(`${resetMinutes} minutes`)} The cookie \`device\` registers this browser for the account but does not sign you in. If the address was never confirmed, another person may have created the account. In that case, its tokens, passkeys, linked accounts, authenticator app, recovery codes, grants and invitations end too. An emailed link also confirms the address.`,
        body: closed(
          {
            token: linkToken,
            password: newPassword,
            end: t.Optional(
              t.Array(
                oneOf(
                  endableAccess,
                  '`tokens`: API tokens. `identities`: linked Google and GitHub accounts. `grants`: other people’s access to the books, and open invitations.',
                ),
                { maxItems: endableAccess.length, description: 'Additional access to remove.' },
              ),
            ),
            deleteBooks: t.Optional(
              t.Boolean({
                description:
                  'Only for an account whose address was never confirmed. Deletes the account’s imports, transactions and settings, and the client books that it created.',
              }),
            ),
          },
          {
            examples: [
              { token: 'mzxw6ytboi2gk3tdn5sgk4tfon2gs3th', password: 'correct horse battery staple', end: ['tokens'] },
            ],
          },
        ),
        response: { 204: t.Void() },
      }),
    );
