import { Elysia, t } from 'elysia';
import type { Deps } from '../../../../deps.ts';
import { group, person } from '../../../../http/operations/operations.ts';
import { closed, problems } from '../../../../http/schemas.ts';
import type { Access } from '../access.ts';
import { linkBody, passwordInput } from '../auth.schemas.ts';
import { endedSessionHeaders } from '../session.ts';
import { cancelDeletionByLink, type ExternalServices } from './cancellation.ts';
import { deleteAccount } from './deletion.ts';

const { open, signedIn } = group('Accounts');

/** Defines the routes that delete the account, and cancel the deletion within the grace period. */
export const deletionRoutes = (deps: Deps, access: Access, elsewhere: ExternalServices) =>
  new Elysia()
    .use(access)
    .delete(
      '',
      async ({ body, caller, set }) => {
        const erasedAt = await deleteAccount(deps, caller, body.password, elsewhere);
        Object.assign(set.headers, endedSessionHeaders(deps.config));
        if (erasedAt !== null) set.headers['erased-at'] = erasedAt.toISOString();
      },
      signedIn('deleteAccount', person('account_deleted'), {
        summary: 'Delete the account and all its data',
        description:
          'All sessions, tokens and event streams of the account end immediately. Other people lose access to its books, and it loses access to theirs. A subscription ends with the paid period. The email address becomes free for a new account. The data is erased after the grace period (`limits.deletionGraceDays` in `/config`), on the date in the header `Erased-At`. Until then you can cancel the deletion: sign in with `restore`, or use the emailed link.',
        body: closed({ password: passwordInput }, { examples: [{ password: 'correct horse battery staple' }] }),
        response: { 204: t.Void(), ...problems('invalid_credentials', 'billing_failed') },
      }),
    )
    .post(
      '/restore',
      async ({ body, request }) => {
        await cancelDeletionByLink(deps, request, elsewhere, body.token);
      },
      open('revokeAccountDeletion', 'account_deletion_taken_back', {
        summary: 'Cancel the account deletion with the emailed link',
        description:
          'Works until the account is erased. Does not sign you in. Returns 409 `email_taken` if a new account uses the address.',
        body: linkBody('mjqxg2lfmnwgc3tsmvzxi33smvzxi33s'),
        response: { 204: t.Void(), ...problems('email_taken', 'conflict') },
      }),
    );
