import { Elysia, t } from 'elysia';
import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { nameActor } from '../../../http/audit/audited-request.ts';
import { closed, problems } from '../../../http/schemas.ts';
import { deleteDigest, selectDigest } from './queries.ts';
import { UnsubscribeTokens } from './unsubscribe.ts';

/** The link in a digest stops it without signing in: programs for mail send a POST (RFC 8058), a GET does nothing. */
export const unsubscribeRoutes = (deps: Deps) => {
  const tokens = new UnsubscribeTokens(deps);
  return new Elysia().post(
    '/unsubscribe',
    async ({ query, set }) => {
      const found = await tokens.read(query.token);
      if (found === undefined) {
        const detail = 'This link is not whole. Copy all of it, or switch the mails off among the notifications.';
        throw new Refusal('invalid', detail, { errors: [{ code: 'invalid', pointer: '/token', detail }] });
      }
      const { taxpayerId, userId } = found;
      await deps.database.asService(async (sql) => {
        if ((await selectDigest(sql, taxpayerId, userId)) === undefined) return;
        nameActor({ kind: 'found', userId, isProven: false });
        await deleteDigest(sql, taxpayerId, userId);
      });
      set.status = 204;
    },
    {
      // The body is a form that says nothing but what the request is.
      parse: 'none',
      query: closed({
        token: t.String({
          maxLength: 200,
          description: 'Of the mail.',
          examples: ['byscNBERQRGBEREREREREY0OWnciIkIigiIiIiIiIiIdJq71sX7BHTzJHrvHxQOcLa6t6rT6N8NPEDx_wUhWCQ'],
        }),
      }),
      response: { 204: t.Void(), ...problems('invalid') },
      detail: {
        summary: 'Stop the mails of the feed, by the link in one',
        description: 'Needs no session. The mails begin again when `digest` is chosen in the settings.',
        operationId: 'stopDigest',
        tags: ['Notifications'],
      },
    },
  );
};
