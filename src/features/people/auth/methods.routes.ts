import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { group, person } from '../../../http/operations/operations.ts';
import { closed, oneOf, whole } from '../../../http/schemas.ts';
import type { Access, Caller } from './access.ts';
import { providers } from './auth.queries.ts';
import { readMethods } from './factors.queries.ts';

const { signedIn } = group('Accounts');

const SignInMethods = closed(
  {
    password: t.Boolean(),
    totp: t.Boolean({ description: 'Whether an authenticator app is set up.' }),
    passkeys: whole({ description: 'Number of passkeys.' }),
    providers: t.Array(oneOf(providers), { description: 'Provider accounts that can sign in to this account.' }),
  },
  { title: 'SignInMethods' },
);

/** Defines the route that lists the caller's ways to sign in. */
export const methodRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/auth' }).use(access).get(
    '/methods',
    ({ caller }) => loadMethods(deps, caller),
    signedIn('listSignInMethods', person(null), {
      summary: 'List the ways to sign in',
      description:
        'You can also use any of them to confirm your identity. Signing in through a provider opens a new session.',
      response: { 200: SignInMethods },
    }),
  );

async function loadMethods({ database }: Deps, { userId }: Caller) {
  const methods = await database.asService((sql) => readMethods(sql, userId));
  return methods ?? { password: false, totp: false, passkeys: 0, providers: [] };
}
