import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { closed, oneOf, whole } from '../../../http/schemas.ts';
import { providers } from '../queries.ts';
import { linkToken, newPassword } from '../schemas.ts';
import { confirmReset, endableAccess, previewReset, requestReset, resetMinutes } from './reset.ts';

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
    .post('/preview', ({ body, request }) => previewReset(deps, request, body.token), {
      body: closed({ token: linkToken }, { examples: [{ token: 'mzxw6ytboi2gk3tdn5sgk4tfon2gs3th' }] }),
      response: {
        200: closed(
          {
            email: t.String(),
            verified: t.Boolean({
              description: 'Whether somebody ever confirmed that they read mails of the address.',
            }),
            tokens: whole(),
            providers: t.Array(oneOf(providers)),
            grants: whole({ description: 'People who were let into the books.' }),
            transactions: whole({ description: 'In the books of the account.' }),
            clients: whole({ description: 'Client books that the account made. `deleteBooks` deletes them too.' }),
          },
          { title: 'ResetPreview' },
        ),
      },
      detail: {
        summary: 'Preview what a link resets',
        description: 'The link stays open. What is listed here can end together with the old password.',
        operationId: 'previewPasswordReset',
        tags,
      },
    })
    .post(
      '/confirm',
      async ({ body, request, set }) => {
        set.headers['set-cookie'] = await confirmReset(deps, request, body);
        set.status = 204;
      },
      {
        body: closed(
          {
            token: linkToken,
            password: newPassword,
            end: t.Optional(
              t.Array(
                oneOf(
                  endableAccess,
                  '`tokens` of programs, `identities` at Google and GitHub, `grants` to other people with open invitations.',
                ),
                { maxItems: endableAccess.length, description: 'What ends as well.' },
              ),
            ),
            deleteBooks: t.Optional(
              t.Boolean({
                description:
                  'Only for an account whose address was never confirmed: deletes its imports, rows and settings, and the client books that it made.',
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
        detail: {
          summary: 'Set a new password by the link; all sessions end',
          description: `The link works once, within ${resetMinutes} minutes. The cookie \`device\` makes this browser known to the account, and nobody is signed in. If the address was never confirmed, whoever made the account may be somebody else: its tokens, passkeys, linked accounts, authenticator app, recovery codes, grants and invitations end too, and a mailed link confirms the address.`,
          operationId: 'confirmPasswordReset',
          tags,
        },
      },
    );
