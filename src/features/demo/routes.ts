import { Elysia } from 'elysia';
import type { Deps } from '../../deps.ts';
import { factsOf } from '../../http/requests.ts';
import { accountOf } from '../auth/profile.ts';
import { Account } from '../auth/schemas.ts';
import { sessionCookie } from '../auth/session.ts';
import { openSession } from '../auth/sign-in.ts';
import { DemoAccount } from './account.ts';

/** Visitors are many, and one who comes must not end the session of another. */
const sessionsMax = 5_000;

/** Access to the demo books without an account. */
export const demoRoutes = (deps: Deps) => {
  const demo = new DemoAccount(deps);
  return new Elysia().post(
    '/auth/demo',
    async ({ request, set }) => {
      deps.rateLimits.take('signIn', factsOf(request).network);
      const userId = await demo.userId();
      const { token } = await deps.database.asService((sql) =>
        openSession(sql, request, userId, { way: 'demo', sessionsKept: sessionsMax }),
      );
      set.headers['set-cookie'] = sessionCookie(token, deps.config);
      return accountOf(deps, userId);
    },
    {
      response: { 200: Account },
      detail: {
        summary: 'Look at the demo books',
        description:
          'Made-up books of two years, to try everything that reads. All visitors share them: what would change them is `forbidden`, and a dry run is not, but for that of a file. All of them together have the rate limits of one user.',
        operationId: 'openDemo',
        tags: ['Accounts'],
      },
    },
  );
};
