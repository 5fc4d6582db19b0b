import { Elysia } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { group } from '../../../http/operations.ts';
import { getRequestFacts } from '../../../http/requests.ts';
import { Account } from '../../people/auth/auth.schemas.ts';
import { loadAccount } from '../../people/auth/profile.ts';
import { sessionCookie } from '../../people/auth/session.ts';
import { openSession } from '../../people/auth/sign-in.ts';
import { DemoAccount } from './account.ts';

const { open } = group('Accounts');

/** A high limit, because many visitors share the account and a new session must not end another visitor's session. */
const sessionsMax = 5_000;

/** Defines the route that opens the demo books without an account. */
export const demoRoutes = (deps: Deps) => {
  const demo = new DemoAccount(deps);
  return new Elysia().post(
    '/auth/demo',
    async ({ request, set }) => {
      deps.rateLimits.take('signIn', getRequestFacts(request).network);
      const userId = await demo.userId();
      const { token } = await deps.database.asService((sql) =>
        openSession(sql, request, userId, { way: 'demo', sessionsKept: sessionsMax }),
      );
      set.headers['set-cookie'] = sessionCookie(token, deps.config);
      return loadAccount(deps, userId);
    },
    open('signInToDemo', null, {
      summary: 'Open the demo books',
      description:
        'Opens two years of fictional books, which you can use to try every read request. All visitors share them. Changes return `forbidden`. Dry runs are allowed, except for files. Questions are answered by the built-in assistant and not stored. All visitors together have the rate limits of one user.',
      response: { 200: Account },
    }),
  );
};
