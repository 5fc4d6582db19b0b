import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { closed, oneOf, whole } from '../../../http/schemas.ts';
import type { Access, Caller } from '../access.ts';
import { providers } from '../queries.ts';
import { readMethods } from './queries.ts';

const SignInMethods = closed(
  {
    password: t.Boolean(),
    totp: t.Boolean({ description: 'An authenticator app is set up.' }),
    passkeys: whole({ description: 'How many there are.' }),
    providers: t.Array(oneOf(providers), { description: 'Accounts elsewhere that sign in to this one.' }),
  },
  { title: 'SignInMethods' },
);

/** The ways into the account of whoever asks. */
export const methodRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/auth' }).use(access).get('/methods', ({ caller }) => methodsOf(deps, caller), {
    signedIn: true,
    response: { 200: SignInMethods },
    detail: {
      summary: 'The ways in which you can sign in',
      description: 'Each of them also proves once more who you are; a sign-in through a provider opens a new session.',
      operationId: 'listSignInMethods',
      tags: ['Accounts'],
    },
  });

async function methodsOf({ database }: Deps, { userId }: Caller) {
  const methods = await database.asService((sql) => readMethods(sql, userId));
  return methods ?? { password: false, totp: false, passkeys: 0, providers: [] };
}
