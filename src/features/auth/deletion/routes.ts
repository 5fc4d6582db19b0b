import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { closed, problems } from '../../../http/schemas.ts';
import type { Access } from '../access.ts';
import { givenPassword, linkBody } from '../schemas.ts';
import { endedSessionHeaders } from '../session.ts';
import { deleteAccount } from './deletion.ts';
import type { Elsewhere } from './elsewhere.ts';
import { takeBackByLink } from './take-back.ts';

const tags = ['Accounts'];

/** The end of the account, and the way back within the days of grace. */
export const deletionRoutes = (deps: Deps, access: Access, elsewhere: Elsewhere) =>
  new Elysia()
    .use(access)
    .delete(
      '',
      async ({ body, caller, set }) => {
        const erasedAt = await deleteAccount(deps, caller, body.password, elsewhere);
        Object.assign(set.headers, endedSessionHeaders(deps.config));
        if (erasedAt !== null) set.headers['erased-at'] = erasedAt.toISOString();
        set.status = 204;
      },
      {
        signedIn: true,
        body: closed({ password: givenPassword }, { examples: [{ password: 'correct horse battery staple' }] }),
        response: {
          204: t.Void(),
          ...problems('invalid_credentials', 'billing_failed'),
        },
        detail: {
          summary: 'Delete the account with all its data',
          description:
            'At once all its sessions, tokens and event streams end, so does the access of others to its books and its own to the books of others, a subscription ends with what is paid, and the address is free for a new account. The data is erased after the days of grace (`limits.deletionGraceDays` of `/config`); the header `Erased-At` says when. Until then the deletion is taken back by signing in with `restore`, or by the mailed link.',
          operationId: 'deleteAccount',
          tags,
        },
      },
    )
    .post(
      '/restore',
      async ({ body, request, set }) => {
        await takeBackByLink(deps, request, elsewhere, body.token);
        set.status = 204;
      },
      {
        body: linkBody('mjqxg2lfmnwgc3tsmvzxi33smvzxi33s'),
        response: { 204: t.Void(), ...problems('email_taken', 'conflict') },
        detail: {
          summary: 'Take the deletion of the account back, by the mailed link',
          description:
            'Until the account is erased. It signs nobody in. 409 `email_taken` where a new account has the address by now.',
          operationId: 'restoreAccount',
          tags,
        },
      },
    );
