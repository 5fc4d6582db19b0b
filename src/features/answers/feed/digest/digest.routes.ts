import { Elysia, t } from 'elysia';
import { invalidMember } from '../../../../base/refusal.ts';
import type { Deps } from '../../../../deps.ts';
import { nameActor } from '../../../../http/audit/audited-request.ts';
import { group } from '../../../../http/operations/operations.ts';
import { deleteDigest, selectDigest } from './digest.queries.ts';
import { UnsubscribeTokens } from './digest.ts';

const { open } = group('Notifications');

/** Unsubscribes from a digest without signing in. Email programs send a POST (RFC 8058). A GET does nothing. */
export const unsubscribeRoutes = (deps: Deps) => {
  const tokens = new UnsubscribeTokens(deps);
  return new Elysia().post(
    '/unsubscribe',
    async ({ query }) => {
      const key = await tokens.read(query.token);
      if (key === undefined) {
        throw invalidMember(
          '/token',
          'This unsubscribe link is incomplete. Copy the whole link from the email, or turn off the emails on the notifications page.',
        );
      }
      const { taxpayerId, userId } = key;
      await deps.database.asService(async (sql) => {
        if ((await selectDigest(sql, taxpayerId, userId)) === undefined) return;
        nameActor({ kind: 'found', userId, isProven: false });
        await deleteDigest(sql, taxpayerId, userId);
      });
    },
    open('deleteDigestSubscription', 'notification_settings_changed', {
      summary: 'Unsubscribe from digests with the link in an email',
      description: 'Needs no session. To subscribe again, choose a `digest` in the notification settings.',
      // The request body is a form without any information of its own.
      parse: 'none',
      query: {
        token: t.String({
          maxLength: 200,
          description: 'The token from the email.',
          examples: ['byscNBERQRGBEREREREREY0OWnciIkIigiIiIiIiIiIdJq71sX7BHTzJHrvHxQOcLa6t6rT6N8NPEDx_wUhWCQ'],
        }),
      },
      response: { 204: t.Void() },
    }),
  );
};
