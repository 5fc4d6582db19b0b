import { type Context, Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { group, lasting, person } from '../../../http/operations.ts';
import { closed, oneOf, problems } from '../../../http/schemas.ts';
import type { Access } from './access.ts';
import { providers } from './auth.queries.ts';
import { Account } from './auth.schemas.ts';
import { endedPendingCookie, finishPending, unlinkIdentity } from './identities.ts';
import { type Endpoints, startSignIn } from './provider-sign-in.ts';
import { providerEndpoints } from './providers.ts';
import { requireRecentSignIn } from './recent-proof.ts';
import type { SignedInHere } from './sign-in.ts';

const { open, signedIn } = group('Accounts');

interface IdentityOptions {
  readonly endpoints: Endpoints | undefined;
  /** Sets the cookies and returns the account. */
  readonly welcome: (set: Context['set'], signedIn: SignedInHere) => Promise<typeof Account.static>;
}

/** Defines the routes for provider accounts that can sign in to this account. */
export const identityRoutes = (deps: Deps, access: Access, { endpoints, welcome }: IdentityOptions) =>
  new Elysia({ prefix: '/auth' })
    .use(access)
    .post(
      '/identities',
      async ({ body, caller, request, set }) => {
        requireRecentSignIn(caller);
        const chosen = endpoints ?? providerEndpoints;
        const { url, cookie } = await startSignIn(deps, request, body.provider, chosen, { linkTo: caller });
        set.headers['set-cookie'] = cookie;
        return { url: url.href };
      },
      signedIn('createProviderLink', lasting(null), {
        summary: 'Begin to link a provider account',
        description:
          'Requires a recent sign-in. Finishes at `/auth/callback` in the same browser. After that, you can sign in with the linked account.',
        body: closed({ provider: oneOf(providers) }, { examples: [{ provider: 'google' }] }),
        response: {
          200: closed({ url: t.String({ description: 'The URL to open in the browser.' }) }),
          ...problems('provider_unconfigured', 'reauthentication_required'),
        },
      }),
    )
    .delete(
      '/identities/:provider',
      async ({ caller, params }) => {
        await unlinkIdentity(deps, caller, params.provider);
      },
      signedIn('deleteProviderLink', person('identity_unlinked'), {
        summary: 'Unlink a provider account',
        description: 'Requires a recent sign-in. Rejected if it is your only way to sign in.',
        params: closed({ provider: t.String({ description: '`google` or `github`.', examples: ['google'] }) }),
        response: { 204: t.Void(), ...problems('conflict', 'reauthentication_required') },
      }),
    )
    .post(
      '/login/factor',
      async ({ body, request, set }) => {
        const account = await welcome(set, await finishPending(deps, request, body.totp));
        const cookies = set.headers['set-cookie'];
        set.headers['set-cookie'] = [cookies ?? [], endedPendingCookie(deps)].flat();
        return account;
      },
      open('signInWithSecondFactor', 'signed_in', {
        summary: 'Complete a provider sign-in with the second factor',
        description:
          'Required if `/auth/callback` opens with `step=factor`. Send a code from the authenticator app or a recovery code within ten minutes, in the same browser. A passkey needs no second factor.',
        body: closed({ totp: t.String({ maxLength: 100 }) }, { examples: [{ totp: 'bcde-fghi-jklm-nopq' }] }),
        response: {
          200: Account,
          ...problems('totp_required', 'sign_in_link_required', 'account_deleted', 'unauthenticated'),
        },
      }),
    );
